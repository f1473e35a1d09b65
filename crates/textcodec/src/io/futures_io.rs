//! Implementations of the traits of futures-io.

use core::{
    pin::Pin,
    task::{Context, Poll, ready},
};
use std::io;

use ::futures_io::{AsyncBufRead, AsyncRead, AsyncWrite};

use super::{
    AsyncDecodeWriter, AsyncEncodeWriter, DecodeReader, EncodeReader,
    convert::Convert,
    writing::{Writing, retry_interrupted},
};

/// Returns a function that reads from the inner reader.
fn from<R: AsyncRead + Unpin>(inner: &mut R, cx: &mut Context<'_>) -> impl FnMut(&mut [u8]) -> Poll<io::Result<usize>> {
    |dst| Pin::new(&mut *inner).poll_read(cx, dst)
}

/// Returns a function that writes to the inner writer.
fn to<W: AsyncWrite + Unpin>(inner: &mut W, cx: &mut Context<'_>) -> impl FnMut(&[u8]) -> Poll<io::Result<usize>> {
    |bytes| Pin::new(&mut *inner).poll_write(cx, bytes)
}

/// Writes the output of all complete input, and flushes the inner writer.
fn flush<W: AsyncWrite + Unpin, C: Convert>(
    inner: &mut W,
    writing: &mut Writing<C>,
    cx: &mut Context<'_>,
) -> Poll<io::Result<()>> {
    ready!(writing.complete(to(inner, cx)))?;
    retry_interrupted(|| Pin::new(&mut *inner).poll_flush(cx))
}

/// Ends the text, writes all output, and closes the inner writer.
fn close<W: AsyncWrite + Unpin, C: Convert>(
    inner: &mut W,
    writing: &mut Writing<C>,
    cx: &mut Context<'_>,
) -> Poll<io::Result<()>> {
    writing.end();
    ready!(writing.complete(to(inner, cx)))?;
    retry_interrupted(|| Pin::new(&mut *inner).poll_close(cx))
}

impl<R: AsyncRead + Unpin> AsyncRead for DecodeReader<R> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, dst: &mut [u8]) -> Poll<io::Result<usize>> {
        let Self { inner, reading } = self.get_mut();
        reading.read(dst, from(inner, cx))
    }
}

impl<R: AsyncRead + Unpin> AsyncBufRead for DecodeReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let Self { inner, reading } = self.get_mut();
        reading.fill(from(inner, cx))
    }

    fn consume(self: Pin<&mut Self>, bytes: usize) {
        self.get_mut().reading.output.consume(bytes);
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for EncodeReader<R> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, dst: &mut [u8]) -> Poll<io::Result<usize>> {
        let Self { inner, reading } = self.get_mut();
        reading.read(dst, from(inner, cx))
    }
}

impl<R: AsyncRead + Unpin> AsyncBufRead for EncodeReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let Self { inner, reading } = self.get_mut();
        reading.fill(from(inner, cx))
    }

    fn consume(self: Pin<&mut Self>, bytes: usize) {
        self.get_mut().reading.output.consume(bytes);
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for AsyncDecodeWriter<W> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Self { inner, writing } = self.get_mut();
        writing.accept(|decoder, dst| decoder.convert(bytes, dst, false), to(inner, cx))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { inner, writing } = self.get_mut();
        flush(inner, writing, cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { inner, writing } = self.get_mut();
        close(inner, writing, cx)
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for AsyncEncodeWriter<W> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, text: &[u8]) -> Poll<io::Result<usize>> {
        let Self { inner, writing } = self.get_mut();
        writing.accept(|encoder, dst| encoder.convert(text, dst, false), to(inner, cx))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { inner, writing } = self.get_mut();
        flush(inner, writing, cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { inner, writing } = self.get_mut();
        close(inner, writing, cx)
    }
}
