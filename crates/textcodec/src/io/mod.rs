//! Readers and writers that decode and encode.
//!
//! | | input | output | at the end, call |
//! |---|---|---|---|
//! | [`DecodeReader`] | bytes | UTF-8 | |
//! | [`EncodeReader`] | UTF-8 | bytes | |
//! | [`DecodeWriter`] | bytes | UTF-8 | [`finish`](DecodeWriter::finish) |
//! | [`EncodeWriter`] | UTF-8 | bytes | [`finish`](EncodeWriter::finish) |
//!
//! Each wraps an inner reader or writer, and a [`Decoder`](crate::Decoder) or [`Encoder`](crate::Encoder). The options of the
//! decoder or encoder determine how malformed bytes, unmappable characters and byte order marks are handled. All types have a
//! buffer, so wrapping them in a `BufReader` or `BufWriter` is not necessary.
//!
//! To read a Shift_JIS file line by line:
//!
//! ```
//! use std::{fs::File, io};
//! use textcodec::{SHIFT_JIS, io::DecodeReader};
//!
//! fn main() -> io::Result<()> {
//!     let file = File::open("samples/tea.shift_jis.txt")?;
//!     for line in DecodeReader::new(file, SHIFT_JIS.decoder()).lines() {
//!         println!("{}", line?);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! To write UTF-16LE with a byte order mark:
//!
//! ```
//! use std::{fs::File, io};
//! use textcodec::{EncodeOptions, UTF_16LE, io::EncodeWriter};
//!
//! fn main() -> io::Result<()> {
//!     # let path = std::env::temp_dir().join(format!("textcodec-{}.txt", std::process::id()));
//!     # { let path = &path;
//!     let mut file = EncodeWriter::new(File::create(path)?, UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
//!     file.write_str("Grüße aus 東京\r\n")?;
//!     file.finish()?;
//!     # }
//!     # assert_eq!(std::fs::read(&path)?[..4], *b"\xFF\xFEG\0");
//!     # std::fs::remove_file(path)?;
//!     Ok(())
//! }
//! ```
//!
//! # Errors
//! Errors of the inner reader or writer are returned unchanged. No data is lost, and the call can be repeated. The exceptions
//! are [`write_str`](EncodeWriter::write_str) and `write_all`, which may have accepted a part of their input:
//! [`encoder().position()`](crate::Encoder::position) is the length of that part, without an incomplete character. Reading can
//! return [`Interrupted`](io::ErrorKind::Interrupted), like the readers of the standard library. Writing never does.
//!
//! Malformed bytes and unmappable characters are errors of kind [`InvalidData`](io::ErrorKind::InvalidData). They contain a
//! [`DecodeError`] or [`EncodeError`], which has the offset in the whole input. The output before the error is returned or
//! written first. With [`Malformed::Fail`](crate::Malformed::Fail) and [`Unmappable::Fail`](crate::Unmappable::Fail), each
//! further call returns the same error. With `Pause`, the next call continues after it.
//!
//! Text to encode must be UTF-8. Malformed UTF-8 is a [`DecodeError`] of [`UTF_8`](crate::UTF_8), and each further call returns
//! it again. To replace malformed UTF-8 with U+FFFD instead, pass the text through a [`DecodeReader`] or [`DecodeWriter`] of
//! UTF-8 first.
//!
//! ```
//! use std::io::{ErrorKind, Read};
//! use textcodec::{DecodeError, DecodeOptions, Malformed, UTF_8, io::DecodeReader};
//!
//! let strict = DecodeOptions::new().malformed(Malformed::Fail);
//! let mut reader = DecodeReader::new(&b"ab\xFFc"[..], UTF_8.decoder_with(strict));
//! let mut text = String::new();
//! let error = reader.read_to_string(&mut text).unwrap_err();
//! assert_eq!((text.as_str(), error.kind()), ("ab", ErrorKind::InvalidData));
//! let source = error.get_ref().and_then(|error| error.downcast_ref::<DecodeError>());
//! assert_eq!(source.map(DecodeError::range), Some(2..3));
//! ```
//!
//! # Dropping
//! Dropping a [`DecodeWriter`] or [`EncodeWriter`] without `finish` still ends the text and writes all remaining output, but
//! does not flush the inner writer, and ignores all errors, like the standard library's `BufWriter`. So always call `finish`:
//! only it reports that the inner writer failed, or that the data ends within a character. `try_finish` can be called again after
//! a failure. `into_inner` discards the remaining output.
//!
//! # Asynchronous
//! With feature `tokio`, [`DecodeReader`] and [`EncodeReader`] implement tokio's `AsyncRead` and `AsyncBufRead` if the inner
//! reader implements `AsyncRead`. The writers are separate types, `AsyncDecodeWriter` and `AsyncEncodeWriter`, which must be
//! shut down at the end. The inner reader or writer must be `Unpin`; use `Box::pin` if it is not. Calls can be cancelled: no
//! data is lost while the inner reader or writer is not ready.
//!
//! The crate `textcodec-tokio` has streams for HTTP bodies and codecs for tokio-util. Its documentation shows how to use these
//! readers and writers with the traits of futures-io.
//!
//! ```
//! # #[cfg(feature = "tokio")]
//! # fn main() -> std::io::Result<()> {
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! use textcodec::{EncodeOptions, SHIFT_JIS, UTF_16LE, io::{AsyncEncodeWriter, DecodeReader}};
//! use tokio::{fs::File, io::{AsyncWriteExt, copy_buf}};
//!
//! let file = File::open("samples/tea.shift_jis.txt").await?;
//! let mut text = DecodeReader::new(file, SHIFT_JIS.decoder());
//! let mut utf_16 = AsyncEncodeWriter::new(Vec::new(), UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
//! copy_buf(&mut text, &mut utf_16).await?;
//! utf_16.shutdown().await?;
//! assert_eq!(utf_16.get_ref()[..2], *b"\xFF\xFE");
//! # Ok(())
//! # })
//! # }
//! # #[cfg(not(feature = "tokio"))]
//! # fn main() {}
//! ```

#[cfg(feature = "tokio")]
mod asynchronous;
mod buffer;
mod convert;
mod lines;
mod reader;
mod reading;
#[cfg(feature = "tokio")]
mod tokio;
mod writer;
mod writing;

use std::io;

#[cfg(feature = "tokio")]
pub use asynchronous::{AsyncDecodeWriter, AsyncEncodeWriter};
pub use lines::{Line, LineError, Lines};
pub use reader::{DecodeReader, EncodeReader};
pub use writer::{DecodeWriter, EncodeWriter};

use crate::conversion::{DecodeError, DecodeReason, EncodeError, EncodeReason, TranscodeError};

impl From<DecodeError> for io::Error {
    /// Wraps the error. The kind is `InvalidData`, or `Unsupported` for [`DecodeReason::Unavailable`]. For
    /// [`DecodeReason::OutOfMemory`] it is `OutOfMemory`, and nothing is wrapped.
    ///
    /// ```
    /// let error = std::io::Error::from(textcodec::UTF_8.decode_strict(b"\xFF").unwrap_err());
    /// assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    /// ```
    #[inline]
    fn from(error: DecodeError) -> Self {
        let kind = match error.reason() {
            DecodeReason::Unavailable => io::ErrorKind::Unsupported,
            // Without an allocation.
            DecodeReason::OutOfMemory => return io::ErrorKind::OutOfMemory.into(),
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

impl From<TranscodeError> for io::Error {
    /// Converts the error of the decoder or of the encoder.
    ///
    /// ```
    /// use std::io;
    /// use textcodec::{KOI8_R, Transcoder, UTF_8};
    ///
    /// let mut transcoder = Transcoder::new(UTF_8.decoder(), KOI8_R.encoder());
    /// let error = io::Error::from(transcoder.push("字".as_bytes(), &mut Vec::new()).unwrap_err());
    /// assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    /// ```
    #[inline]
    fn from(error: TranscodeError) -> Self {
        match error {
            TranscodeError::Decode(error) => error.into(),
            TranscodeError::Encode(error) => error.into(),
        }
    }
}

impl From<EncodeError> for io::Error {
    /// Wraps the error. The kind is `InvalidData`, or `Unsupported` if there is no encoder. For [`EncodeReason::OutOfMemory`] it is
    /// `OutOfMemory`, and nothing is wrapped.
    ///
    /// ```
    /// let error = std::io::Error::from(textcodec::REPLACEMENT.encode("a").unwrap_err());
    /// assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    /// ```
    #[inline]
    fn from(error: EncodeError) -> Self {
        let kind = match error.reason() {
            EncodeReason::Unmappable | EncodeReason::UnpairedSurrogate | EncodeReason::UnmappableReplacement => {
                io::ErrorKind::InvalidData
            }
            EncodeReason::NoEncoder | EncodeReason::Unavailable => io::ErrorKind::Unsupported,
            // Without an allocation.
            EncodeReason::OutOfMemory => return io::ErrorKind::OutOfMemory.into(),
        };
        Self::new(kind, error)
    }
}
