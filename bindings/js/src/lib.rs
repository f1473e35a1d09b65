//! The WebAssembly module of the npm package. Its functions take and return only numbers.
//!
//! Bytes and text cross the boundary in buffers of this module's memory, which every call reuses: [`reserve_input`] and
//! [`reserve_units`] return those of the input. What a call has done is at [`outcome`], as 32-bit numbers: see [`Outcome`].
//!
//! Nothing here outlives a call. A stream is a few numbers, which JavaScript keeps: see [`Outcome::state`]. So the caller can
//! discard an instance that has failed, and continue with a new one.
//!
//! Encodings are numbers: indexes into [`Encoding::ALL`].

mod buffer;
mod decode;
mod encode;

use std::cell::RefCell;

use textcodec::Encoding;

use buffer::Buffer;

/// Half as large as the standard library's allocator.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The result of a function: the call succeeded.
const OK: u32 = 0;
/// There is malformed input, and the caller asked to stop there.
const MALFORMED: u32 = 1;
/// There is an unmappable character, and the caller asked to stop there. It has been read.
const UNMAPPABLE: u32 = 2;
/// There is not enough memory. Nothing has changed.
const NO_MEMORY: u32 = 3;

/// What JavaScript reads after a call. Addresses are valid until the next call.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// Where the text or the bytes are.
    address: u32,
    /// The number of code units or bytes.
    len: u32,
    /// The form of decoded text: a [`Form`](decode::Form).
    form: u32,
    /// The state in which the next chunk starts: a [`DecoderState`](textcodec::DecoderState) or
    /// [`EncoderState`](textcodec::EncoderState).
    state: u32,
    /// The number of bytes of an incomplete character at the end of the chunk, which the next call takes again.
    pending_len: u32,
    /// These bytes, from the lowest eight bits on.
    pending: u32,
    /// The number of code units read.
    read: u32,
    /// The unmappable character.
    code_point: u32,
    /// Where the list of errors is: see [`decode`] and [`encode`].
    list: u32,
    /// The number of errors in the list.
    list_len: u32,
}

struct Module {
    input: Buffer<u8>,
    units: Buffer<u16>,
    text: Buffer<u16>,
    bytes: Buffer<u8>,
    list: Vec<u32>,
    outcome: Outcome,
}

thread_local! {
    static MODULE: RefCell<Module> = const {
        RefCell::new(Module {
            input: Buffer::new(),
            units: Buffer::new(),
            text: Buffer::new(),
            bytes: Buffer::new(),
            list: Vec::new(),
            outcome: Outcome {
                address: 0,
                len: 0,
                form: 0,
                state: 0,
                pending_len: 0,
                pending: 0,
                read: 0,
                code_point: 0,
                list: 0,
                list_len: 0,
            },
        })
    };
}

/// There is not enough memory.
struct NoMemory;

fn with<R>(act: impl FnOnce(&mut Module) -> R) -> R {
    MODULE.with_borrow_mut(act)
}

/// Runs a call, and returns its result.
fn call(act: impl FnOnce(&mut Module) -> Result<u32, NoMemory>) -> u32 {
    with(|module| act(module).unwrap_or(NO_MEMORY))
}

fn encoding(number: u32) -> Encoding {
    Encoding::ALL[number as usize]
}

/// Returns the address of the [`Outcome`].
#[unsafe(no_mangle)]
extern "C" fn outcome() -> *const u32 {
    with(|module| (&raw const module.outcome).cast())
}

/// Reserves space for `len` bytes of input, and returns its address, or 0 if there is not enough memory.
#[unsafe(no_mangle)]
extern "C" fn reserve_input(len: usize) -> *const u8 {
    with(|module| module.input.reserve(len))
}

/// Reserves space for `len` code units of input, and returns its address, or 0 if there is not enough memory.
#[unsafe(no_mangle)]
extern "C" fn reserve_units(len: usize) -> *const u16 {
    with(|module| module.units.reserve(len))
}
