//! The streams.

use std::{
    collections::VecDeque,
    convert::Infallible,
    io::{self, ErrorKind},
    ops::Range,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{FutureExt, Stream, StreamExt, TryStreamExt, stream};
use textcodec::{
    DecodeError, EUC_JP, EncodeError, EncodeOptions, Encoding, ISO_2022_JP, Malformed, UTF_8, Unmappable, WINDOWS_1252,
    custom::SingleByte, oem,
};
use textcodec_tokio::{DecodeStream, EncodeStream, StreamError};
use tokio::io::AsyncReadExt;
use tokio_util::{bytes::Bytes, io::StreamReader};

use crate::cases;

/// A stream that returns `Pending`, and panics if it is polled after its end.
struct Slow<T> {
    chunks: VecDeque<T>,
    random: fastrand::Rng,
    has_ended: bool,
}

impl<T> Slow<T> {
    fn new(chunks: impl IntoIterator<Item = T>, random: &mut fastrand::Rng) -> Self {
        Self { chunks: chunks.into_iter().collect(), random: random.fork(), has_ended: false }
    }
}

impl<T: Unpin> Stream for Slow<T> {
    type Item = Result<T, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        assert!(!self.has_ended);
        if self.random.bool() {
            return Poll::Pending;
        }
        let chunk = self.chunks.pop_front();
        self.has_ended = chunk.is_none();
        Poll::Ready(chunk.map(Ok))
    }
}

/// Splits `0..len` into ranges, some of them empty. `is_end` says whether a range may end at an offset.
fn ranges(len: usize, random: &mut fastrand::Rng, is_end: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let longest = [1, 3, 9000][random.usize(..3)];
    let (mut ranges, mut start) = (Vec::new(), 0);
    while start < len {
        let mut end = (start + random.usize(..=longest)).min(len);
        while !is_end(end) {
            end += 1;
        }
        ranges.push(start..end);
        start = end;
    }
    ranges
}

/// Returns all items. Each call that returns `Pending` is cancelled.
fn collect<T: Stream + Unpin>(stream: &mut T) -> Vec<T::Item> {
    let mut items = Vec::new();
    loop {
        match stream.next().now_or_never() {
            Some(Some(item)) => items.push(item),
            Some(None) => break,
            None => {}
        }
    }
    assert!(stream.next().now_or_never().is_some_and(|item| item.is_none()), "a stream that has ended stays so");
    items
}

/// Returns the output before the first error, and the error, which must be the last item.
fn output<T: AsRef<[u8]>, C>(items: Vec<Result<T, StreamError<Infallible, C>>>) -> (Vec<u8>, Option<C>) {
    let (mut output, mut error) = (Vec::new(), None);
    for item in items {
        assert!(error.is_none(), "nothing follows a final error");
        match item {
            Ok(chunk) => {
                assert!(!chunk.as_ref().is_empty());
                output.extend_from_slice(chunk.as_ref());
            }
            Err(StreamError::Data(data)) => error = Some(data),
            Err(_) => unreachable!("the inner stream does not fail"),
        }
    }
    (output, error)
}

#[test]
fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        let bytes = Bytes::from(case.input.clone());
        let chunks = ranges(bytes.len(), &mut random, |_| true).into_iter().map(|range| bytes.slice(range));
        let mut stream = DecodeStream::new(Slow::new(chunks, &mut random), case.convert.clone());
        let (text, error) = output(collect(&mut stream));
        cases::check(&case, &text, error.map(io::Error::from).as_ref(), "streamed");
        assert_eq!(stream.decoder().errors().count(), case.replaced);
    }
}

#[test]
fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        let Ok(text) = std::str::from_utf8(&case.input) else { continue };
        let chunks = ranges(text.len(), &mut random, |end| text.is_char_boundary(end));
        let chunks = chunks.into_iter().map(|range| &text[range]);
        let mut stream = EncodeStream::new(Slow::new(chunks, &mut random), case.convert.clone());
        let (bytes, error) = output(collect(&mut stream));
        cases::check(&case, &bytes, error.map(io::Error::from).as_ref(), "streamed");
        assert_eq!(stream.encoder().errors().count(), case.replaced);
    }
}

#[test]
fn a_paused_decoder_continues_after_each_error() {
    let pause = cases::STRICT.malformed(Malformed::Pause);
    let chunks = [&b"ab\xFFc\xFF\xFF"[..], b"\xE3", b"\x81d\xE3", b"\xFF", b"e\xC3"];
    let mut stream = DecodeStream::new(stream::iter(chunks.map(Ok::<_, Infallible>)), UTF_8.decoder_with(pause));
    let show = |item: Result<String, StreamError<Infallible, DecodeError>>| match item {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    let items: Vec<String> = collect(&mut stream).into_iter().map(show).collect();
    let invalid = |at| format!("malformed UTF-8 at byte {at} (FF): this byte cannot start a character");
    let expected = [
        "ab",
        &invalid(2),
        "c",
        &invalid(4),
        &invalid(5),
        "malformed UTF-8 at byte 6 (E3 81): the next byte does not continue this sequence",
        "d",
        "malformed UTF-8 at byte 9 (E3): the next byte does not continue this sequence",
        &invalid(10),
        "e",
        "malformed UTF-8 at byte 12 (C3): the input ends within a character",
    ];
    assert_eq!(items, expected);
}

#[test]
fn a_paused_decoder_does_not_copy_the_rest_at_each_error() {
    // With a copy each, these would be 20 GB.
    let pause = cases::STRICT.malformed(Malformed::Pause);
    let body = stream::iter([Ok::<_, Infallible>(vec![0xFF; 200_000])]);
    assert_eq!(collect(&mut DecodeStream::new(body, UTF_8.decoder_with(pause))).len(), 200_000);
}

#[test]
fn a_paused_encoder_continues_after_each_error() {
    let text = stream::iter(["a字b字", "c"].map(Ok::<_, Infallible>));
    let mut stream = EncodeStream::new(text, WINDOWS_1252.encoder_with(Unmappable::Pause));
    let show = |item: Result<Vec<u8>, StreamError<Infallible, EncodeError>>| match item {
        Ok(bytes) => String::from_utf8(bytes).unwrap(),
        Err(error) => error.to_string(),
    };
    let items: Vec<String> = collect(&mut stream).into_iter().map(show).collect();
    let unmappable = |at| format!("windows-1252 cannot represent U+5B57 '字' at byte {at} of the UTF-8 text");
    assert_eq!(items, ["a", &unmappable(1), "b", &unmappable(5), "c"]);
}

#[test]
fn a_failed_encoder_has_returned_to_ascii() {
    let text = stream::iter(["日😀", "c"].map(Ok::<_, Infallible>));
    let (bytes, error) = output(collect(&mut EncodeStream::new(text, ISO_2022_JP.encoder())));
    assert_eq!((bytes.as_slice(), error.unwrap().character()), (&b"\x1B$BF|\x1B(B"[..], Some('😀')));
}

#[test]
fn errors_of_the_inner_stream_are_passed_on_between_chunks() {
    let chunks = [Ok(&b"\xA4"[..]), Err(io::Error::from(ErrorKind::TimedOut)), Ok(b"\xA2")];
    let items = collect(&mut DecodeStream::new(stream::iter(chunks), EUC_JP.decoder()));
    let [Err(StreamError::Inner(error)), Ok(text)] = &items[..] else { panic!("{items:?}") };
    assert_eq!((error.kind(), text.as_str()), (ErrorKind::TimedOut, "あ"));
}

#[tokio::test]
async fn text_is_a_body_again() {
    let body = stream::iter([&b"\x82"[..], b"\xA0\x82\xA2"].map(|chunk| Ok::<_, io::Error>(Bytes::from(chunk))));
    let text = DecodeStream::new(body, textcodec::SHIFT_JIS.decoder());
    let mut all = String::new();
    StreamReader::new(text.map_ok(Bytes::from)).read_to_string(&mut all).await.unwrap();
    assert_eq!(all, "あい");
}

#[test]
fn errors_become_io_errors() {
    let inner: StreamError<_, DecodeError> = StreamError::Inner("closed by peer");
    let error = io::Error::from(inner);
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Other, "closed by peer"));
    let data: StreamError<io::Error, _> = StreamError::Data(UTF_8.decode_strict(b"a\xFF").unwrap_err());
    let error = io::Error::from(data);
    assert_eq!((error.kind(), cases::range(&error)), (ErrorKind::InvalidData, Some(1..2)));
}

#[tokio::test]
async fn encodings_outside_the_standard() {
    static UPPER: SingleByte = SingleByte::ascii("upper", {
        "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ\
         άέήίόύώΆΈΉΊΌΎΏςϊϋΐΰΪΫ·«»€£§©®°±²³½‘’“”–—…•†‡‰™œŒŠšŽžŸ¡¿¢¤¥¦¨ª¬¯´µ¶¸¹º¼¾×÷ØøÆæŁłĐ"
    });
    let codecs = |encoding: &Encoding| (encoding.name(), encoding.decoder(), encoding.encoder());
    let table = (UPPER.name(), UPPER.decoder(Malformed::Fail), UPPER.encoder(EncodeOptions::new()));
    for (name, decoder, encoder) in oem::ALL.iter().map(codecs).chain([table]) {
        let parts = ["Hello ", "", "wor", "ld\n"];
        let text = stream::iter(parts.map(Ok::<_, io::Error>));
        let bytes = EncodeStream::new(text, encoder).try_concat().await.unwrap();
        let chunks = stream::iter(bytes.iter().map(|byte| Ok::<_, io::Error>([*byte])));
        let decoded: String = DecodeStream::new(chunks, decoder).try_collect().await.unwrap();
        assert_eq!(decoded, parts.concat(), "{name}");
    }
    assert_eq!(*oem::IBM037.encode("Hello").unwrap(), *b"\xC8\x85\x93\x93\x96");
}
