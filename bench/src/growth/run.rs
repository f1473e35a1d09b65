//! The measurement.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use bench_abi::{Job, PARTS};

use super::{
    BEYOND_CACHES, Figures, GIB, KIB, LENGTHS, LONGEST, MIB, OUTPUT, Point, RING, ROWS, Row, Series,
    source::{self, Source},
    stream::{Converter, Output, Streams, TAIL, Time},
};
use crate::{
    alike,
    engines::{Loaded, OURS},
    texts::Texts,
};

/// Streams take turns of about this many bytes. The output of a turn is compared while no time is measured.
const TURN: usize = 16 * MIB;
/// The duration of a turn of short streams in nanoseconds.
const SHORT_TURN: usize = 2_000_000;
/// The maximum duration of a stream of a peer.
const PATIENCE_NS: f64 = 12e9;

/// Measures all rows.
pub(crate) fn run(engines: &[Loaded], texts: &Texts, mut show: impl FnMut(&str)) -> Result<Vec<Figures>> {
    let mut outputs = [Output::new(OUTPUT), Output::new(OUTPUT)];
    ROWS.iter().map(|row| measure(row, engines, texts, &mut outputs, &mut show)).collect()
}

/// Converts a few streams with every engine, and compares their output. Returns the number of streams, and the engines that are
/// left out because their output differs.
pub(crate) fn smoke(engines: &[Loaded], texts: &Texts) -> Result<(usize, Vec<String>)> {
    let mut outputs = [Output::new(4 * MIB), Output::new(4 * MIB)];
    let (mut count, mut left_out) = (0, Vec::new());
    for row in &ROWS {
        let (source, engines) = prepare(row, engines, texts, MIB)?;
        for engine in engines {
            // Three MiB are three rounds of the ring.
            for len in [KIB, 64 * KIB, 3 * MIB] {
                let Some(converter) = open(engine, row) else { continue };
                let mut streams = Streams::new(&source, vec![converter]);
                streams.start([source::BLOCK], len);
                match drain(&mut streams, &mut outputs) {
                    Ok(_) => count += 1,
                    Err(error) => leave_out(engine, row, &error, &mut left_out)?,
                }
            }
        }
    }
    Ok((count, left_out))
}

/// Adds a peer whose output is wrong. Fails if it is the library's.
fn leave_out(engine: &Loaded, row: &Row, error: &anyhow::Error, left_out: &mut Vec<String>) -> Result<()> {
    ensure!(!engine.is_ours(), "{} is wrong in {}: {error}", engine.label, row.title);
    left_out.push(format!("{} is left out of {}: {error}", engine.label, row.title));
    Ok(())
}

/// Returns the input of a row, and the engines that map it alike.
fn prepare<'a>(
    row: &Row,
    engines: &'a [Loaded],
    texts: &Texts,
    ring: usize,
) -> Result<(Source, impl Iterator<Item = &'a Loaded>)> {
    let alike = alike::restrict(engines, row.encoding, texts.get(row.text)?)?;
    let source = Source::new(row.operation, row.encoding, &alike.text, ring, TAIL)?;
    Ok((source, engines.iter().filter(move |engine| !alike.out.contains(&engine.family))))
}

/// Opens an engine for streams.
fn open(engine: &Loaded, row: &Row) -> Option<Converter> {
    let operations = [Some(row.operation), row.form].into_iter().flatten();
    let mut opened = operations.filter_map(|operation| {
        let call = engine.open(Job::plain(operation, row.encoding, PARTS))?;
        call.in_parts().then_some(Converter::Engine(call, operation))
    });
    opened.next()
}

/// Advances streams to their ends. Returns the time in nanoseconds.
fn drain(streams: &mut Streams<'_>, outputs: &mut [Output; 2]) -> Result<f64> {
    let mut ns = 0.0;
    while streams.left() > 0 {
        ns += streams.advance(outputs, TURN.min(outputs[0].len() / 4), false)?.cpu.as_nanos() as f64;
    }
    Ok(ns)
}

fn measure(
    row: &'static Row,
    engines: &[Loaded],
    texts: &Texts,
    outputs: &mut [Output; 2],
    show: &mut impl FnMut(&str),
) -> Result<Figures> {
    show(row.title);
    let (source, engines) = prepare(row, engines, texts, RING)?;
    let engines: Vec<&Loaded> = engines.collect();
    let ours = engines.iter().filter(|engine| engine.family == OURS).max_by_key(|engine| engine.level);
    let ours = *ours.context("the library is not among the engines")?;
    let mut left_out = Vec::new();
    let peers = engines.iter().copied().filter(|engine| !engine.is_ours());
    let (per_byte, peer) = fastest(peers, row, &source, outputs, &mut left_out)?.unzip();

    let contender = |series: Series, len| {
        let engine = match series {
            Series::One | Series::Two | Series::Split => Some(ours),
            Series::Peer => Some(peer?),
            Series::Copy | Series::TwoCopies => None,
        };
        let open = |_| engine.map_or(Some(Converter::Copy), |engine| open(engine, row));
        let converters: Option<Vec<_>> = (0..series.streams()).map(open).collect();
        let can_split = series != Series::Split || source.split(0, TURN) > 0;
        let streams = Streams::new(&source, converters?);
        // Longer than needed, and written once, so that its pages are in memory before the first turn.
        let mut turns = vec![1.0; 2 * LONGEST / TURN];
        turns.clear();
        can_split.then_some(Contender { series, len, streams, turns })
    };
    let all = LENGTHS.into_iter().flat_map(|len| Series::ALL.into_iter().map(move |series| (series, len)));
    let per_byte = per_byte.unwrap_or_default();
    let is_slow = |series, len| series == Series::Peer && per_byte * len as f64 > PATIENCE_NS;
    let wanted = all.filter(|&(series, len)| series.includes(len) && !is_slow(series, len));
    let mut contenders: Vec<_> = wanted.filter_map(|(series, len)| contender(series, len)).collect();
    for contender in &mut contenders {
        contender.check_short(outputs)?;
    }
    let before = reset_peak()?;
    let peaks = take_turns(&mut contenders, outputs, |done| show(&format!("{}, {done} of 16 GiB", row.title)))?;
    let points = contenders.iter().filter_map(Contender::point).collect();
    Ok(Figures {
        row,
        ours: ours.label.clone(),
        peer: peer.map(|peer| peer.label.clone()),
        points,
        before,
        peaks,
        left_out,
    })
}

/// Returns the engine that is fastest in a stream of 1 MiB, and its nanoseconds for a byte. Adds those whose output differs to
/// `left_out`.
fn fastest<'a>(
    engines: impl Iterator<Item = &'a Loaded>,
    row: &Row,
    source: &Source,
    outputs: &mut [Output; 2],
    left_out: &mut Vec<String>,
) -> Result<Option<(f64, &'a Loaded)>> {
    let mut best = None;
    for engine in engines {
        let Some(converter) = open(engine, row) else { continue };
        let mut streams = Streams::new(source, vec![converter]);
        let mut one = || {
            streams.start([0], MIB);
            drain(&mut streams, outputs)
        };
        let times: Result<Vec<f64>> = (0..5).map(|_| one()).collect();
        match times {
            Ok(times) => {
                let least = times.into_iter().fold(f64::MAX, f64::min) / MIB as f64;
                if best.is_none_or(|(time, _)| least < time) {
                    best = Some((least, engine));
                }
            }
            Err(error) => leave_out(engine, row, &error, left_out)?,
        }
    }
    Ok(best)
}

/// Streams that are measured.
struct Contender<'a> {
    series: Series,
    len: usize,
    streams: Streams<'a>,
    /// Nanoseconds for each byte of input, in each turn.
    turns: Vec<f64>,
}

impl Contender<'_> {
    fn is_short(&self) -> bool {
        self.len < BEYOND_CACHES
    }

    /// The number of different short streams.
    fn count(&self) -> usize {
        (64 * KIB / self.len).max(1)
    }

    /// Returns that the contender has a turn in one of so many rounds. Shorter streams need fewer turns for a figure.
    fn every(&self) -> usize {
        match (self.series, self.len) {
            (_, LONGEST) => 1,
            (Series::Peer, _) | (_, ..BEYOND_CACHES) => 16,
            _ => 4,
        }
    }

    /// Converts all short streams once, and compares their output.
    fn check_short(&mut self, outputs: &mut [Output; 2]) -> Result<()> {
        for n in 0..if self.is_short() { self.count() } else { 0 } {
            self.streams.start([n * self.len, (self.count() + n) * self.len], self.len);
            drain(&mut self.streams, outputs)?;
        }
        Ok(())
    }

    /// Converts short streams again and again. They are in the caches, because the first round does not count.
    fn short_turn(&mut self, outputs: &mut [Output; 2]) -> Result<()> {
        let (len, count) = (self.len, self.count());
        self.streams.repeat(outputs, len, count, 1)?;
        let once = self.streams.repeat(outputs, len, count, 1)?.cpu.as_nanos();
        let times = (SHORT_TURN / once.max(1) as usize).max(1);
        let time = self.streams.repeat(outputs, len, count, times)?;
        self.add(time, times * count * len * self.streams.count());
        Ok(())
    }

    /// Converts a part of long streams. Those that have ended start again, in the part of the ring with this number.
    fn long_turn(&mut self, outputs: &mut [Output; 2], part: usize) -> Result<()> {
        if self.streams.left() == 0 {
            let at = part % 8 * (RING / 8);
            match self.series {
                Series::Split => self.streams.start_split(at, self.len),
                _ => self.streams.start([at, (at + RING / 2) % RING], self.len),
            }
        }
        let left = self.streams.left();
        let time = self.streams.advance(outputs, TURN, false)?;
        let bytes = left - self.streams.left();
        // Not the rest at the end of a stream.
        if bytes >= self.streams.count() * TURN / 2 {
            self.add(time, bytes);
        }
        Ok(())
    }

    /// Keeps the time of a turn, unless streams should have run at the same time and did not.
    fn add(&mut self, time: Time, bytes: usize) {
        if self.streams.count() == 1 || time.is_parallel() {
            self.turns.push(time.cpu.as_nanos() as f64 / bytes as f64);
        }
    }

    fn point(&self) -> Option<Point> {
        let mut turns = self.turns.clone();
        turns.sort_by(f64::total_cmp);
        let ns = *turns.get(turns.len() / 4)?;
        let mean = turns.iter().sum::<f64>() / turns.len() as f64;
        Some(Point { series: self.series, len: self.len, ns, mean, turns: turns.len() })
    }
}

/// Lets all contenders take turns until the longest streams have ended. Shorter ones start again until then. Returns the peak
/// memory in KiB when the longest streams have reached each length.
fn take_turns(
    contenders: &mut [Contender<'_>],
    outputs: &mut [Output; 2],
    mut show: impl FnMut(usize),
) -> Result<Vec<(usize, u64)>> {
    let mut peaks = Vec::new();
    let mut milestones = LENGTHS.into_iter().filter(|len| *len >= BEYOND_CACHES).peekable();
    for round in 0.. {
        for (n, contender) in contenders.iter_mut().enumerate() {
            let has_ended = contender.len == LONGEST && round > 0 && contender.streams.left() == 0;
            if has_ended || round % contender.every() != n % contender.every() {
                continue;
            }
            // In different parts of the ring, so that none reads what another one has just brought into the cache.
            if contender.is_short() { contender.short_turn(outputs)? } else { contender.long_turn(outputs, n)? }
        }
        let longest = contenders.iter().filter(|contender| contender.len == LONGEST);
        let left = longest.map(|contender| contender.streams.left() / contender.streams.count()).max();
        let done = LONGEST - left.unwrap_or_default();
        while let Some(len) = milestones.next_if(|len| *len <= done) {
            peaks.push((len, status("VmHWM")?));
        }
        if done == LONGEST {
            break;
        }
        show(done / GIB);
    }
    // What has not been compared.
    contenders.iter_mut().try_for_each(|contender| drain(&mut contender.streams, outputs).map(drop))?;
    Ok(peaks)
}

/// Sets the peak memory of this process to its present memory, and returns that in KiB.
fn reset_peak() -> Result<u64> {
    fs::write("/proc/self/clear_refs", "5").context("cannot reset the peak memory")?;
    status("VmRSS")
}

/// Returns a field of the process's status in KiB.
fn status(name: &str) -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')?.trim().strip_suffix(" kB"));
    value.with_context(|| format!("the system does not report {name}"))?.parse().context("not a number")
}
