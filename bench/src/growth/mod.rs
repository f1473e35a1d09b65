//! The cost of streams as their length grows: `cargo xtask bench --growth`.

use bench_abi::Operation;

mod plot;
mod report;
mod run;
mod source;
mod stream;

pub(crate) use report::{print, record};
pub(crate) use run::{run, smoke};

/// A conversion whose streams are measured.
pub(crate) struct Row {
    pub(crate) title: &'static str,
    operation: Operation,
    encoding: &'static str,
    text: &'static str,
    /// The operation of engines that do not decode, but convert between UTF forms.
    form: Option<Operation>,
}

const fn row(title: &'static str, encoding: &'static str, text: &'static str) -> Row {
    Row { title, operation: Operation::DecodeToUtf8, encoding, text, form: None }
}

const ROWS: [Row; 8] = [
    Row {
        operation: Operation::DecodeToUtf16,
        form: Some(Operation::Utf8ToUtf16),
        ..row("UTF-8 → UTF-16, Japanese", "UTF-8", "ja")
    },
    Row { form: Some(Operation::Utf16ToUtf8), ..row("UTF-16LE → UTF-8, Japanese", "UTF-16LE", "ja") },
    row("windows-1252 → UTF-8, French", "windows-1252", "fr"),
    row("windows-1251 → UTF-8, Russian", "windows-1251", "ru"),
    row("Shift_JIS → UTF-8, Japanese", "Shift_JIS", "ja"),
    row("gb18030 → UTF-8, Chinese", "gb18030", "zh_cn"),
    row("EUC-KR → UTF-8, Korean", "EUC-KR", "ko"),
    row("ISO-2022-JP → UTF-8, Japanese", "ISO-2022-JP", "ja"),
];

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Series {
    /// One stream on one thread.
    One,
    /// Two streams, each on its own thread with its own decoder.
    Two,
    /// One input on two threads, split with `split_point`.
    Split,
    /// One stream of the fastest peer.
    Peer,
    /// One stream that is copied.
    Copy,
    /// Two streams that are copied, each on its own thread.
    TwoCopies,
}

impl Series {
    pub(crate) const ALL: [Self; 6] = [Self::One, Self::Two, Self::Split, Self::Peer, Self::Copy, Self::TwoCopies];

    fn name(self) -> &'static str {
        match self {
            Self::One => "one stream",
            Self::Two => "two streams",
            Self::Split => "one input on two threads",
            Self::Peer => "fastest peer",
            Self::Copy => "copy",
            Self::TwoCopies => "two copies",
        }
    }

    /// Returns the number of streams at the same time.
    fn streams(self) -> usize {
        if matches!(self, Self::Two | Self::Split | Self::TwoCopies) { 2 } else { 1 }
    }

    /// Returns whether streams of this length are measured.
    fn includes(self, len: usize) -> bool {
        match self {
            Self::One | Self::Two | Self::Peer | Self::Copy => true,
            Self::Split => (BEYOND_CACHES..=GIB).contains(&len),
            Self::TwoCopies => len <= GIB,
        }
    }
}

/// The cost of the streams of a series that have the same length, in nanoseconds for each byte of input.
pub(crate) struct Point {
    series: Series,
    /// The length of each stream in bytes.
    len: usize,
    /// The lower quartile of the turns.
    ns: f64,
    /// The mean of the turns.
    mean: f64,
    turns: usize,
}

/// The results of a row.
pub(crate) struct Figures {
    row: &'static Row,
    ours: String,
    peer: Option<String>,
    points: Vec<Point>,
    /// The memory of the process in KiB, before the first stream beyond the caches.
    before: u64,
    /// The peak memory in KiB, when the longest stream has reached each length.
    peaks: Vec<(usize, u64)>,
    /// Peers whose output differs, and how.
    left_out: Vec<String>,
}

impl Figures {
    fn ns(&self, series: Series, len: usize) -> Option<f64> {
        self.points.iter().find(|point| point.series == series && point.len == len).map(|point| point.ns)
    }

    /// Returns the speed in GB/s of input.
    fn speed(&self, series: Series, len: usize) -> Option<f64> {
        self.ns(series, len).map(f64::recip)
    }

    /// Returns how much the time for a byte differs between the lengths beyond the caches: 0.05 for 5 %.
    fn spread(&self, series: Series) -> Option<f64> {
        let times = || self.points.iter().filter(|p| p.series == series && p.len >= BEYOND_CACHES).map(|p| p.ns);
        let (least, most) = (times().min_by(f64::total_cmp)?, times().max_by(f64::total_cmp)?);
        Some(most / least - 1.0)
    }
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const GIB: usize = 1 << 30;

pub(crate) const LENGTHS: [usize; 6] = [KIB, 64 * KIB, MIB, 64 * MIB, GIB, LONGEST];
const LONGEST: usize = 16 * GIB;
/// Streams from this length are read from memory and written to memory. Shorter ones stay in the caches.
const BEYOND_CACHES: usize = 64 * MIB;
/// The length of the ring of input.
const RING: usize = 256 * MIB;
/// The memory for the output of each thread.
const OUTPUT: usize = 128 * MIB;
