//! Input without end, and the output that it must have.

use anyhow::{Result, ensure};
use bench_abi::Operation;
use textcodec::Encoding;

use crate::{
    inputs::{named, reference},
    units::Units,
};

/// A ring of memory with encoded text. A stream walks it from any block, as often as its length requires.
///
/// The ring repeats the blocks of a text in a pseudo-random order, so that a branch predictor cannot learn it.
pub(super) struct Source {
    encoding: Encoding,
    /// The ring, and after its end again the bytes of its start, so that every chunk is contiguous. Code units, because some
    /// engines need the alignment.
    memory: Vec<u16>,
    /// The length of the ring in bytes.
    len: usize,
    /// The output of each distinct block, from the library's scalar kernels.
    outputs: Vec<Vec<u8>>,
    /// The distinct block that is at each place in the ring.
    order: Vec<u32>,
}

/// The length of a block in bytes. Each ends between two characters, in the initial state of the encoding. Thus a stream of any
/// number of blocks is well-formed text.
pub(super) const BLOCK: usize = 1 << 10;

impl Source {
    /// Creates a ring of `len` bytes, a multiple of [`BLOCK`]. Chunks of at most `tail` bytes can be read from each position.
    pub(super) fn new(operation: Operation, encoding: &str, text: &str, len: usize, tail: usize) -> Result<Self> {
        ensure!(len.is_multiple_of(BLOCK) && tail < len, "the ring is too short");
        let blocks = blocks(named(encoding)?, text)?;
        let outputs = blocks.iter().map(|block| {
            let output = reference(operation, encoding, &Units::Bytes(block.clone()))?;
            Ok(match output {
                Units::Bytes(bytes) => bytes,
                Units::Utf16(units) => bytemuck::cast_slice(&units).to_vec(),
            })
        });
        let outputs = outputs.collect::<Result<_>>()?;
        let mut random = fastrand::Rng::with_seed(1);
        let order: Vec<u32> = (0..len / BLOCK).map(|_| random.u32(..blocks.len() as u32)).collect();
        let mut memory = vec![0_u16; (len + tail).div_ceil(2)];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
        for (place, &block) in bytes.as_chunks_mut::<BLOCK>().0.iter_mut().zip(&order) {
            place.copy_from_slice(&blocks[block as usize]);
        }
        let (ring, after) = bytes.split_at_mut(len);
        after.copy_from_slice(&ring[..after.len()]);
        Ok(Self { encoding: named(encoding)?, memory, len, outputs, order })
    }

    /// Returns the length of the ring in bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes from a position in the ring, as far as they are contiguous.
    pub(super) fn from(&self, at: usize) -> &[u8] {
        &bytemuck::cast_slice(&self.memory)[at..]
    }

    /// Returns the length of the longest prefix of at most `len` bytes from a position that can be decoded separately, or 0 if
    /// the encoding cannot be split.
    pub(super) fn split(&self, at: usize, len: usize) -> usize {
        let bytes = self.from(at);
        self.encoding.split_point(&bytes[..len.min(bytes.len())]).unwrap_or_default()
    }

    /// Returns the output of a stream that starts at a block.
    pub(super) fn expected(&self, at: usize) -> Expected<'_> {
        debug_assert!(at.is_multiple_of(BLOCK), "streams start at blocks");
        Expected { source: self, place: at / BLOCK % self.order.len(), at: 0 }
    }
}

/// The remaining output of a stream.
pub(super) struct Expected<'a> {
    source: &'a Source,
    place: usize,
    /// The offset in the output of the block.
    at: usize,
}

impl Expected<'_> {
    /// Compares the next bytes of the output, and skips them.
    pub(super) fn check(&mut self, mut output: &[u8]) -> Result<()> {
        let Source { order, outputs, .. } = self.source;
        while !output.is_empty() {
            let block = &outputs[order[self.place] as usize][self.at..];
            let len = block.len().min(output.len());
            ensure!(block[..len] == output[..len], "the output of the stream differs");
            output = &output[len..];
            self.at += len;
            if len == block.len() {
                (self.place, self.at) = ((self.place + 1) % order.len(), 0);
            }
        }
        Ok(())
    }

    /// Checks that the stream has ended at a block.
    pub(super) fn finish(&self, at: usize) -> Result<()> {
        ensure!(
            self.at == 0 && self.place == at / BLOCK % self.source.order.len(),
            "the output of the stream is too short"
        );
        Ok(())
    }
}

/// Cuts a text into encoded blocks, without the rest. Each ends with a space or a few, because it must not end with an escape
/// sequence of ISO-2022-JP: two in a row are malformed.
fn blocks(encoding: Encoding, mut text: &str) -> Result<Vec<Vec<u8>>> {
    let space = encoding.encode(" ")?;
    let mut blocks = Vec::new();
    loop {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).take(BLOCK + 1).collect();
        let fits = |end: &usize| encoding.encode(&text[..*end]).is_ok_and(|bytes| bytes.len() + space.len() <= BLOCK);
        let after = ends.partition_point(fits);
        if after == ends.len() {
            break;
        }
        let (start, rest) = text.split_at(ends[after - 1]);
        let mut block = encoding.encode(start)?.into_owned();
        while block.len() < BLOCK {
            block.extend_from_slice(&space);
        }
        blocks.push(block);
        text = rest;
    }
    ensure!(!blocks.is_empty(), "the text is shorter than a block");
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_the_text_with_a_few_more_spaces() -> Result<()> {
        let text = "祖母の家の裏には bees が 1,000 匹。\n".repeat(200);
        for encoding in ["UTF-8", "UTF-16LE", "Shift_JIS", "gb18030", "ISO-2022-JP"] {
            let encoding = named(encoding)?;
            let blocks = blocks(encoding, &text)?;
            let decoded: Vec<String> =
                blocks.iter().map(|block| encoding.decode_strict(block).map(Into::into)).collect::<Result<_, _>>()?;
            assert!(blocks.len() > 3 && blocks.iter().all(|block| block.len() == BLOCK));
            let words = decoded.concat().replace(' ', "");
            assert!(!words.is_empty() && text.replace(' ', "").starts_with(&words), "{encoding}");
            let spaces = decoded.iter().map(|block| block.len() - block.trim_end_matches(' ').len()).max();
            assert!(spaces <= Some(8), "{encoding}: {spaces:?}");
        }
        Ok(())
    }

    #[test]
    fn a_wrong_output_is_found() -> Result<()> {
        let source = Source::new(Operation::DecodeToUtf8, "UTF-8", &"añ字 ".repeat(2_000), 8 * BLOCK, BLOCK)?;
        let output = source.from(0)[..8 * BLOCK].to_vec();
        let mut expected = source.expected(0);
        expected.check(&output[..5_000])?;
        expected.check(&output[5_000..])?;
        expected.finish(8 * BLOCK)?;
        for at in [0, BLOCK - 1, BLOCK, 5_000, 8 * BLOCK - 1] {
            let mut wrong = output.clone();
            wrong[at] ^= 1;
            assert!(source.expected(0).check(&wrong).is_err(), "{at}");
        }
        let mut expected = source.expected(0);
        expected.check(&output[..8 * BLOCK - 1])?;
        assert!(expected.finish(8 * BLOCK).is_err());
        Ok(())
    }
}
