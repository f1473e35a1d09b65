//! The output cursor.

use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
use crate::kernel::append;
use crate::kernel::{Out, write_to_str};

#[test]
fn write_to_str_keeps_the_rest_valid() {
    for (limit, written) in (0..=12).flat_map(|limit| (0..=limit).map(move |written| (limit, written))) {
        let mut bytes: [u8; 11] = *"a\u{E9}\u{3042}\u{1F600}z".as_bytes().first_chunk().expect("11 bytes");
        let dst = core::str::from_utf8_mut(&mut bytes).expect("UTF-8");
        let write = |out: &mut Out<'_, u8>| {
            assert!(out.extend(&[b'w'; 12][..written.min(out.spare_len())]));
            // SAFETY: only initialised values are stored in the slots.
            unsafe { out.spare() }.fill(MaybeUninit::new(0xFF));
        };
        // SAFETY: `write` writes ASCII.
        unsafe { write_to_str(dst, limit, write) };
        let dst = core::str::from_utf8(&bytes).expect("still UTF-8");
        assert!(dst.bytes().take(written).all(|byte| byte == b'w'), "{dst:?}");
        assert!(limit > 10 || dst.ends_with('z'), "{dst:?}");
    }
}

#[test]
fn extend_writes_all_or_nothing() {
    let mut slots = [9_u8; 4];
    let mut out = Out::new(&mut slots);
    assert!(out.extend(&[1, 2, 3]) && !out.extend(&[4, 5]) && out.push(4) && !out.push(5));
    assert_eq!((out.filled(), out.spare_len(), out.written()), (4, 0, &[1, 2, 3, 4][..]));
}

#[test]
#[should_panic(expected = "replaced its destination")]
fn another_destination_is_refused() {
    Out::uninit(&mut [MaybeUninit::<u8>::uninit()]).write_locally(|out| *out = Out::uninit(&mut []));
}

#[cfg(feature = "alloc")]
#[test]
fn append_keeps_existing_elements() {
    let mut vec = alloc::vec![1_u16];
    vec.reserve(2);
    append(&mut vec, |out| out.extend(&[2, 3]));
    assert_eq!(vec, [1, 2, 3]);
}
