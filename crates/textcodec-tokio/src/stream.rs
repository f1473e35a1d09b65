//! [`DecodeStream`] and [`EncodeStream`].

use std::{
    borrow::Borrow,
    error::Error,
    fmt, io, mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use pin_project_lite::pin_project;
use textcodec::{DecodeError, Decoder, EncodeError, Encoder};

use crate::convert::{Convert, Converted};

pin_project! {
    /// A stream that decodes the chunks of a stream of bytes, such as the body of an HTTP message, to chunks of text.
    ///
    /// The items are `Result<String, StreamError<E, DecodeError>>`, where `E` is the error of the inner stream. The chunks have
    /// whole characters and are not empty. There is at most one for each chunk of bytes, except after errors.
    ///
    /// The end of the inner stream ends the input: an incomplete character there is malformed. An error is returned after the
    /// text before it. With [`Malformed::Fail`](textcodec::Malformed::Fail), the stream ends after the first malformed
    /// sequence. With `Pause`, it continues. An error of the inner stream is passed on, and the next call polls the inner stream
    /// again.
    ///
    /// While the inner stream is not ready, nothing is lost, so calls can be cancelled. After the stream has ended, further
    /// calls return `None`.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use futures_util::{StreamExt, TryStreamExt, stream};
    /// use textcodec::UTF_8;
    /// use textcodec_tokio::DecodeStream;
    /// use tokio_util::bytes::Bytes;
    ///
    /// let chunks = ["\u{FEFF}gr\u{FC}n".as_bytes(), b"\xF0\x9F", b"\x98\x80", b"\xFF"].map(Bytes::from_static);
    /// let mut body = DecodeStream::new(stream::iter(chunks.map(Ok::<_, std::io::Error>)), UTF_8.decoder());
    /// let mut text = Vec::new();
    /// while let Some(chunk) = body.try_next().await? {
    ///     text.push(chunk);
    /// }
    /// assert_eq!(text, ["gr\u{FC}n", "😀", "\u{FFFD}"]);
    /// assert!(body.decoder().bom_removed());
    /// assert_eq!(body.decoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[derive(Debug)]
    #[must_use = "streams do nothing unless polled"]
    pub struct DecodeStream<S> {
        #[pin]
        inner: S,
        state: State<Decoder>,
    }
}

impl<S> DecodeStream<S> {
    /// Creates a stream. The options of the decoder determine how malformed bytes and a byte order mark are handled.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use futures_util::{StreamExt, stream};
    /// use textcodec::{DecodeOptions, Malformed, UTF_8};
    /// use textcodec_tokio::{DecodeStream, StreamError};
    ///
    /// let strict = DecodeOptions::new().malformed(Malformed::Fail);
    /// let body = stream::iter([Ok::<_, std::io::Error>(b"ab\xFFc")]);
    /// let mut text = DecodeStream::new(body, UTF_8.decoder_with(strict));
    /// assert!(matches!(text.next().await, Some(Ok(text)) if text == "ab"));
    /// assert!(matches!(text.next().await, Some(Err(StreamError::Data(error))) if error.range() == (2..3)));
    /// assert!(text.next().await.is_none());
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: S, decoder: Decoder) -> Self {
        Self { inner, state: State::new(decoder) }
    }

    /// Returns the decoder: the encoding in use, whether a byte order mark was removed, and the errors that were replaced so
    /// far. After the end of the stream, this is the summary.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use futures_util::{StreamExt, stream};
    /// use textcodec::{UTF_8, UTF_16LE};
    /// use textcodec_tokio::DecodeStream;
    ///
    /// let mut text = DecodeStream::new(stream::iter([Ok::<_, std::io::Error>(b"\xFF\xFEa\0")]), UTF_8.decoder());
    /// while text.next().await.is_some() {}
    /// assert_eq!((text.decoder().encoding(), text.decoder().bom_removed()), (UTF_16LE, true));
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.state.convert
    }
}

impl<S: Stream<Item = Result<B, E>>, B: AsRef<[u8]>, E> Stream for DecodeStream<S> {
    type Item = Result<String, StreamError<E, DecodeError>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.project();
        this.state.poll_next(this.inner, cx, B::as_ref)
    }
}

pin_project! {
    /// A stream that encodes the chunks of a stream of text.
    ///
    /// The items are `Result<Vec<u8>, StreamError<E, EncodeError>>`, where `E` is the error of the inner stream. They are not
    /// empty, and can end within a character.
    ///
    /// The end of the inner stream ends the text, and ISO-2022-JP returns to ASCII. An error is returned after the bytes before
    /// it. With [`Unmappable::Fail`](textcodec::Unmappable::Fail), the stream ends after the first unmappable character. With
    /// `Pause`, it continues. An error of the inner stream is passed on, and the next call polls the inner stream again.
    ///
    /// While the inner stream is not ready, nothing is lost, so calls can be cancelled. After the stream has ended, further
    /// calls return `None`.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use futures_util::{TryStreamExt, stream};
    /// use textcodec::ISO_2022_JP;
    /// use textcodec_tokio::EncodeStream;
    ///
    /// let text = stream::iter(["日", "本"].map(Ok::<_, std::io::Error>));
    /// let bytes: Vec<Vec<u8>> = EncodeStream::new(text, ISO_2022_JP.encoder()).try_collect().await?;
    /// assert_eq!(bytes, [&b"\x1B$BF|"[..], b"K\\", b"\x1B(B"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Debug)]
    #[must_use = "streams do nothing unless polled"]
    pub struct EncodeStream<S> {
        #[pin]
        inner: S,
        state: State<Encoder>,
    }
}

impl<S> EncodeStream<S> {
    /// Creates a stream. The options of the encoder determine how unmappable characters are handled, and whether the
    /// output starts with a byte order mark.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use futures_util::{TryStreamExt, stream};
    /// use textcodec::{KOI8_R, Unmappable};
    /// use textcodec_tokio::EncodeStream;
    ///
    /// let text = stream::iter([Ok::<_, std::io::Error>("да 字")]);
    /// let bytes = EncodeStream::new(text, KOI8_R.encoder_with(Unmappable::Html));
    /// assert_eq!(bytes.try_concat().await?, b"\xC4\xC1 &#23383;");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(inner: S, encoder: Encoder) -> Self {
        Self { inner, state: State::new(encoder) }
    }

    /// Returns the encoder: the encoding, and the characters that were replaced or skipped so far. After the end of the stream,
    /// this is the summary.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use futures_util::{StreamExt, stream};
    /// use textcodec::{KOI8_R, Unmappable};
    /// use textcodec_tokio::EncodeStream;
    ///
    /// let text = stream::iter([Ok::<_, std::io::Error>("да 字")]);
    /// let mut bytes = EncodeStream::new(text, KOI8_R.encoder_with(Unmappable::Skip));
    /// while bytes.next().await.is_some() {}
    /// assert_eq!(bytes.encoder().errors().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.state.convert
    }
}

impl<S: Stream<Item = Result<T, E>>, T: AsRef<str>, E> Stream for EncodeStream<S> {
    type Item = Result<Vec<u8>, StreamError<E, EncodeError>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.project();
        this.state.poll_next(this.inner, cx, T::as_ref)
    }
}

/// The error of a [`DecodeStream`] or [`EncodeStream`]. `E` is the error of the inner stream, and `C` is `DecodeError` or
/// `EncodeError`.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use std::io;
/// use futures_util::{StreamExt, stream};
/// use textcodec::UTF_8;
/// use textcodec_tokio::{DecodeStream, StreamError};
///
/// let body = stream::iter([Ok(b"a"), Err(io::Error::from(io::ErrorKind::TimedOut)), Ok(b"b")]);
/// let items: Vec<_> = DecodeStream::new(body, UTF_8.decoder()).collect().await;
/// assert!(matches!(&items[..], [Ok(a), Err(StreamError::Inner(_)), Ok(b)] if a == "a" && b == "b"));
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<E, C> {
    /// The error of the inner stream.
    Inner(E),
    /// Malformed bytes, or a character that the encoding cannot represent.
    Data(C),
}

impl<E: fmt::Display, C: fmt::Display> fmt::Display for StreamError<E, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner(error) => error.fmt(f),
            Self::Data(error) => error.fmt(f),
        }
    }
}

impl<E: Error, C: Error> Error for StreamError<E, C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Inner(error) => error.source(),
            Self::Data(error) => error.source(),
        }
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>, C: Into<io::Error>> From<StreamError<E, C>> for io::Error {
    /// Converts the error, for `tokio_util::io::StreamReader` and other code that needs an [`io::Error`]. An inner `io::Error`
    /// is returned unchanged. Other errors are wrapped.
    ///
    /// ```
    /// use textcodec::DecodeError;
    /// use textcodec_tokio::StreamError;
    ///
    /// let inner = std::io::Error::from(std::io::ErrorKind::TimedOut);
    /// let error: StreamError<_, DecodeError> = StreamError::Inner(inner);
    /// assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::TimedOut);
    /// ```
    fn from(error: StreamError<E, C>) -> Self {
        match error {
            StreamError::Inner(error) => error.into().downcast().map_or_else(Self::other, |error| *error),
            StreamError::Data(error) => error.into(),
        }
    }
}

/// The state of a stream.
#[derive(Debug)]
struct State<C: Convert> {
    convert: C,
    input: Input<C::Copy>,
    /// An error after the output that was returned last.
    error: Option<C::Error>,
}

/// The input of the next step.
#[derive(Debug)]
enum Input<T> {
    /// The next chunk of the inner stream.
    Next,
    /// The chunk with the last error, from this offset on.
    Rest(T, usize),
    /// The end.
    End,
    /// None.
    Ended,
}

impl<C: Convert> State<C> {
    fn new(convert: C) -> Self {
        Self { convert, input: Input::Next, error: None }
    }

    #[expect(clippy::type_complexity, reason = "it is the item of a stream")]
    fn poll_next<S: Stream<Item = Result<T, E>>, T, E>(
        &mut self,
        mut inner: Pin<&mut S>,
        cx: &mut Context<'_>,
        as_src: fn(&T) -> &C::Src,
    ) -> Poll<Option<Result<C::Dst, StreamError<E, C::Error>>>> {
        loop {
            if let Some(error) = self.error.take() {
                return Poll::Ready(Some(Err(StreamError::Data(error))));
            }
            let (output, next) = match mem::replace(&mut self.input, Input::Next) {
                Input::Next => match ready!(inner.as_mut().poll_next(cx)) {
                    Some(Ok(chunk)) => {
                        let src = as_src(&chunk);
                        let (output, stopped) = self.step(src, false);
                        (output, stopped.map(|read| Input::Rest(C::after(src, read).into(), 0)))
                    }
                    Some(Err(error)) => return Poll::Ready(Some(Err(StreamError::Inner(error)))),
                    None => (None, Some(Input::End)),
                },
                Input::Rest(chunk, start) => {
                    let (output, stopped) = self.step(C::after(chunk.borrow(), start), false);
                    (output, stopped.map(|read| Input::Rest(chunk, start + read)))
                }
                Input::End => {
                    self.input = Input::Ended;
                    let (output, stopped) = self.step(C::EMPTY, true);
                    (output, stopped.map(|_| Input::End))
                }
                Input::Ended => {
                    self.input = Input::Ended;
                    return Poll::Ready(None);
                }
            };
            if let Some(input) = next {
                self.input = input;
            }
            if let Some(output) = output {
                return Poll::Ready(Some(Ok(output)));
            }
        }
    }

    /// Converts a chunk. Returns the output, and how much was read if there is an error after which the conversion continues.
    fn step(&mut self, src: &C::Src, last: bool) -> (Option<C::Dst>, Option<usize>) {
        let Converted { output, read, error } = self.convert.convert(src, last);
        self.error = error;
        let stopped = match &self.error {
            Some(error) if self.convert.has_failed(error) => {
                self.input = Input::Ended;
                None
            }
            Some(_) => Some(read),
            None => None,
        };
        (output, stopped)
    }
}
