//! Streams: each reads chunks of a [`Source`] and writes to memory that is reused.

use std::{
    ops::Range,
    ptr,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use bench_abi::{Call, Operation};

use super::source::{Expected, Source};
use crate::clock::thread_time;

/// The length of a chunk in bytes. It is the largest prime below 64 KiB, so that chunks end within characters of any length.
pub(super) const CHUNK: usize = 65_521;
/// The number of bytes that must be contiguous at each position of a source: a chunk and the next unit.
pub(super) const TAIL: usize = CHUNK + 2;

/// How a chunk is converted.
pub(super) enum Converter {
    Engine(Call, Operation),
    /// Copies it.
    Copy,
}

/// Memory for the output, which is filled from its start to its end and then again.
#[repr(align(128))] // not in a cache line with that of another thread
pub(super) struct Output {
    /// Code units, because some engines need the alignment.
    memory: Vec<u16>,
    /// The next byte to fill.
    at: usize,
    /// What was filled since the last call of `start`.
    filled: Vec<Range<usize>>,
}

impl Output {
    pub(super) fn new(len: usize) -> Self {
        // Not zero, so that each page is in memory.
        Self { memory: vec![1; len / 2], at: 0, filled: Vec::with_capacity(8) }
    }

    /// Returns the length of the memory in bytes.
    pub(super) fn len(&self) -> usize {
        2 * self.memory.len()
    }

    /// Forgets what was filled. If it is `warm`, continues at the start.
    fn start(&mut self, warm: bool) {
        self.filled.clear();
        self.at = if warm { 0 } else { self.at.next_multiple_of(2) };
    }

    /// Returns the place for `len` bytes.
    fn place(&mut self, len: usize) -> Result<*mut u8> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.memory);
        if bytes.len() < self.at + len {
            self.at = 0;
        }
        Ok(bytes.get_mut(self.at..self.at + len).context("the memory for output is too short")?.as_mut_ptr())
    }

    fn fill(&mut self, len: usize) {
        let end = self.at + len;
        match self.filled.last_mut() {
            Some(last) if last.end == self.at => last.end = end,
            _ => self.filled.push(self.at..end),
        }
        self.at = end;
    }

    /// Compares what was filled.
    fn check(&self, expected: &mut Expected<'_>) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(&self.memory);
        self.filled.iter().try_for_each(|filled| expected.check(&bytes[filled.clone()]))
    }
}

/// A stream.
#[repr(align(128))] // as for `Output`
struct Stream {
    converter: Converter,
    /// The position in the source.
    at: usize,
    /// The number of bytes until the end of the stream.
    left: usize,
}

impl Stream {
    fn new(converter: Converter) -> Self {
        Self { converter, at: 0, left: 0 }
    }

    /// Converts chunks of at least `len` bytes, or until the end of the stream.
    fn advance(&mut self, source: &Source, output: &mut Output, len: usize) -> Result<()> {
        let mut done = 0;
        while done < len && self.left > 0 {
            let chunk = CHUNK.min(self.left);
            let src = source.from(self.at);
            let (read, written) = match &mut self.converter {
                Converter::Copy => {
                    let dst = output.place(chunk)?;
                    // SAFETY: both are valid for `chunk` bytes, by the slices that they are from.
                    unsafe { ptr::copy_nonoverlapping(src[..chunk].as_ptr(), dst, chunk) };
                    (chunk, chunk)
                }
                Converter::Engine(call, operation) => {
                    let (unit_in, unit_out) = (operation.unit_in(), operation.unit_out());
                    let (units, last) = (chunk / unit_in, self.left <= CHUNK);
                    let src = &src[..(units + usize::from(!last)) * unit_in];
                    // As large as for the other cells: some engines require more than they fill.
                    let capacity = 5 * units + 64;
                    let dst = output.place(capacity * unit_out)?;
                    // SAFETY: the pointers are valid for the bytes of the slices that they are from. They are aligned: the
                    // memory is, and an engine that reads or writes code units moves in code units. The input is well-formed
                    // (`Source`).
                    let part =
                        unsafe { call.run_part(src.as_ptr().cast(), src.len() / unit_in, dst.cast(), capacity, last) };
                    let (read, written) = part.context("it fails")?;
                    ensure!(if last { read == units } else { read > 0 }, "it does not read its input");
                    (read * unit_in, written * unit_out)
                }
            };
            output.fill(written);
            done += read;
            self.left -= read;
            self.at = (self.at + read) % source.len();
        }
        Ok(())
    }
}

/// How long streams took that ran at the same time.
#[derive(Clone, Copy)]
pub(super) struct Time {
    /// The CPU time of the thread that took longest.
    pub(super) cpu: Duration,
    /// The time from the start of the first stream to the end of the last.
    wall: Duration,
}

impl Time {
    /// Returns whether the streams ran at the same time, because no thread waited for a core.
    pub(super) fn is_parallel(self) -> bool {
        self.wall.as_secs_f64() < 1.15 * self.cpu.as_secs_f64()
    }
}

/// Streams that run at the same time, one on each thread.
pub(super) struct Streams<'a> {
    source: &'a Source,
    lanes: Vec<Stream>,
    /// What each stream must write, or a single one if the streams are parts of one input.
    expected: Vec<Expected<'a>>,
    /// The number of bytes left of an input that is split, and the position of its next part.
    split: Option<(usize, usize)>,
}

impl<'a> Streams<'a> {
    pub(super) fn new(source: &'a Source, converters: Vec<Converter>) -> Self {
        Self { source, lanes: converters.into_iter().map(Stream::new).collect(), expected: Vec::new(), split: None }
    }

    pub(super) fn count(&self) -> usize {
        self.lanes.len()
    }

    /// Returns the number of bytes of input that are left.
    pub(super) fn left(&self) -> usize {
        self.split.map_or(0, |(left, _)| left) + self.lanes.iter().map(|stream| stream.left).sum::<usize>()
    }

    /// Starts streams of `len` bytes at these positions.
    pub(super) fn start(&mut self, at: impl IntoIterator<Item = usize>, len: usize) {
        self.expected.clear();
        for (stream, at) in self.lanes.iter_mut().zip(at) {
            (stream.at, stream.left) = (at, len);
            self.expected.push(self.source.expected(at));
        }
    }

    /// Starts one stream of `len` bytes, which is split at positions where the encoding can be split.
    pub(super) fn start_split(&mut self, at: usize, len: usize) {
        self.expected = vec![self.source.expected(at)];
        self.split = Some((len, at));
    }

    /// Converts about `len` bytes of each stream and returns the time. Then compares the output, unless it is that of a copy.
    ///
    /// If the output is `warm`, it is written to the same memory as before, otherwise to the memory after it.
    pub(super) fn advance(&mut self, outputs: &mut [Output; 2], len: usize, warm: bool) -> Result<Time> {
        for output in &mut *outputs {
            output.start(warm);
        }
        let source = self.source;
        let start = Instant::now();
        if let Some((left, at)) = &mut self.split {
            for stream in &mut self.lanes {
                // The last part ends where the input ends.
                let part = if *left <= len { *left } else { source.split(*at, len) };
                (stream.at, stream.left) = (*at, part);
                (*at, *left) = ((*at + part) % source.len(), *left - part);
            }
        }
        let splitting = start.elapsed();
        let time = time(&mut self.lanes, outputs, &|stream, output| stream.advance(source, output, len))?;
        self.check(outputs)?;
        Ok(if self.split.is_some() { Time { cpu: time.cpu + splitting, wall: time.wall + splitting } } else { time })
    }

    /// Converts short streams of `len` bytes from start to end, and returns the time: `count` streams, `times` times, on each
    /// thread. Their output is not compared.
    pub(super) fn repeat(&mut self, outputs: &mut [Output; 2], len: usize, count: usize, times: usize) -> Result<Time> {
        let source = self.source;
        for (n, stream) in self.lanes.iter_mut().enumerate() {
            stream.at = n * count * len;
        }
        time(&mut self.lanes, outputs, &|stream, output| {
            let first = stream.at;
            for n in (0..times).flat_map(|_| 0..count) {
                (stream.at, stream.left) = (first + n * len, len);
                output.start(true);
                stream.advance(source, output, len)?;
            }
            Ok(())
        })
    }

    fn check(&mut self, outputs: &[Output; 2]) -> Result<()> {
        let copies = self.lanes.iter().all(|stream| matches!(stream.converter, Converter::Copy));
        if copies {
            return Ok(());
        }
        for (n, (stream, output)) in self.lanes.iter().zip(outputs).enumerate() {
            let expected = if self.split.is_some() { 0 } else { n };
            output.check(&mut self.expected[expected])?;
            if self.split.is_none() && stream.left == 0 {
                self.expected[expected].finish(stream.at)?;
            }
        }
        match self.split {
            Some((0, at)) => self.expected[0].finish(at),
            _ => Ok(()),
        }
    }
}

type Work<'a> = dyn Fn(&mut Stream, &mut Output) -> Result<()> + Sync + 'a;

/// Does the work with each stream, on separate threads if there are several.
fn time(streams: &mut [Stream], outputs: &mut [Output; 2], work: &Work<'_>) -> Result<Time> {
    if let [stream] = streams {
        let (start, started) = (thread_time(), Instant::now());
        work(stream, &mut outputs[0])?;
        return Ok(Time { cpu: Duration::from_nanos(thread_time() - start), wall: started.elapsed() });
    }
    let barrier = &Barrier::new(streams.len());
    let times: Result<Vec<_>> = thread::scope(|scope| {
        let spawn = |(stream, output): (_, _)| {
            scope.spawn(move || {
                barrier.wait();
                let (start, started) = (thread_time(), Instant::now());
                work(stream, output)?;
                Ok((Duration::from_nanos(thread_time() - start), started, Instant::now()))
            })
        };
        let threads: Vec<_> = streams.iter_mut().zip(outputs).map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().expect("the thread does not panic")).collect()
    });
    let times = times?;
    let cpu = times.iter().map(|(cpu, ..)| *cpu).max();
    let (start, end) = (times.iter().map(|time| time.1).min(), times.iter().map(|time| time.2).max());
    let wall = end.zip(start).map(|(end, start)| end - start);
    cpu.zip(wall).map(|(cpu, wall)| Time { cpu, wall }).context("there is no stream")
}

#[cfg(test)]
mod tests {
    use bench_abi::{PARTS, cut};
    use textcodec::{Bom, DecodeOptions, Encoding};

    use super::{super::source::BLOCK, *};

    const RING: usize = 128 * BLOCK;
    const TEXT: &str = "祖母の家の裏には bees が 1,000 匹。\nIl fait chaud.\n";

    fn source(encoding: Encoding) -> Result<Source> {
        Source::new(Operation::DecodeToUtf8, encoding.name(), &TEXT.repeat(400), RING, TAIL)
    }

    /// A decoder of the library that, from its call number `wrong` on, changes the first byte of its output.
    fn converter(encoding: Encoding, wrong: usize) -> Converter {
        let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
        let mut calls = 0;
        let call = Call::chunked(PARTS, cut::anywhere, move |src: &[u8], dst: &mut [u8], last| {
            let progress = decoder.decode_to_utf8(src, dst, last);
            calls += 1;
            if calls > wrong {
                dst[0] ^= 1;
            }
            Some((progress.read, progress.written))
        });
        Converter::Engine(call, Operation::DecodeToUtf8)
    }

    fn outputs() -> [Output; 2] {
        [Output::new(1 << 20), Output::new(1 << 20)]
    }

    /// Advances streams to their ends, and returns the output of the first.
    fn output(streams: &mut Streams<'_>, outputs: &mut [Output; 2]) -> Result<Vec<u8>> {
        let mut output = Vec::new();
        while streams.left() > 0 {
            streams.advance(outputs, 2 * CHUNK, false)?;
            let bytes: &[u8] = bytemuck::cast_slice(&outputs[0].memory);
            outputs[0].filled.iter().for_each(|filled| output.extend_from_slice(&bytes[filled.clone()]));
        }
        Ok(output)
    }

    #[test]
    fn a_stream_has_the_output_of_a_single_call() -> Result<()> {
        for name in ["UTF-8", "UTF-16LE", "Shift_JIS", "gb18030", "EUC-KR", "ISO-2022-JP"] {
            let encoding: Encoding = name.parse()?;
            let source = source(encoding)?;
            let mut streams = Streams::new(&source, vec![converter(encoding, usize::MAX)]);
            // Many rounds of the ring, from its middle.
            let (start, len) = (RING / 2, 20 * RING + 5 * BLOCK);
            streams.start([start], len);
            let found = output(&mut streams, &mut outputs())?;
            let input: Vec<u8> = source.from(0)[..RING].iter().cycle().skip(start).take(len).copied().collect();
            let decode = |bytes: &[u8]| Ok(encoding.decode_with(bytes, Bom::Keep)?.text.into_owned());
            assert!(str::from_utf8(&found)? == decode(&input)?, "{name}");
            // The chunks do end within characters: decoded separately, they have another text.
            let separate = input.chunks(CHUNK).map(decode).collect::<Result<String>>()?;
            assert!(found != separate.into_bytes(), "{name}");
        }
        Ok(())
    }

    #[test]
    fn two_streams_and_one_that_is_split_are_compared() -> Result<()> {
        let encoding = textcodec::SHIFT_JIS;
        let source = source(encoding)?;
        let two = |wrong| Streams::new(&source, vec![converter(encoding, usize::MAX), converter(encoding, wrong)]);
        for wrong in [usize::MAX, 3, 0] {
            let mut streams = two(wrong);
            streams.start([0, RING / 2], 4 * RING);
            assert_eq!(output(&mut streams, &mut outputs()).is_ok(), wrong == usize::MAX, "{wrong}");
            let mut streams = two(wrong);
            streams.start_split(0, 9 * RING);
            assert_eq!(streams.left(), 9 * RING);
            assert_eq!(output(&mut streams, &mut outputs()).is_ok(), wrong == usize::MAX, "{wrong}");
        }
        Ok(())
    }

    #[test]
    fn an_engine_that_reads_only_whole_characters_gets_the_rest_again() -> Result<()> {
        let source = source(textcodec::UTF_8)?;
        let copy = Call::chunked(PARTS, cut::utf8, |src: &[u8], dst: &mut [u8], _| {
            str::from_utf8(src).ok()?;
            dst[..src.len()].copy_from_slice(src);
            Some((src.len(), src.len()))
        });
        let mut streams = Streams::new(&source, vec![Converter::Engine(copy, Operation::DecodeToUtf8)]);
        streams.start([0], 5 * RING);
        assert_eq!(output(&mut streams, &mut outputs())?.len(), 5 * RING);
        Ok(())
    }

    #[test]
    fn an_output_that_is_too_short_is_found() -> Result<()> {
        let source = source(textcodec::UTF_8)?;
        let nothing = Call::chunked(PARTS, cut::anywhere, |src: &[u8], _: &mut [u8], _| Some((src.len(), 0)));
        let mut streams = Streams::new(&source, vec![Converter::Engine(nothing, Operation::DecodeToUtf8)]);
        streams.start([0], 5 * BLOCK);
        assert!(streams.advance(&mut outputs(), CHUNK, false).is_err());
        Ok(())
    }
}
