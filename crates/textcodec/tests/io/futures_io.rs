//! The traits of futures-io: the same results as with the synchronous ones, although calls return `Pending`.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use futures_util::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use textcodec::{
    EncodeOptions, UTF_16LE,
    io::{AsyncDecodeWriter, AsyncEncodeWriter, DecodeReader, EncodeReader},
};

use crate::{
    cases::{self, check},
    faulty::{Behaviour, Sink, Source, is_fault},
};

impl AsyncRead for Source {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll(buf)
    }
}

impl AsyncWrite for Sink {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll(bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_flush()
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_close()
    }
}

/// Polls a future until it is ready. The inner readers and writers need no wake-up.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut cx) {
            return done;
        }
    }
}

async fn read_to_end<R>(reader: &mut R, random: &mut fastrand::Rng) -> (Vec<u8>, Option<io::Error>)
where
    R: AsyncRead + AsyncBufRead + Unpin,
{
    let mut all = Vec::new();
    let mut buffer = vec![0; [1, 2, 3, 5, 4096, 64 << 10][random.usize(..6)]];
    loop {
        let result = if random.bool() {
            reader
                .fill_buf()
                .await
                .map(<[u8]>::to_vec)
                .inspect(|text| {
                    all.extend_from_slice(text);
                    reader.consume_unpin(text.len());
                })
                .map(|text| text.len())
        } else {
            reader.read(&mut buffer).await.inspect(|&len| all.extend_from_slice(&buffer[..len]))
        };
        match result {
            Ok(0) => return (all, None),
            Ok(_) => {}
            Err(error) if is_fault(&error) => {}
            Err(error) => return (all, Some(error)),
        }
    }
}

/// Writes and closes. Returns an error only if it does not come from the inner writer.
async fn write_all(
    writer: &mut (impl AsyncWrite + Unpin),
    mut input: &[u8],
    random: &mut fastrand::Rng,
) -> io::Result<()> {
    let max_len = [1, 2, 3, 5, 1000, 1 << 20][random.usize(..6)];
    let mut failed = Ok(());
    while !input.is_empty() && failed.is_ok() {
        let len = random.usize(1..=max_len.min(input.len()));
        match writer.write(&input[..len]).await {
            Ok(len) => input = &input[len..],
            Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
            Err(error) => failed = Err(error),
        }
    }
    loop {
        match writer.close().await {
            Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
            result => return failed.and(result),
        }
    }
}

#[test]
fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        for _ in 0..3 {
            let source = Source::new(&case.input, Behaviour::new(&mut random));
            let mut reader = DecodeReader::new(source, case.convert.clone());
            let (text, error) = block_on(read_to_end(&mut reader, &mut random));
            check(&case, &text, error.as_ref(), "read");

            let mut writer = AsyncDecodeWriter::new(Sink::new(Behaviour::new(&mut random)), case.convert.clone());
            let error = block_on(write_all(&mut writer, &case.input, &mut random)).err();
            assert_eq!(writer.get_ref().closed, error.is_none());
            check(&case, &writer.into_inner().bytes, error.as_ref(), "written");
        }
    }
}

#[test]
fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        for _ in 0..3 {
            let source = Source::new(&case.input, Behaviour::new(&mut random));
            let mut reader = EncodeReader::new(source, case.convert.clone());
            let (bytes, error) = block_on(read_to_end(&mut reader, &mut random));
            check(&case, &bytes, error.as_ref(), "read");

            let mut writer = AsyncEncodeWriter::new(Sink::new(Behaviour::new(&mut random)), case.convert.clone());
            let error = block_on(write_all(&mut writer, &case.input, &mut random)).err();
            assert_eq!(writer.get_ref().closed, error.is_none());
            check(&case, &writer.into_inner().bytes, error.as_ref(), "written");
        }
    }
}

#[test]
fn flush_writes_all_and_flushes_the_inner_writer() {
    block_on(async {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let mut behaviour = Behaviour::new(&mut random);
            behaviour.max_len = behaviour.max_len.max(5);
            let mut writer = AsyncEncodeWriter::new(
                Sink::new(behaviour),
                UTF_16LE.encoder_with(EncodeOptions::new().bom(true)).unwrap(),
            );
            let mut written = 2;
            for text in ["a", "日本\u{10000}", ""] {
                let mut rest = text.as_bytes();
                while !rest.is_empty() {
                    match writer.write(rest).await {
                        Ok(len) => rest = &rest[len..],
                        Err(error) => assert!(is_fault(&error) && error.kind() != io::ErrorKind::Interrupted),
                    }
                }
                written += 2 * text.encode_utf16().count();
                while let Err(error) = writer.flush().await {
                    assert!(is_fault(&error) && error.kind() != io::ErrorKind::Interrupted);
                }
                assert_eq!((writer.get_ref().bytes.len(), writer.get_ref().flushed), (written, written));
            }
        }
    });
}
