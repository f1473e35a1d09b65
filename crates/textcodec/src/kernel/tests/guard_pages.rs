//! Runs every kernel of every level next to inaccessible pages. Source and destination both begin or both end at such a page,
//! so an access outside of them ends the process. A debugger then shows the kernel; the rounds have fixed seeds.
//!
//! The results are compared with those of the scalar reference in ordinary memory.

use core::{fmt::Debug, mem::ManuallyDrop};
use std::{string::String, vec, vec::Vec};

use testkit::{
    guard::{Edge, Guarded, Unit},
    rounds,
};

use super::{
    differential::{self, Form},
    gb18030,
};
use crate::{
    index::{self, gb18030_ranges::FOUR_BYTE_RUNS},
    kernel::{
        Kernels, Out, SCALAR, short,
        tables::{ByteOrder, EscapeState, EscapedPairs, Escapes, ToByte, ToBytes, UpperHalf},
        utf16::Utf16Kernels,
    },
};

/// Returns all lengths up to several steps of the widest kernel, and some near the sizes of larger blocks.
pub(super) fn lengths() -> impl Iterator<Item = usize> {
    (0..=300).chain([511, 512, 1023, 1024, 1025, 2047, 4096 + 7])
}

/// The source of a kernel: a slice of units or a `str`.
pub(super) trait Source {
    type Unit: Unit;

    fn units(&self) -> &[Self::Unit];

    /// Returns the source of a copy of [`units`](Self::units).
    fn of_units(units: &[Self::Unit]) -> &Self;
}

impl<T: Unit> Source for [T] {
    type Unit = T;

    fn units(&self) -> &[T] {
        self
    }

    fn of_units(units: &[T]) -> &Self {
        units
    }
}

impl Source for str {
    type Unit = u8;

    fn units(&self) -> &[u8] {
        self.as_bytes()
    }

    fn of_units(units: &[u8]) -> &Self {
        core::str::from_utf8(units).expect("a copy of a `str`")
    }
}

/// The memory in which kernels run.
pub(super) struct Memory {
    src: Guarded,
    dst: Guarded,
    random: fastrand::Rng,
}

impl Memory {
    /// Allocates the memory. Returns `None` on platforms without memory protection.
    pub(super) fn new() -> Option<Self> {
        let [src, dst] = [(); 2].map(|()| Guarded::new(1 << 16));
        Some(Self { src: src?, dst: dst?, random: fastrand::Rng::with_seed(31) })
    }

    /// Compares a kernel that writes nothing with its scalar reference.
    #[track_caller]
    pub(super) fn validate<S: Source + ?Sized>(&mut self, src: &S, [scalar, kernel]: [impl Fn(&S) -> usize; 2]) {
        let expected = scalar(src);
        for edge in Edge::BOTH {
            let src = S::of_units(self.src.copy(src.units(), edge));
            assert_eq!(kernel(src), expected, "{edge:?}");
        }
    }

    /// Compares a kernel with its scalar reference, for destinations that are too small, exact and larger. A unit of the source
    /// becomes at most `max_per_unit` units.
    #[track_caller]
    pub(super) fn convert<S: Source + ?Sized, T: Unit + Default + PartialEq + Debug>(
        &mut self,
        src: &S,
        max_per_unit: usize,
        [scalar, kernel]: [impl Fn(&S, &mut Out<'_, T>) -> usize; 2],
    ) {
        const CANARY: usize = 64;
        let mut expected = vec![T::default(); src.units().len() * max_per_unit];
        let mut out = Out::new(&mut expected);
        scalar(src, &mut out);
        let len = out.filled();
        let random = &mut self.random;
        let (less, more, few) = (random.usize(..=len), len + random.usize(1..=80), random.usize(..=80));
        for capacity in [len, less, more, few, src.units().len() * max_per_unit + 80] {
            let mut expected = vec![T::default(); capacity];
            let mut out = Out::new(&mut expected);
            let read = scalar(src, &mut out);
            let written = out.filled();
            for edge in Edge::BOTH {
                let src = S::of_units(self.src.copy(src.units(), edge));
                let dst = self.dst.buffer::<T>(capacity + CANARY, edge);
                dst.fill(T::default());
                let (dst, canary) = match edge {
                    Edge::Start => dst.split_at_mut(capacity),
                    Edge::End => {
                        let (canary, dst) = dst.split_at_mut(CANARY);
                        (dst, canary)
                    }
                };
                let mut out = Out::new(dst);
                assert_eq!((kernel(src, &mut out), out.filled()), (read, written), "{edge:?}, capacity {capacity}");
                assert_eq!(dst[..written], expected[..written], "{edge:?}, capacity {capacity}");
                assert!(canary.iter().all(|&unit| unit == T::default()), "{edge:?}: written outside the destination");
            }
        }
    }
}

/// The tables for the kernels, and the bytes or code units that they map.
struct Tables {
    single_byte: Vec<(&'static UpperHalf, Vec<u8>, &'static ToByte)>,
    #[cfg(feature = "oem")]
    permuted: Vec<(&'static [u8; 256], &'static UpperHalf)>,
    forms: [Form; 4],
    to_bytes: Vec<(&'static ToBytes, Vec<u16>)>,
    escaped: EscapedPairs,
    escapes: Escapes,
}

impl Tables {
    fn new() -> Self {
        use index::encode::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};
        let single_byte = differential::single_byte_tables().into_iter();
        let mapped = |upper: &UpperHalf| (128..=255).filter(|&byte| upper.get(usize::from(byte) - 128) != 0).collect();
        let to_bytes: [&ToBytes; 7] = [&SHIFT_JIS, &EUC_JP, &EUC_KR, &BIG5, &GBK, &GB18030, &ISO_2022_JP];
        Self {
            single_byte: single_byte.map(|(upper, table)| (upper, mapped(upper), table)).collect(),
            #[cfg(feature = "oem")]
            permuted: differential::permuted_tables(),
            forms: differential::forms(guarded_table),
            to_bytes: to_bytes.map(|table| (table, differential::mapped(table))).into(),
            escaped: differential::escaped_pairs(guarded_table(&index::JIS0208)),
            escapes: differential::escapes(),
        }
    }
}

/// Returns a copy of a table that ends where the accessible memory ends.
fn guarded_table(cells: &'static [u16]) -> &'static [u16] {
    let mut memory = ManuallyDrop::new(Guarded::new(size_of_val(cells)).expect("memory protection is available"));
    let copy: *const [u16] = memory.copy(cells, Edge::End);
    // SAFETY: `copy` points to an initialised copy of `cells`, which is neither written again nor freed: `ManuallyDrop`.
    unsafe { &*copy }
}

#[test]
fn kernels_stay_within_their_buffers() {
    let Some(mut memory) = Memory::new() else { return };
    let tables = Tables::new();
    for _ in 0..rounds(4) {
        for len in lengths() {
            for level in Kernels::available() {
                every_kernel(level, len, &tables, &mut memory);
            }
        }
    }
}

/// Runs all kernels of a level with sources of about `len` units.
#[expect(clippy::too_many_lines, reason = "one entry per kernel, in the order of the table")]
fn every_kernel(level: &'static Kernels, len: usize, tables: &Tables, memory: &mut Memory) {
    // All fields by name, so the compiler reports a kernel that is missing here.
    let Kernels {
        name: _,
        // By `permuted_to_utf8` and `permuted_to_utf16`.
        #[cfg(feature = "oem")]
            fused: _,
        ascii_prefix,
        ascii_prefix_without,
        ascii_copy,
        utf8_prefix,
        utf8_copy,
        utf8_to_utf16,
        str_to_utf16le,
        str_to_utf16be,
        utf16_prefix,
        utf16le_to_utf8,
        utf16be_to_utf8,
        utf16_replaced,
        utf16_to_bytes,
        single_byte_to_utf8,
        single_byte_from_utf8,
        latin1_to_utf8,
        latin1_from_utf8,
        #[cfg(feature = "oem")]
        permute,
        double_byte_to_utf8,
        four_bytes_to_utf16,
        double_byte_from_utf16,
        escaped_to_utf8,
        escaped_from_utf16,
    } = *level;
    let Utf16Kernels {
        ascii_to_utf16,
        ascii_from_utf16,
        utf16_from_bytes,
        single_byte_to_utf16,
        single_byte_from_utf16,
        latin1_to_utf16,
        latin1_from_utf16,
        double_byte_to_utf16,
        escaped_to_utf16,
    } = *level.utf16();
    let mut random = memory.random.fork();
    let random = &mut random;

    let bytes = differential::text(len, random, |byte| byte, |random| random.u8(..128), |random| random.u8(128..));
    let units = differential::text(len, random, u16::from, |random| random.u16(..128), |random| random.u16(128..));
    let excluded = [random.u8(..), random.u8(..), random.u8(..)];
    memory.validate(&bytes[..], [SCALAR.ascii_prefix, ascii_prefix]);
    memory.validate(
        &bytes[..],
        [SCALAR.ascii_prefix_without, ascii_prefix_without].map(|kernel| move |src: &[u8]| kernel(excluded, src)),
    );
    memory.convert(&bytes[..], 1, [SCALAR.ascii_copy, ascii_copy]);
    memory.convert(&bytes[..], 1, [SCALAR.utf16().ascii_to_utf16, ascii_to_utf16]);
    memory.convert(&units[..], 1, [SCALAR.utf16().ascii_from_utf16, ascii_from_utf16]);

    let text = differential::characters(len, random);
    let bytes = differential::maybe_utf8(&text, len, random.bool(), random);
    memory.validate(&bytes[..], [SCALAR.utf8_prefix, utf8_prefix]);
    memory.convert(&bytes[..], 1, [SCALAR.utf8_copy, utf8_copy]);
    memory.convert(&bytes[..], 1, [SCALAR.utf8_to_utf16, utf8_to_utf16]);
    memory.convert(&text[..], 1, [SCALAR.str_to_utf16le, str_to_utf16le]);
    memory.convert(&text[..], 1, [SCALAR.str_to_utf16be, str_to_utf16be]);

    let mut units: Vec<u16> = differential::characters(3 * len, random).encode_utf16().take(len).collect();
    if len > 0 && random.bool() {
        units[random.usize(..len)] = random.u16(0xD800..0xE000);
    }
    memory.validate(&units[..], [SCALAR.utf16_prefix, utf16_prefix]);
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let mut bytes: Vec<u8> = units.iter().flat_map(|&unit| order.bytes(unit)).collect();
        memory.convert(
            &bytes[..],
            3,
            match order {
                ByteOrder::Little => [SCALAR.utf16le_to_utf8, utf16le_to_utf8],
                ByteOrder::Big => [SCALAR.utf16be_to_utf8, utf16be_to_utf8],
            }
            .map(|kernel| move |src: &[u8], out: &mut Out<'_, u8>| kernel(src.as_chunks().0, out)),
        );
        bytes.extend([0xD8].iter().take(random.usize(..2)));
        memory.convert(
            &bytes[..],
            1,
            [SCALAR.utf16().utf16_from_bytes, utf16_from_bytes]
                .map(|kernel| move |src: &[u8], out: &mut Out<'_, u16>| kernel(order, src, out)),
        );
        memory.convert(
            &bytes[..],
            1,
            [SCALAR.utf16_replaced, utf16_replaced]
                .map(|kernel| move |src: &[u8], out: &mut Out<'_, u16>| kernel(order, src, out, &mut 0)),
        );
        memory.convert(
            &units[..],
            2,
            [SCALAR.utf16_to_bytes, utf16_to_bytes]
                .map(|kernel| move |src: &[u16], out: &mut Out<'_, u8>| kernel(order, src, out)),
        );
    }

    let &(upper, ref mapped, table) = &tables.single_byte[random.usize(..tables.single_byte.len())];
    // All mapped bytes, or only those of the upper half, which are mostly letters.
    let from = if random.bool() { 0 } else { mapped.len() / 2 };
    let other = |random: &mut fastrand::Rng| mapped[random.usize(from..mapped.len())];
    let bytes = differential::text(len, random, |byte| byte, other, |random| random.u8(..));
    memory.convert(&bytes[..], 3, with(upper, [SCALAR.single_byte_to_utf8, single_byte_to_utf8]));
    memory.convert(&bytes[..], 1, with(upper, [SCALAR.utf16().single_byte_to_utf16, single_byte_to_utf16]));

    let other = |random: &mut fastrand::Rng| upper.get(usize::from(mapped[random.usize(..mapped.len())]) - 128);
    let units = differential::text(len, random, u16::from, other, |random| random.u16(..));
    let text = String::from_utf16_lossy(&units);
    memory.convert(&text[..], 1, with(table, [SCALAR.single_byte_from_utf8, single_byte_from_utf8]));
    memory.convert(&units[..], 1, with(table, [SCALAR.utf16().single_byte_from_utf16, single_byte_from_utf16]));

    let bytes = differential::text(len, random, |byte| byte, |random| random.u8(128..), |random| random.u8(..));
    let units = differential::text(len, random, u16::from, |random| random.u16(128..256), |random| random.u16(..));
    let text = String::from_utf16_lossy(&units);
    memory.convert(&bytes[..], 2, [SCALAR.latin1_to_utf8, latin1_to_utf8]);
    memory.convert(&bytes[..], 1, [SCALAR.utf16().latin1_to_utf16, latin1_to_utf16]);
    // Only the result for UTF-8 is specified.
    memory.convert(text.as_bytes(), 1, [SCALAR.latin1_from_utf8, latin1_from_utf8]);
    memory.convert(&units[..], 1, [SCALAR.utf16().latin1_from_utf16, latin1_from_utf16]);
    #[cfg(feature = "oem")]
    {
        let bytes: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
        let table = &differential::byte_table(random);
        memory.convert(&bytes[..], 1, with(table, [SCALAR.permute, permute]));

        let (order, upper) = tables.permuted[random.usize(..tables.permuted.len())];
        let levels = [&SCALAR, level];
        let to_utf8 = |level: &'static Kernels| {
            move |src: &[u8], out: &mut Out<'_, u8>| level.permuted_to_utf8(order, upper, src, out)
        };
        let to_utf16 = |level: &'static Kernels| {
            move |src: &[u8], out: &mut Out<'_, u16>| level.permuted_to_utf16(order, upper, src, out)
        };
        memory.convert(&bytes[..], 3, levels.map(to_utf8));
        memory.convert(&bytes[..], 1, levels.map(to_utf16));
    }

    for form in &tables.forms {
        let bytes = differential::pairs_of_bytes(len, random, form);
        let pairs = &form.pairs;
        memory.convert(&bytes[..], 3, with(pairs, [SCALAR.double_byte_to_utf8, double_byte_to_utf8]));
        memory.convert(&bytes[..], 1, with(pairs, [SCALAR.utf16().double_byte_to_utf16, double_byte_to_utf16]));
    }
    let [.., form] = &tables.forms;
    let bytes = gb18030::four_bytes(len, random, form);
    let four = |kernel| {
        move |src: &[u8], out: &mut Out<'_, u16>| gb18030::to_utf16(kernel, &FOUR_BYTE_RUNS, &form.pairs, src, out)
    };
    memory.convert(&bytes[..], 1, [SCALAR.four_bytes_to_utf16, four_bytes_to_utf16].map(four));
    let &(table, ref mapped) = &tables.to_bytes[random.usize(..tables.to_bytes.len())];
    let units = differential::encodable(len, random, mapped);
    memory.convert(&units[..], 4, with(table, [SCALAR.double_byte_from_utf16, double_byte_from_utf16]));

    let bytes = differential::escaped_bytes(len, random);
    let escaped = &tables.escaped;
    let state = EscapeState { pairs: random.bool(), escaped: random.bool() };
    memory.convert(
        &bytes[..],
        2,
        [SCALAR.escaped_to_utf8, escaped_to_utf8]
            .map(|kernel| move |src: &[u8], out: &mut Out<'_, u8>| kernel(escaped, &mut { state }, src, out)),
    );
    memory.convert(
        &bytes[..],
        1,
        [SCALAR.utf16().escaped_to_utf16, escaped_to_utf16]
            .map(|kernel| move |src: &[u8], out: &mut Out<'_, u16>| kernel(escaped, &mut { state }, src, out)),
    );
    let units = differential::encodable(len, random, &tables.to_bytes[6].1);
    let (escapes, pairs) = (&tables.escapes, random.bool());
    memory.convert(
        &units[..],
        5,
        [SCALAR.escaped_from_utf16, escaped_from_utf16]
            .map(|kernel| move |src: &[u16], out: &mut Out<'_, u8>| kernel(escapes, &mut { pairs }, src, out)),
    );
}

/// A kernel that takes a table.
type Kernel<A, S, T> = fn(&A, &S, &mut Out<'_, T>) -> usize;

/// Binds a table to a kernel and its scalar reference.
fn with<A, S: ?Sized, T>(table: &A, kernels: [Kernel<A, S, T>; 2]) -> [impl Fn(&S, &mut Out<'_, T>) -> usize; 2] {
    kernels.map(|kernel| move |src: &S, out: &mut Out<'_, T>| kernel(table, src, out))
}

#[test]
fn short_inputs_stay_within_their_buffers() {
    /// Turns a function that converts all or nothing into a kernel.
    fn whole<S, T>(convert: impl Fn(&[S], &mut Out<'_, T>) -> bool) -> impl Fn(&[S], &mut Out<'_, T>) -> usize {
        move |src, out| if convert(src, out) { src.len() } else { 0 }
    }
    let Some(mut memory) = Memory::new() else { return };
    for len in (0..140).chain(0..140).chain(0..140).chain(0..140) {
        let mut random = memory.random.fork();
        let last = [0x7F, 0xFF, 0xFFFF][random.usize(..3)];
        let units: Vec<u16> = (0..len).map(|_| random.u16(..=last)).collect();
        let bytes: Vec<u8> = units.iter().map(|&unit| unit.min(0xFF) as u8).collect();
        memory.validate(&bytes[..], [|src: &[u8]| usize::from(short::is_short_ascii(src)); 2]);
        memory.validate(&units[..], [|src: &[u16]| usize::from(short::has_no_surrogate(src)); 2]);
        memory.convert(&bytes[..], 1, [(); 2].map(|()| whole(short::ascii_copy)));
        memory.convert(&bytes[..], 1, [(); 2].map(|()| whole(short::latin1_to_utf16)));
        memory.convert(&units[..], 1, [(); 2].map(|()| whole(short::latin1_from_utf16)));
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let from_bytes = move |src: &[u8], out: &mut Out<'_, u16>| {
                let is_converted = short::utf16_from_bytes(order, src, out);
                if is_converted { src.len() } else { 0 }
            };
            memory.convert(&bytes[..], 1, [from_bytes; 2]);
            let to_utf16 = move |src: &[u8], out: &mut Out<'_, u16>| short::ascii_to_utf16(order, src, out);
            memory.convert(&bytes[..], 1, [(); 2].map(|()| whole(to_utf16)));
            let in_order: Vec<u8> = units.iter().flat_map(|&unit| order.bytes(unit)).collect();
            let from_bytes =
                move |src: &[u8], out: &mut Out<'_, u8>| short::ascii_from_utf16(order, src.as_chunks().0, out);
            memory.convert(&in_order[..], 1, [(); 2].map(|()| whole(from_bytes)));
        }
    }
}

/// Tests that kernels which access one unit too many end the process. For this, the program runs itself with the name of such a
/// kernel.
#[cfg(all(any(unix, windows), not(miri)))]
#[test]
fn out_of_bounds_access_is_fatal() {
    use std::{env, process::Command};

    const NAME: &str = "kernel::tests::guard_pages::out_of_bounds_access_is_fatal";
    const VARIABLE: &str = "TEXTCODEC_OUT_OF_BOUNDS";
    if let Ok(name) = env::var(VARIABLE) {
        let (_, access) = ACCESSES.into_iter().find(|(access, _)| *access == name).expect("the name of an access");
        let mut memory = Memory::new().expect("memory protection is available");
        return memory.convert(&b"text"[..], 1, [|_: &[u8], _: &mut Out<'_, u8>| 0, access]);
    }
    for (name, _) in ACCESSES {
        let mut child = Command::new(env::current_exe().expect("the program's path"));
        let output = match child.args([NAME, "--exact", "--nocapture"]).env(VARIABLE, name).output() {
            // Under an emulator, the result may be that of a shell which finds no program.
            Ok(output) if output.status.code() != Some(127) => output,
            result => return std::eprintln!("SKIPPED: this program cannot run itself: {result:?}"),
        };
        // SIGSEGV, or SIGBUS, which has two numbers.
        #[cfg(unix)]
        let by_signal = matches!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(11 | 7 | 10));
        // STATUS_ACCESS_VIOLATION
        #[cfg(windows)]
        let by_signal = output.status.code().map(i32::cast_unsigned) == Some(0xC000_0005);
        let by_sanitizer = String::from_utf8_lossy(&output.stderr).contains("AddressSanitizer:DEADLYSIGNAL");
        assert!(by_signal || by_sanitizer, "{name}: {output:?}");
    }
}

#[cfg(all(any(unix, windows), not(miri)))]
type Access = fn(&[u8], &mut Out<'_, u8>) -> usize;

/// Kernels with an access out of bounds. They write the value that is already there, so canaries would not detect them.
#[cfg(all(any(unix, windows), not(miri)))]
const ACCESSES: [(&str, Access); 4] = [
    ("read before the start", |src, _| {
        // SAFETY: none: out of bounds on purpose, in a child process. The guard page stops it.
        unsafe { src.as_ptr().sub(1).read_volatile() };
        0
    }),
    ("read past the end", |src, _| {
        // SAFETY: none: out of bounds on purpose, in a child process. The guard page stops it.
        unsafe { src.as_ptr_range().end.read_volatile() };
        0
    }),
    ("write before the start", |_, out| {
        // SAFETY: none: out of bounds on purpose, in a child process. The guard page stops it.
        unsafe { out.spare().as_mut_ptr().sub(1).write_volatile(core::mem::MaybeUninit::new(0)) };
        0
    }),
    ("write past the end", |_, out| {
        // SAFETY: none: out of bounds on purpose, in a child process. The guard page stops it.
        unsafe { out.spare().as_mut_ptr_range().end.write_volatile(core::mem::MaybeUninit::new(0)) };
        0
    }),
];
