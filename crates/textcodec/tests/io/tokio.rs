//! tokio's traits: the same results as with the synchronous ones, although calls return `Pending`.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use textcodec::{
    BIG5, EncodeOptions, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16LE,
    io::{AsyncDecodeWriter, AsyncEncodeWriter, DecodeReader, EncodeReader},
};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

use crate::{
    cases::{self, check},
    faulty::{Behaviour, Sink, Source, is_fault},
};

/// Wakes the task at once if the result is `Pending`.
fn wake_if_pending<T>(result: Poll<T>, cx: &Context<'_>) -> Poll<T> {
    if result.is_pending() {
        cx.waker().wake_by_ref();
    }
    result
}

impl AsyncRead for Source {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        wake_if_pending(self.get_mut().poll(buf.initialize_unfilled()), cx).map_ok(|len| buf.advance(len))
    }
}

impl AsyncWrite for Sink {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        wake_if_pending(self.get_mut().poll(bytes), cx)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        wake_if_pending(self.get_mut().poll_flush(), cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        wake_if_pending(self.get_mut().poll_close(), cx)
    }
}

async fn read_to_end<R>(reader: &mut R, random: &mut fastrand::Rng) -> (Vec<u8>, Option<io::Error>)
where
    R: AsyncRead + AsyncBufRead + Unpin,
{
    let mut all = vec![7; 3];
    let mut buffer = vec![0; [1, 2, 3, 5, 4096, 64 << 10][random.usize(..6)]];
    let result = loop {
        let result = match random.u8(..3) {
            0 => reader
                .fill_buf()
                .await
                .map(<[u8]>::to_vec)
                .inspect(|text| {
                    all.extend_from_slice(text);
                    Pin::new(&mut *reader).consume(text.len());
                })
                .map(|text| text.len()),
            1 => reader.read_buf(&mut all).await,
            _ => reader.read(&mut buffer).await.inspect(|&len| all.extend_from_slice(&buffer[..len])),
        };
        match result {
            Ok(0) => break None,
            Ok(_) => {}
            Err(error) if is_fault(&error) => {}
            Err(error) => break Some(error),
        }
    };
    (all.split_off(3), result)
}

/// Writes and shuts down. Returns an error only if it does not come from the inner writer.
async fn write_all(
    writer: &mut (impl AsyncWrite + Unpin),
    mut input: &[u8],
    random: &mut fastrand::Rng,
) -> io::Result<()> {
    let max_len = [1, 2, 3, 5, 1000, 1 << 20][random.usize(..6)];
    while !input.is_empty() {
        let len = random.usize(1..=max_len.min(input.len()));
        match writer.write(&input[..len]).await {
            Ok(len) => input = &input[len..],
            Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
            Err(error) => {
                shut_down(&mut *writer).await.unwrap_err();
                return Err(error);
            }
        }
        if random.u8(..10) == 0
            && let Err(error) = writer.flush().await
            && !is_fault(&error)
        {
            shut_down(&mut *writer).await.unwrap_err();
            return Err(error);
        }
    }
    shut_down(writer).await
}

/// Shuts down. Repeats the call while the inner writer fails.
async fn shut_down(writer: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    loop {
        match writer.shutdown().await {
            Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
            result => return result,
        }
    }
}

#[tokio::test]
async fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        for _ in 0..3 {
            let source = Source::new(&case.input, Behaviour::new(&mut random));
            let mut reader = DecodeReader::new(source, case.convert.clone());
            let (text, error) = read_to_end(&mut reader, &mut random).await;
            check(&case, &text, error.as_ref(), "read");

            let mut writer = AsyncDecodeWriter::new(Sink::new(Behaviour::new(&mut random)), case.convert.clone());
            let error = write_all(&mut writer, &case.input, &mut random).await.err();
            assert_eq!(writer.decoder().errors().count(), case.replaced);
            assert_eq!(writer.get_ref().closed, error.is_none());
            check(&case, &writer.into_inner().bytes, error.as_ref(), "written");
        }
    }
}

#[tokio::test]
async fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        for _ in 0..3 {
            let source = Source::new(&case.input, Behaviour::new(&mut random));
            let mut reader = EncodeReader::new(source, case.convert.clone());
            let (bytes, error) = read_to_end(&mut reader, &mut random).await;
            check(&case, &bytes, error.as_ref(), "read");

            let mut writer = AsyncEncodeWriter::new(Sink::new(Behaviour::new(&mut random)), case.convert.clone());
            let error = write_all(&mut writer, &case.input, &mut random).await.err();
            assert_eq!(writer.encoder().errors().count(), case.replaced);
            assert_eq!(writer.get_ref().closed, error.is_none());
            check(&case, &writer.into_inner().bytes, error.as_ref(), "written");
        }
    }
}

#[tokio::test]
async fn flush_writes_all_and_flushes_the_inner_writer() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let mut behaviour = Behaviour::new(&mut random);
        behaviour.max_len = behaviour.max_len.max(5);
        let mut writer =
            AsyncEncodeWriter::new(Sink::new(behaviour), UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
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
}

/// The next call completes the work of a future that was dropped.
#[tokio::test]
async fn cancelled_calls_lose_nothing() {
    let case = cases::long_decoding();
    let (inner, mut other) = tokio::io::duplex(7);
    let input = case.input.clone();
    let sender = tokio::spawn(async move {
        for chunk in input.chunks(5) {
            other.write_all(chunk).await.unwrap();
            tokio::task::yield_now().await;
        }
    });
    let (inner_out, mut receiver) = tokio::io::duplex(3);
    let receiver = tokio::spawn(async move {
        let mut all = Vec::new();
        receiver.read_to_end(&mut all).await.unwrap();
        all
    });
    let mut reader = DecodeReader::new(inner, case.convert);
    let mut writer = AsyncEncodeWriter::new(inner_out, UTF_16LE.encoder());
    let (mut cancelled, mut buffer) = (0, [0; 9]);
    loop {
        let len = tokio::select! {
            biased;
            len = reader.read(&mut buffer) => len.unwrap(),
            () = tokio::task::yield_now() => {
                cancelled += 1;
                continue;
            }
        };
        if len == 0 {
            break;
        }
        let mut rest = &buffer[..len];
        while !rest.is_empty() {
            tokio::select! {
                biased;
                len = writer.write(rest) => rest = &rest[len.unwrap()..],
                () = tokio::task::yield_now() => cancelled += 1,
            }
        }
    }
    loop {
        tokio::select! {
            biased;
            result = writer.shutdown() => break result.unwrap(),
            () = tokio::task::yield_now() => cancelled += 1,
        }
    }
    sender.await.unwrap();
    let text = String::from_utf8(case.output).unwrap();
    assert_eq!(receiver.await.unwrap(), &*UTF_16LE.encode(&text).unwrap());
    assert!(cancelled > 1000);
}

#[tokio::test]
async fn a_writer_accepts_nothing_after_end_and_keeps_the_inner_writer_open() {
    let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP.encoder_with(EncodeOptions::new().bom(true)));
    writer.write_all("日".as_bytes()).await.unwrap();
    writer.end();
    assert_eq!(writer.write(b"a").await.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    writer.flush().await.unwrap();
    assert_eq!(writer.into_inner(), b"\x1B$BF|\x1B(B");
}

#[tokio::test]
async fn lines_and_strings_of_tokio_work() {
    // The inner reader is only asynchronous, so `lines` is tokio's.
    let inner = tokio::io::BufReader::new(&b"\xA4\xA4\n\xA4\xE5"[..]);
    let mut lines = DecodeReader::new(inner, BIG5.decoder()).lines();
    assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("中"));
    assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("文"));
    let mut text = String::new();
    DecodeReader::new(&b"\xFE\xFF\0a"[..], UTF_8.decoder()).read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "a");
}

#[tokio::test]
async fn an_encoder_that_does_not_exist_fails_in_each_call() {
    for text in ["", "a"] {
        let mut reader = EncodeReader::new(text.as_bytes(), REPLACEMENT.encoder());
        let mut writer = AsyncEncodeWriter::new(Vec::new(), REPLACEMENT.encoder());
        for _ in 0..2 {
            let errors = [
                AsyncReadExt::read(&mut reader, &mut [0; 8]).await.unwrap_err(),
                AsyncBufReadExt::fill_buf(&mut reader).await.unwrap_err(),
                AsyncWriteExt::write(&mut writer, text.as_bytes()).await.unwrap_err(),
                AsyncWriteExt::flush(&mut writer).await.unwrap_err(),
            ];
            assert!(errors.iter().all(|error| error.kind() == io::ErrorKind::Unsupported), "{errors:?}");
        }
        for _ in 0..2 {
            let error = AsyncWriteExt::shutdown(&mut writer).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported);
        }
        assert!(writer.get_ref().is_empty());
    }
}
