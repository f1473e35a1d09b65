//! [`TextEncoder`] and [`TextEncoderStream`].

use alloc::{
    alloc::{Layout, handle_alloc_error},
    vec::Vec,
};

use textcodec::{UTF_8, utf};

/// An encoder to UTF-8: the class [`TextEncoder`](https://encoding.spec.whatwg.org/#interface-textencoder).
///
/// ```
/// assert_eq!(textcodec_web::TextEncoder.encode(&[0x41, 0xDC00]), b"A\xEF\xBF\xBD");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextEncoder;

/// The result of [`TextEncoder::encode_into`]:
/// [`TextEncoderEncodeIntoResult`](https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult).
///
/// ```
/// use textcodec_web::{EncodeIntoResult, TextEncoder};
///
/// let result = TextEncoder.encode_into(&[0x65E5, 0x672C], &mut [0; 8]);
/// assert_eq!(result, EncodeIntoResult { read: 2, written: 6 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeIntoResult {
    /// The number of code units read from the source.
    pub read: usize,
    /// The number of bytes written to the destination.
    pub written: usize,
}

impl TextEncoder {
    /// Returns `"utf-8"`: the `encoding` getter.
    ///
    /// ```
    /// assert_eq!(textcodec_web::TextEncoder.encoding(), "utf-8");
    /// ```
    #[must_use]
    pub fn encoding(self) -> &'static str {
        "utf-8"
    }

    /// Encodes a string: the [`encode`](https://encoding.spec.whatwg.org/#dom-textencoder-encode) method. Unpaired surrogates
    /// become U+FFFD, as in a `USVString`.
    ///
    /// ```
    /// assert_eq!(textcodec_web::TextEncoder.encode(&[0xD83D, 0xDE00]), "😀".as_bytes());
    /// ```
    #[must_use]
    pub fn encode(self, input: &[u16]) -> Vec<u8> {
        // The UTF-8 encoder returns no error, unless there is no memory.
        UTF_8.encode_from_utf16(input).unwrap_or_else(|_| handle_alloc_error(Layout::for_value(input)))
    }

    /// Encodes as many whole characters as fit into `destination`: the
    /// [`encodeInto`](https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto) method. Unpaired surrogates become U+FFFD.
    ///
    /// ```
    /// use textcodec_web::{EncodeIntoResult, TextEncoder};
    ///
    /// let mut destination = [0; 4];
    /// let source: Vec<u16> = "aé€".encode_utf16().collect();
    /// let result = TextEncoder.encode_into(&source, &mut destination);
    /// assert_eq!(result, EncodeIntoResult { read: 2, written: 3 });
    /// ```
    pub fn encode_into(self, source: &[u16], destination: &mut [u8]) -> EncodeIntoResult {
        // Via a block, because `utf16_to_utf8` may change bytes after its output, and scripts can see all of `destination`.
        let mut block = [0; 1024];
        let mut result = EncodeIntoResult::default();
        loop {
            let (rest, space) = (&source[result.read..], &mut destination[result.written..]);
            let limit = block.len().min(space.len());
            let progress = utf::utf16_to_utf8(rest, &mut block[..limit]);
            space[..progress.written].copy_from_slice(&block[..progress.written]);
            result.read += progress.read;
            result.written += progress.written;
            if progress.read > 0 {
                continue;
            }
            // The next character does not fit, or is an unpaired surrogate.
            let Some(Err(_)) = char::decode_utf16(rest.iter().copied()).next() else { return result };
            let Some(space) = space.get_mut(..REPLACEMENT.len()) else { return result };
            space.copy_from_slice(REPLACEMENT);
            result.read += 1;
            result.written += REPLACEMENT.len();
        }
    }
}

/// U+FFFD in UTF-8.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// An encoder to UTF-8 for a stream of chunks: the algorithms of the class
/// [`TextEncoderStream`](https://encoding.spec.whatwg.org/#interface-textencoderstream).
///
/// ```
/// use textcodec_web::TextEncoderStream;
///
/// let mut stream = TextEncoderStream::default();
/// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
/// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xDE00]), Some("😀".into()));
/// assert_eq!(stream.encode_and_flush(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TextEncoderStream {
    /// A high surrogate at the end of the last chunk.
    leading_surrogate: Option<u16>,
}

impl TextEncoderStream {
    /// Encodes a chunk, and returns the chunk to enqueue, if any:
    /// [encode and enqueue a chunk](https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk).
    ///
    /// Keeps a high surrogate at the end for the next chunk.
    ///
    /// ```
    /// let mut stream = textcodec_web::TextEncoderStream::default();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x61, 0xD83D]), Some(b"a".to_vec()));
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x62]), Some("\u{FFFD}b".into()));
    /// ```
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Option<Vec<u8>> {
        let first = *chunk.first()?;
        let (mut rest, mut output) = (chunk, Vec::new());
        if let Some(leading) = self.leading_surrogate.take() {
            if let 0xDC00..=0xDFFF = first {
                output = TextEncoder.encode(&[leading, first]);
                rest = &rest[1..];
            } else {
                output.extend_from_slice(REPLACEMENT);
            }
        }
        if let [before @ .., last @ 0xD800..=0xDBFF] = rest {
            (self.leading_surrogate, rest) = (Some(*last), before);
        }
        let encoded = TextEncoder.encode(rest);
        if output.is_empty() {
            output = encoded;
        } else {
            output.extend_from_slice(&encoded);
        }
        Some(output).filter(|output| !output.is_empty())
    }

    /// Ends the stream: [encode and flush](https://encoding.spec.whatwg.org/#encode-and-flush). Returns U+FFFD if the last
    /// chunk ended with a high surrogate.
    ///
    /// ```
    /// let mut stream = textcodec_web::TextEncoderStream::default();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
    /// assert_eq!(stream.encode_and_flush(), Some("\u{FFFD}".into()));
    /// ```
    #[must_use]
    pub fn encode_and_flush(self) -> Option<Vec<u8>> {
        self.leading_surrogate.map(|_| REPLACEMENT.to_vec())
    }
}
