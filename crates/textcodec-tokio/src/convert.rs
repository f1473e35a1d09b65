//! [`Convert`]: conversion of one chunk, which can stop at an error.

use std::{borrow::Borrow, fmt::Debug};

use textcodec::{DecodeError, Decoder, EncodeError, Encoder, Status};

/// A [`Decoder`] or an [`Encoder`].
pub(crate) trait Convert {
    type Src: ?Sized + 'static;
    /// A copy of a source.
    type Copy: Borrow<Self::Src> + for<'a> From<&'a Self::Src> + Debug;
    type Dst;
    type Error: Debug;
    const EMPTY: &'static Self::Src;

    /// Returns the part of a source from an offset on.
    fn after(src: &Self::Src, read: usize) -> &Self::Src;

    /// Converts a chunk, up to its end or to an error. `last` means that the input ends with this chunk.
    fn convert(&mut self, src: &Self::Src, last: bool) -> Converted<Self::Dst, Self::Error>;

    /// Whether `error`, which stopped the last call, has ended the input: further calls return it again.
    fn has_failed(&self, error: &Self::Error) -> bool;
}

/// The result of a conversion.
pub(crate) struct Converted<D, E> {
    /// `None` if the output is empty.
    pub(crate) output: Option<D>,
    /// How much of the chunk was read: all of it, unless there is an error.
    pub(crate) read: usize,
    pub(crate) error: Option<E>,
}

impl Convert for Decoder {
    type Src = [u8];
    type Copy = Vec<u8>;
    type Dst = String;
    type Error = DecodeError;
    const EMPTY: &'static [u8] = &[];

    fn after(src: &[u8], read: usize) -> &[u8] {
        &src[read..]
    }

    fn convert(&mut self, src: &[u8], last: bool) -> Converted<String, DecodeError> {
        let (mut text, mut read) = (String::new(), 0);
        let error = loop {
            // One byte per byte, and some for a character that started in an earlier chunk: enough for most text. If not, the
            // next round reserves more.
            text.reserve(src.len() - read + 2 * Self::MIN_UTF8_BUFFER_LEN);
            let progress = self.decode_within_capacity(&src[read..], &mut text, last);
            read += progress.read;
            match progress.status {
                Status::InputEmpty => break None,
                Status::Error(error) => break Some(error),
                // The output is full.
                _ => {}
            }
        };
        Converted { output: Some(text).filter(|text| !text.is_empty()), read, error }
    }

    fn has_failed(&self, error: &DecodeError) -> bool {
        // After any other error, the next one is at a higher offset.
        let next = self.clone().decode_to_utf8(&[], &mut [0; 0], false);
        matches!(next.status, Status::Error(next) if next == *error)
    }
}

impl Convert for Encoder {
    type Src = str;
    type Copy = String;
    type Dst = Vec<u8>;
    type Error = EncodeError;
    const EMPTY: &'static str = "";

    fn after(src: &str, read: usize) -> &str {
        &src[read..]
    }

    fn convert(&mut self, src: &str, last: bool) -> Converted<Vec<u8>, EncodeError> {
        let (mut bytes, mut read) = (Vec::new(), 0);
        let error = loop {
            // One byte per byte, and some for an escape sequence.
            bytes.reserve(src.len() - read + 16);
            let progress = self.encode_within_capacity(&src[read..], &mut bytes, last);
            read += progress.read;
            match progress.status {
                Status::InputEmpty => break None,
                Status::Error(error) => break Some(error),
                // The output is full.
                _ => {}
            }
        };
        Converted { output: Some(bytes).filter(|bytes| !bytes.is_empty()), read, error }
    }

    fn has_failed(&self, error: &EncodeError) -> bool {
        let next = self.clone().encode_from_utf8("", &mut [0; 0], false);
        matches!(next.status, Status::Error(next) if next == *error)
    }
}
