// The WebAssembly module: instances, their memory, and calls.
//
// Nothing in an instance outlives a call: a stream's state is a few numbers, which are kept here. So an instance that fails
// is discarded, and the next call starts a new one.

import { useMemory } from "../strings.js";
import { checkWebAssembly } from "./compile.js";

/** The results of calls. */
export const OK = 0;
export const MALFORMED = 1;
export const UNMAPPABLE = 2;
const NO_MEMORY = 3;

// What a call has done: places in `words` from `outcome` on. `Outcome` in src/lib.rs describes them.
export const ADDRESS = 0;
export const LENGTH = 1;
export const FORM = 2;
export const STATE = 3;
export const PENDING_LENGTH = 4;
export const PENDING = 5;
export const READ = 6;
export const CODE_POINT = 7;
export const LIST = 8;
export const LIST_LENGTH = 9;

/** @type {WebAssembly.Module | (() => WebAssembly.Module) | undefined} */
let source;
let wasm;
/** The whole memory of the instance. Empty if there is none. */
let heap = new Uint8Array(0);
let words;
/** The index in `words` of what the last call has done. */
let outcome = 0;

// The module's input buffers: addresses and sizes.
let inputAt = 0;
let inputSize = 0;
let unitsAt = 0;
let unitsSize = 0;

/** Sets the compiled module, or a function that compiles it at the first use. */
export function provide(module) {
  source = module;
}

/** Throws if there is no module. */
export function checkStarted() {
  if (source === undefined) throw new Error("The module is not loaded: await the default export of this entry first.");
}

/** Input of more bytes or code units than this is so long that starting a new instance after it takes no time in comparison. */
const LONG = 1 << 24;

/** Discards the instance after long input, because its memory would not shrink. */
export function discardAfter(length) {
  if (length > LONG) discard();
}

function discard() {
  wasm = undefined;
  heap = new Uint8Array(0);
  inputSize = unitsSize = 0;
}

function start() {
  checkStarted();
  checkWebAssembly();
  if (typeof source === "function") source = source();
  try {
    wasm = new WebAssembly.Instance(source).exports;
    outcome = wasm.outcome() >>> 2;
  } catch (error) {
    fail(error);
  }
  refresh();
}

/** Makes new views of the memory. When it grows, earlier views become empty. */
function refresh() {
  heap = new Uint8Array(wasm.memory.buffer);
  words = new Uint32Array(heap.buffer);
  useMemory(heap);
}

/** Discards the instance and throws. */
function fail(cause) {
  discard();
  throw new Error("The WebAssembly module failed. This call has no result; the next one starts a new instance.", { cause });
}

function checked(status) {
  if (heap.length === 0) refresh();
  if (status === NO_MEMORY) throw notEnoughMemory();
  return status;
}

const notEnoughMemory = () => new RangeError("There is not enough memory for this call.");

/** Reads a number of what the last call has done. */
export const result = (place) => words[outcome + place];

/** Reads `count` numbers from an address of the module. */
export const numbersAt = (address, count) => words.slice(address >>> 2, (address >>> 2) + count);

/** Copies `length` bytes from an address of the module. */
export function bytesAt(address, length) {
  // In V8, a short `slice` is faster than a copy of a view, and a long one three times slower.
  return length < 1024 ? heap.slice(address, address + length) : new Uint8Array(heap.subarray(address, address + length));
}

/** Returns a view of bytes of the module, until the next call. */
export const viewAt = (address, length) => heap.subarray(address, address + length);

/** Copies bytes to the module's input. */
export function writeInput(bytes, length) {
  if (length > inputSize || wasm === undefined) {
    inputAt = reserve("reserve_input", length);
    inputSize = length;
  }
  heap.set(bytes, inputAt);
}

/** Reserves space for code units of the module's input, and returns its address. */
export function reserveUnits(length) {
  if (length > unitsSize || wasm === undefined) {
    unitsAt = reserve("reserve_units", length);
    unitsSize = length;
  }
  return unitsAt;
}

function reserve(name, length) {
  let address;
  if (wasm === undefined) start();
  try {
    address = wasm[name](length) >>> 0;
  } catch (error) {
    fail(error);
  }
  if (heap.length === 0) refresh();
  if (address === 0) throw notEnoughMemory();
  return address;
}

// The module's functions. src/decode.rs and src/encode.rs describe them.

export function callDecode(number, state, pending, pendingLength, length, flags, limit) {
  let status;
  try {
    status = wasm.decode(number, state, pending, pendingLength, length, flags, limit);
  } catch (error) {
    fail(error);
  }
  return checked(status);
}

export function callEncode(number, state, policy, start, end, last) {
  let status;
  try {
    status = wasm.encode(number, state, policy, start, end, last);
  } catch (error) {
    fail(error);
  }
  return checked(status);
}

export function callEncodeInto(length, capacity) {
  let status;
  try {
    status = wasm.encode_into(length, capacity);
  } catch (error) {
    fail(error);
  }
  return checked(status);
}

export function callPercentEncode(number, state, length, last, spaceAsPlus) {
  let status;
  try {
    status = wasm.percent_encode(number, state, length, last, spaceAsPlus);
  } catch (error) {
    fail(error);
  }
  return checked(status);
}
