//! Readers and writers that decode and encode on the way.
//!
//! | | reads or takes | gives | at its end |
//! |---|---|---|---|
//! | [`DecodeReader`] | bytes | UTF-8 | |
//! | [`EncodeReader`] | UTF-8 | bytes | |
//! | [`DecodeWriter`] | bytes | UTF-8 | [`finish`](DecodeWriter::finish) |
//! | [`EncodeWriter`] | UTF-8 | bytes | [`finish`](EncodeWriter::finish) |
//!
//! Each is made of an inner reader or writer and a [`Decoder`](crate::Decoder) or [`Encoder`](crate::Encoder), which says all
//! that can be chosen: what becomes of malformed bytes and unmappable characters, what of a byte order mark. All have a
//! buffer; around them, none is needed.
//!
//! A Shift_JIS file line by line:
//!
//! ```
//! use std::{fs::File, io};
//! use textcodec::{SHIFT_JIS, io::DecodeReader};
//!
//! fn main() -> io::Result<()> {
//!     let file = File::open("../../samples/tea.shift_jis.txt")?;
//!     for line in DecodeReader::new(file, SHIFT_JIS.decoder()).lines() {
//!         println!("{}", line?);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! UTF-16LE with a byte order mark:
//!
//! ```
//! use std::{fs::File, io};
//! use textcodec::{UTF_16LE, io::EncodeWriter};
//!
//! fn main() -> io::Result<()> {
//!     # let path = std::env::temp_dir().join(format!("textcodec-{}.txt", std::process::id()));
//!     # { let path = &path;
//!     let mut file = EncodeWriter::new(File::create(path)?, UTF_16LE.encoder()?).with_bom();
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
//! Errors of the inner reader or writer are passed on as they are, and nothing is lost by them: the call can be made again,
//! except [`write_str`](EncodeWriter::write_str) and `write_all`, which may have taken a part:
//! [`encoder().position()`](crate::Encoder::position) tells how far they got, a begun character aside.
//! [`Interrupted`](io::ErrorKind::Interrupted) comes from reading, as it does from the standard library's readers, and never
//! from writing.
//!
//! Malformed bytes and unmappable characters are errors of kind [`InvalidData`](io::ErrorKind::InvalidData) around a
//! [`DecodeError`] or [`EncodeError`], which says where in the whole input. What comes before them is given first. With
//! [`Malformed::Fail`](crate::Malformed::Fail) and [`Unmappable::Fail`](crate::Unmappable::Fail) each further call gives the
//! same error; with `Report` the next call goes on behind it. Text to encode that is not UTF-8 is a [`DecodeError`]
//! of [`UTF_8`](crate::UTF_8), and final; where U+FFFD is wanted instead, put a [`DecodeReader`] or [`DecodeWriter`] of UTF-8
//! before it.
//!
//! ```
//! use std::io::{ErrorKind, Read};
//! use textcodec::{DecodeError, DecodeOptions, Malformed, UTF_8, io::DecodeReader};
//!
//! let strict = DecodeOptions::new().malformed(Malformed::Fail);
//! let mut reader = DecodeReader::new(&b"ab\xFFc"[..], UTF_8.try_decoder_with(strict)?);
//! let mut text = String::new();
//! let error = reader.read_to_string(&mut text).unwrap_err();
//! assert_eq!((text.as_str(), error.kind()), ("ab", ErrorKind::InvalidData));
//! let source = error.get_ref().and_then(|error| error.downcast_ref::<DecodeError>());
//! assert_eq!(source.map(DecodeError::range), Some(2..3));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Dropping
//! A [`DecodeWriter`] or [`EncodeWriter`] that is dropped without `finish` still completes and writes what is left, without
//! flushing the inner writer. It **panics** where the inner writer fails then, the last call had not failed, and the thread is
//! not panicking. Errors in the data, which only `finish` tells of, never make it panic: so where another error ends a function
//! by `?`, that error is what its caller gets. `try_finish` can be called again after a failure; `into_inner` gives up.
//!
//! # Asynchronous
//! With the features `tokio` and `futures-io`, [`DecodeReader`] and [`EncodeReader`] implement those crates' `AsyncRead` and
//! `AsyncBufRead` where the inner reader does. Writers have types of their own, `AsyncDecodeWriter` and `AsyncEncodeWriter`,
//! which are finished by shutting them down or closing them. What is inside has to be `Unpin`; `Box::pin` makes it so. Calls can
//! be cancelled: nothing is lost where the inner reader or writer is not ready. With the feature `tokio-util`, there are codecs
//! for its frames in `io::codec`.
//!
//! ```
//! # #[cfg(feature = "tokio")]
//! # fn main() -> std::io::Result<()> {
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! use textcodec::{SHIFT_JIS, UTF_16LE, io::{AsyncEncodeWriter, DecodeReader}};
//! use tokio::{fs::File, io::{AsyncWriteExt, copy_buf}};
//!
//! let file = File::open("../../samples/tea.shift_jis.txt").await?;
//! let mut text = DecodeReader::new(file, SHIFT_JIS.try_decoder()?);
//! let mut utf_16 = AsyncEncodeWriter::new(Vec::new(), UTF_16LE.encoder()?).with_bom();
//! copy_buf(&mut text, &mut utf_16).await?;
//! utf_16.shutdown().await?;
//! assert_eq!(utf_16.get_ref()[..2], *b"\xFF\xFE");
//! # Ok(())
//! # })
//! # }
//! # #[cfg(not(feature = "tokio"))]
//! # fn main() {}
//! ```

#[cfg(any(feature = "tokio", feature = "futures-io"))]
mod asynchronous;
mod buffer;
#[cfg(feature = "tokio-util")]
pub mod codec;
mod convert;
#[cfg(feature = "futures-io")]
mod futures_io;
mod lines;
mod reader;
mod reading;
#[cfg(feature = "tokio")]
mod tokio;
mod writer;
mod writing;

use std::io;

#[cfg(any(feature = "tokio", feature = "futures-io"))]
pub use asynchronous::{AsyncDecodeWriter, AsyncEncodeWriter};
pub use lines::Lines;
pub use reader::{DecodeReader, EncodeReader};
pub use writer::{DecodeWriter, EncodeWriter};

use crate::{DecodeError, EncodeError, Reason};

impl From<DecodeError> for io::Error {
    /// With the error inside. Its kind is `InvalidData`, and `Unsupported` for [`Reason::Unavailable`].
    ///
    /// ```
    /// fn decoder(encoding: textcodec::Encoding) -> std::io::Result<textcodec::Decoder> {
    ///     Ok(encoding.try_decoder()?)
    /// }
    /// assert!(decoder(textcodec::UTF_8).is_ok());
    /// ```
    fn from(error: DecodeError) -> Self {
        let unavailable = error.reason() == Reason::Unavailable;
        Self::new(if unavailable { io::ErrorKind::Unsupported } else { io::ErrorKind::InvalidData }, error)
    }
}

impl From<EncodeError> for io::Error {
    /// With the error inside. Its kind is `InvalidData`, and `Unsupported` where there is no encoder.
    ///
    /// ```
    /// let error = std::io::Error::from(textcodec::REPLACEMENT.encoder().unwrap_err());
    /// assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    /// ```
    fn from(error: EncodeError) -> Self {
        let unmappable = matches!(error, EncodeError::Unmappable { .. });
        Self::new(if unmappable { io::ErrorKind::InvalidData } else { io::ErrorKind::Unsupported }, error)
    }
}
