//! The readers and writers of textcodec with the traits of futures-io, by `tokio_util::compat`, as the documentation shows.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, TryStreamExt};
use textcodec::{
    BIG5, ISO_2022_JP,
    io::{AsyncDecodeWriter, AsyncEncodeWriter, DecodeReader, EncodeReader},
};
use tokio_util::compat::{
    FuturesAsyncReadCompatExt, FuturesAsyncWriteCompatExt, TokioAsyncReadCompatExt, TokioAsyncWriteCompatExt,
};

use crate::cases::{self, check};

/// A reader and writer that makes short calls and returns `Pending`.
struct Slow {
    bytes: Vec<u8>,
    /// How many bytes were read.
    read: usize,
    random: fastrand::Rng,
    max_len: usize,
    flushed: usize,
    closed: bool,
}

impl Slow {
    fn new(bytes: &[u8], random: &mut fastrand::Rng) -> Self {
        let max_len = [1, 2, 3, 5, 7, 1 << 20][random.usize(..6)];
        Self { bytes: bytes.to_vec(), read: 0, random: random.fork(), max_len, flushed: 0, closed: false }
    }

    /// Returns how much of `len` bytes the next call transfers.
    fn next(&mut self, len: usize, cx: &Context<'_>) -> Poll<usize> {
        if self.random.u8(..3) == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let len = len.min(self.max_len);
        Poll::Ready(if len > 1 { self.random.usize(1..=len) } else { len })
    }
}

impl AsyncRead for Slow {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let rest = self.bytes.len() - self.read;
        self.next(buf.len().min(rest), cx).map(|len| {
            buf[..len].copy_from_slice(&self.bytes[self.read..][..len]);
            self.read += len;
            Ok(len)
        })
    }
}

impl AsyncWrite for Slow {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        assert!(!self.closed);
        self.next(bytes.len(), cx).map(|len| {
            self.bytes.extend_from_slice(&bytes[..len]);
            Ok(len)
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.next(0, cx).map(|_| {
            self.flushed = self.bytes.len();
            Ok(())
        })
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.next(0, cx).map(|_| {
            self.closed = true;
            Ok(())
        })
    }
}

async fn read_all(mut reader: impl AsyncRead + Unpin, random: &mut fastrand::Rng) -> (Vec<u8>, io::Result<()>) {
    let mut all = Vec::new();
    let mut buffer = vec![0; [1, 2, 3, 5, 4096, 64 << 10][random.usize(..6)]];
    loop {
        match reader.read(&mut buffer).await {
            Ok(0) => return (all, Ok(())),
            Ok(len) => all.extend_from_slice(&buffer[..len]),
            Err(error) => return (all, Err(error)),
        }
    }
}

async fn write_all(writer: &mut (impl AsyncWrite + Unpin), input: &[u8], random: &mut fastrand::Rng) -> io::Result<()> {
    let max_len = [1, 2, 3, 5, 1000, 1 << 20][random.usize(..6)];
    let mut result = Ok(());
    for chunk in input.chunks(max_len) {
        if result.is_ok() {
            result = writer.write_all(chunk).await;
        }
    }
    let closed = writer.close().await;
    result.and(closed)
}

#[tokio::test]
async fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        let reader = DecodeReader::new(Slow::new(&case.input, &mut random).compat(), case.convert.clone());
        let (text, result) = read_all(reader.compat(), &mut random).await;
        check(&case, &text, result.err().as_ref(), "read");

        let inner = Slow::new(b"", &mut random).compat_write();
        let mut writer = AsyncDecodeWriter::new(inner, case.convert.clone()).compat_write();
        let error = write_all(&mut writer, &case.input, &mut random).await.err();
        let writer = writer.into_inner();
        assert_eq!(writer.decoder().errors().count(), case.replaced);
        let inner = writer.into_inner().into_inner();
        assert_eq!(inner.closed, error.is_none());
        check(&case, &inner.bytes, error.as_ref(), "written");
    }
}

#[tokio::test]
async fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        let reader = EncodeReader::new(Slow::new(&case.input, &mut random).compat(), case.convert.clone());
        let (bytes, result) = read_all(reader.compat(), &mut random).await;
        check(&case, &bytes, result.err().as_ref(), "read");

        let inner = Slow::new(b"", &mut random).compat_write();
        let mut writer = AsyncEncodeWriter::new(inner, case.convert.clone()).compat_write();
        let error = write_all(&mut writer, &case.input, &mut random).await.err();
        let inner = writer.into_inner().into_inner().into_inner();
        assert_eq!(inner.closed, error.is_none());
        check(&case, &inner.bytes, error.as_ref(), "written");
    }
}

#[tokio::test]
async fn flush_writes_all_and_flushes_the_inner_writer() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..100 {
        let inner = Slow::new(b"", &mut random).compat_write();
        let mut writer = AsyncEncodeWriter::new(inner, ISO_2022_JP.encoder()).compat_write();
        writer.write_all("日".as_bytes()).await.unwrap();
        writer.flush().await.unwrap();
        let inner = writer.get_ref().get_ref().get_ref();
        assert_eq!((inner.bytes.as_slice(), inner.flushed, inner.closed), (&b"\x1B$BF|"[..], 5, false));
    }
}

#[tokio::test]
async fn lines_of_futures_work() {
    let inner = Slow::new(b"\xA4\xA4\n\xA4\xE5", &mut fastrand::Rng::with_seed(4)).compat();
    let lines: Vec<String> = DecodeReader::new(inner, BIG5.decoder()).compat().lines().try_collect().await.unwrap();
    assert_eq!(lines, ["中", "文"]);
}
