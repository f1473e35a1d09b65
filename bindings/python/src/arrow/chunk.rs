//! Chunks of columns from outside, checked: the only place that reads their memory.
//!
//! The C data interface gives pointers without lengths. The lengths that a producer states are trusted; offsets, views and keys
//! are checked against them before memory is read.

use arrow_array::ffi::FFI_ArrowArray;
use arrow_schema::DataType;
use pyo3::{exceptions::PyTypeError, prelude::*};

/// Why an array cannot be read.
#[derive(Debug)]
pub(super) enum Invalid {
    /// It breaks the rules of Arrow. The text is a clause about the array.
    Rule(String),
    /// There is not enough memory for its list of buffers.
    Memory,
}

impl From<String> for Invalid {
    fn from(what: String) -> Self {
        Self::Rule(what)
    }
}

impl From<&str> for Invalid {
    fn from(what: &str) -> Self {
        Self::Rule(what.to_owned())
    }
}

/// How the rows of an array are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// 32-bit offsets into one buffer.
    Small,
    /// 64-bit offsets into one buffer.
    Large,
    /// Views: 12 bytes inline, or a place in one of several buffers.
    View,
    /// All rows have this many bytes.
    Fixed(usize),
    /// No memory: all rows are null.
    Null,
}

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) layout: Layout,
    /// Whether the rows are UTF-8. For [`Layout::Null`], whether a function needs UTF-8: see `Column::must_be`.
    pub(super) is_text: bool,
    /// The type of the keys, if the column is a dictionary.
    pub(super) keys: Option<DataType>,
    /// Whether the order of a dictionary has a meaning.
    pub(super) is_ordered: bool,
}

/// A column: chunks of one type.
pub(super) struct Column {
    pub(super) name: String,
    /// What the producer called the type, for messages.
    pub(super) format: String,
    /// Whether it came as a stream of chunks.
    pub(super) is_chunked: bool,
    /// `None` for types that cannot be converted. There are no chunks then.
    pub(super) kind: Option<Type>,
    pub(super) chunks: Vec<Chunk>,
}

impl Column {
    pub(super) fn len(&self) -> usize {
        self.chunks.iter().map(Chunk::len).sum()
    }

    pub(super) fn must_be_bytes(&mut self, function: &str) -> PyResult<()> {
        self.must_be(false, || {
            format!("{function} needs binary, large_binary, binary_view, fixed_size_binary or a dictionary of these")
        })
    }

    pub(super) fn must_be_text(&mut self, function: &str) -> PyResult<()> {
        self.must_be(true, || format!("{function} needs string, large_string, string_view or a dictionary of these"))
    }

    pub(super) fn must_be_labels(&mut self) -> PyResult<()> {
        self.must_be(true, || {
            "an array of encodings needs string, large_string, string_view or a dictionary of these".to_owned()
        })
    }

    /// Checks the type. A column of nulls gets the type that is needed.
    fn must_be(&mut self, text: bool, needed: impl Fn() -> String) -> PyResult<()> {
        match &mut self.kind {
            Some(kind) if kind.layout == Layout::Null => {
                kind.is_text = text;
                Ok(())
            }
            Some(kind) if kind.is_text == text => Ok(()),
            _ => Err(PyTypeError::new_err(format!("{}, not {}", needed(), self.format))),
        }
    }
}

/// A chunk whose lengths and pointers were checked against its type.
pub(super) struct Chunk {
    array: FFI_ArrowArray,
    kind: Type,
}

/// The rows of a chunk, or of the values of its dictionary.
pub(super) struct Rows<'a> {
    pub(super) len: usize,
    pub(super) validity: Option<Bits<'a>>,
    pub(super) values: Values<'a>,
}

/// The values of rows. Numbers are arrays of bytes, because no alignment is guaranteed.
pub(super) enum Values<'a> {
    /// One offset more than rows.
    Small(&'a [[u8; 4]], &'a [u8]),
    /// One offset more than rows.
    Large(&'a [[u8; 8]], &'a [u8]),
    View(&'a [[u8; 16]], Vec<&'a [u8]>),
    /// The width of a row, and all rows.
    Fixed(usize, &'a [u8]),
}

/// The keys of a dictionary.
pub(super) struct Keys<'a> {
    pub(super) kind: &'a DataType,
    pub(super) len: usize,
    pub(super) validity: Option<Bits<'a>>,
    /// Bytes of one key: 1, 2, 4 or 8.
    pub(super) width: usize,
    /// `len` keys.
    pub(super) data: &'a [u8],
}

impl Keys<'_> {
    /// Returns a key. `None` if it is null, negative or beyond any length.
    pub(super) fn get(&self, row: usize) -> Option<usize> {
        if self.validity.is_some_and(|bits| !bits.get(row)) {
            return None;
        }
        let key = self.data.get(row * self.width..(row + 1) * self.width)?;
        macro_rules! key {
            ($signed:ty, $unsigned:ty) => {{
                let key = key.try_into().ok()?;
                if self.kind.is_signed_integer() {
                    usize::try_from(<$signed>::from_ne_bytes(key)).ok()
                } else {
                    usize::try_from(<$unsigned>::from_ne_bytes(key)).ok()
                }
            }};
        }
        match self.width {
            1 => key!(i8, u8),
            2 => key!(i16, u16),
            4 => key!(i32, u32),
            _ => key!(i64, u64),
        }
    }
}

/// A bitmap. Bits past the end of its bytes are not set.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Bits<'a> {
    /// No bit is set.
    const ZEROS: Self = Self { bytes: &[], offset: 0 };

    pub(super) fn get(&self, row: usize) -> bool {
        let bit = self.offset + row;
        self.bytes.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    /// The bytes, and the bit in them where the rows start.
    pub(super) fn parts(&self) -> (&'a [u8], usize) {
        (self.bytes, self.offset)
    }
}

impl Chunk {
    /// Checks a chunk.
    pub(super) fn new(array: FFI_ArrowArray, kind: &Type) -> Result<Self, Invalid> {
        if array.is_released() {
            return Err("it was released before".into());
        }
        check(&array, kind.keys.as_ref().map_or(kind.layout, |_| Layout::Fixed(0)))?;
        let chunk = Self { array, kind: kind.clone() };
        if kind.keys.is_some() {
            let values = chunk.array.dictionary().ok_or("it has no dictionary")?;
            check(values, kind.layout)?;
        }
        // Report errors of the whole array now, before any row is read.
        chunk.keys()?;
        chunk.rows()?;
        Ok(chunk)
    }

    pub(super) fn len(&self) -> usize {
        self.array.len()
    }

    /// The rows, or the values of the dictionary.
    pub(super) fn rows(&self) -> Result<Rows<'_>, Invalid> {
        let array = match self.kind.keys {
            None => &self.array,
            Some(_) => self.array.dictionary().ok_or("it has no dictionary")?,
        };
        let (len, offset) = (array.len(), array.offset());
        let end = len + offset;
        let values = match self.kind.layout {
            Layout::Small => {
                let (offsets, last) = offsets::<4>(array, end)?;
                let last = usize::try_from(i32::from_ne_bytes(last)).map_err(|_| NEGATIVE)?;
                Values::Small(offsets.get(offset..).unwrap_or_default(), bytes(array, 2, last)?)
            }
            Layout::Large => {
                let (offsets, last) = offsets::<8>(array, end)?;
                let last = usize::try_from(i64::from_ne_bytes(last)).map_err(|_| NEGATIVE)?;
                Values::Large(offsets.get(offset..).unwrap_or_default(), bytes(array, 2, last)?)
            }
            Layout::View => {
                let views = elements::<16>(array, 1, end)?;
                Values::View(views.get(offset..).unwrap_or_default(), buffers(array)?)
            }
            Layout::Fixed(width) => {
                let all = bytes(array, 1, end.checked_mul(width).ok_or(TOO_LONG)?)?;
                Values::Fixed(width, all.get(offset * width..).unwrap_or_default())
            }
            Layout::Null => return Ok(Rows { len, validity: Some(Bits::ZEROS), values: Values::Fixed(0, &[]) }),
        };
        Ok(Rows { len, validity: validity(array)?, values })
    }

    /// The keys, if it is a dictionary.
    pub(super) fn keys(&self) -> Result<Option<Keys<'_>>, Invalid> {
        let Some(kind) = &self.kind.keys else { return Ok(None) };
        let width = kind.primitive_width().ok_or("its keys are no integers")?;
        let (len, offset) = (self.array.len(), self.array.offset());
        let all = bytes(&self.array, 1, (len + offset).checked_mul(width).ok_or(TOO_LONG)?)?;
        let data = all.get(offset * width..).unwrap_or_default();
        Ok(Some(Keys { kind, len, validity: validity(&self.array)?, width, data }))
    }

    /// Whether the values of two dictionaries are the same memory.
    pub(super) fn shares_values_with(&self, other: &Self) -> bool {
        let (Some(a), Some(b)) = (self.array.dictionary(), other.array.dictionary()) else { return false };
        let header = |array: &FFI_ArrowArray| (array.len(), array.offset(), array.num_buffers());
        self.kind == other.kind && header(a) == header(b) && (0..a.num_buffers()).all(|n| a.buffer(n) == b.buffer(n))
    }
}

const NEGATIVE: &str = "its last offset is negative";
const TOO_LONG: &str = "it is longer than memory can be";

/// Checks lengths and the number of buffers.
fn check(array: &FFI_ArrowArray, layout: Layout) -> Result<(), Invalid> {
    let FFI_ArrowArray { length, offset, n_buffers, .. } = *array;
    if length < 0 || offset < 0 {
        return Err(format!("its length is {length} and its offset {offset}").into());
    }
    // So that `16 * (length + offset + 1)`, the longest buffer of fixed elements, is a length of memory.
    if length.checked_add(offset).is_none_or(|end| end >= i64::MAX / 32) || usize::try_from(length + offset).is_err() {
        return Err(TOO_LONG.into());
    }
    let is_right = match layout {
        // Without buffers, the pointer to them may be null. Polars has one, against the rules; it is not read.
        Layout::Null if (0..=1).contains(&n_buffers) => return Ok(()),
        Layout::Null => false,
        Layout::Fixed(_) => n_buffers == 2,
        Layout::Small | Layout::Large => n_buffers == 3,
        // The buffers of views are the views, any number of buffers of data, and their lengths.
        Layout::View => (3..1 << 32).contains(&n_buffers),
    };
    if !is_right || array.buffers.is_null() {
        return Err(format!("it has {n_buffers} buffers").into());
    }
    if array.null_count > 0 && array.buffer(0).is_null() {
        return Err("it has nulls, but no bitmap of them".into());
    }
    Ok(())
}

fn validity(array: &FFI_ArrowArray) -> Result<Option<Bits<'_>>, Invalid> {
    if array.buffer(0).is_null() {
        return Ok(None);
    }
    let bytes = bytes(array, 0, (array.len() + array.offset()).div_ceil(8))?;
    Ok(Some(Bits { bytes, offset: array.offset() }))
}

/// The offsets of `end` rows, and the last of them.
fn offsets<const N: usize>(array: &FFI_ArrowArray, end: usize) -> Result<(&[[u8; N]], [u8; N]), Invalid> {
    // An empty array may have no offsets.
    if array.is_empty() {
        return Ok((&[], [0; N]));
    }
    let offsets = elements::<N>(array, 1, end + 1)?;
    Ok((offsets, offsets.last().copied().unwrap_or([0; N])))
}

/// The buffers of data that views point into.
fn buffers(array: &FFI_ArrowArray) -> Result<Vec<&[u8]>, Invalid> {
    let last = array.num_buffers() - 1;
    let lengths = elements::<8>(array, last, last - 2)?;
    let mut buffers = Vec::new();
    for (n, &len) in lengths.iter().enumerate() {
        let len = usize::try_from(i64::from_ne_bytes(len)).map_err(|_| "the length of a buffer is negative")?;
        // One by one: their number is only what the producer states.
        buffers.try_reserve(1).map_err(|_| Invalid::Memory)?;
        buffers.push(bytes(array, n + 2, len)?);
    }
    Ok(buffers)
}

/// The first `len` bytes of a buffer.
fn bytes(array: &FFI_ArrowArray, buffer: usize, len: usize) -> Result<&[u8], Invalid> {
    Ok(elements::<1>(array, buffer, len)?.as_flattened())
}

/// The first `len` elements of `N` bytes of a buffer.
fn elements<const N: usize>(array: &FFI_ArrowArray, buffer: usize, len: usize) -> Result<&[[u8; N]], Invalid> {
    if len == 0 {
        return Ok(&[]);
    }
    if len.checked_mul(N).is_none_or(|size| isize::try_from(size).is_err()) {
        return Err(TOO_LONG.into());
    }
    // `array.buffers` is not null and `buffer < n_buffers`: see `check`.
    let start = array.buffer(buffer);
    if start.is_null() {
        return Err(format!("its buffer {buffer} is missing").into());
    }
    // By the C data interface, a buffer that is not null has as many elements as the lengths of the array and, for data, its last
    // offset or the buffer of lengths say. Until `release` is called, they exist and do not change, with or without the GIL.
    //
    // SAFETY: there are `len` elements, as said above; `array` is borrowed, so it is not released while the slice exists. Arrays of
    // bytes have no alignment, and `N * len <= isize::MAX` was checked above.
    Ok(unsafe { std::slice::from_raw_parts(start.cast::<[u8; N]>(), len) })
}
