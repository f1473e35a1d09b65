//! Decoding to UTF-8: sparse text character by character, dense text to UTF-16 first, in blocks. Converting several blocks to
//! UTF-8 together is 3 % faster, but only for dense text.

use core::mem::MaybeUninit;

use super::{
    super::{
        super::double_byte::{FIRST_STEPS, STEP, STEPS},
        ascii, utf16,
        vector::Avx2,
    },
    decode::{self, Block, SHORT, byte_len},
};
use crate::kernel::{
    Out,
    drivers::{
        ascii::{step as ascii_step, whole_steps},
        one_to_one,
    },
    reference::double_byte as reference,
    tables::{Pairs, as_bytes},
};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let copy = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(src, out);
    let simd = Avx2::new();
    let mut block = Block::new(pairs);
    let mut at = 0;
    let mut steps = FIRST_STEPS;
    loop {
        if pairs.ascii {
            at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| ascii_step(simd, src));
            if decode::is_sparse(&src[at..]) {
                let read = reference::decode::convert(|_, _| 0, pairs, &src[at..at + STEP], out);
                at += read;
                if read > 0 {
                    continue;
                }
            }
        }
        let rest = &src[at..];
        if rest.len() <= SHORT || out.spare_len() < 3 * STEP {
            return at + reference::decode::convert(copy, pairs, rest, out);
        }
        let mut follows = 0;
        block.find(rest, &mut follows, steps.min(out.spare_len() / (3 * STEP)));
        steps = STEPS;
        let mut stage = [const { MaybeUninit::uninit() }; STEPS * STEP + 8];
        let mut stage = Out::uninit(&mut stage);
        let count = block.put(&mut stage);
        let converted = utf16::to_utf8::<false>(as_bytes(stage.written()), out);
        assert_eq!(converted, stage.filled(), "the block did not fit");
        if count != Some(block.count()) {
            // The next character is unmapped.
            return at + byte_len(pairs, rest, converted);
        }
        at += block.end + follows as usize;
        if block.is_last {
            return at;
        }
    }
}
