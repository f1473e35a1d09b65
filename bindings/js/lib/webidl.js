// Web IDL: from JavaScript's values to what the standard's interfaces take. Nothing here can be changed by scripts that
// come later: what is needed of the platform is kept when this is loaded.

const call = Function.prototype.call;
const uncurry = (method) => call.bind(method);
const getter = (prototype, name) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return get && uncurry(get);
};

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = getter(TypedArray, Symbol.toStringTag);
const typedArrayBuffer = getter(TypedArray, "buffer");
const typedArrayOffset = getter(TypedArray, "byteOffset");
const typedArrayLength = getter(TypedArray, "byteLength");
const dataViewBuffer = getter(DataView.prototype, "buffer");
const dataViewOffset = getter(DataView.prototype, "byteOffset");
const dataViewLength = getter(DataView.prototype, "byteLength");
const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
const isResizable = getter(ArrayBuffer.prototype, "resizable");
const Shared = globalThis.SharedArrayBuffer;
const sharedLength = Shared && getter(Shared.prototype, "byteLength");
const isGrowable = Shared && getter(Shared.prototype, "growable");
const isView = ArrayBuffer.isView;
const NONE = new Uint8Array(0);

function lengthBy(get, buffer) {
  try {
    return get?.(buffer);
  } catch {
    return undefined; // not of this kind
  }
}

/** Throws where a buffer is resizable; whether it is shared. */
function isSharedBuffer(buffer) {
  let resizable;
  let shared = false;
  try {
    resizable = isResizable === undefined ? bufferLength(buffer) < 0 : isResizable(buffer);
  } catch {
    shared = true;
    resizable = isGrowable?.(buffer) ?? false;
  }
  if (resizable) throw new TypeError("The buffer must not be resizable.");
  return shared;
}

/**
 * Throws where a value is no `AllowSharedBufferSource`: an ArrayBuffer, a SharedArrayBuffer, or a view of one, of a
 * fixed length. What is in it is asked for later, by `bytesOf`, because getters of options may change it.
 * @returns {boolean} whether it is shared
 */
export function checkBufferSource(value) {
  if (isView(value)) {
    return isSharedBuffer(tagOf(value) === undefined ? dataViewBuffer(value) : typedArrayBuffer(value));
  }
  if (lengthBy(bufferLength, value) === undefined && lengthBy(sharedLength, value) === undefined) {
    throw new TypeError("The input must be an ArrayBuffer, a SharedArrayBuffer or a view of one.");
  }
  return isSharedBuffer(value);
}

/** The bytes of a buffer source; none where it is detached. Others may be writing to shared ones: these are copied. */
export function bytesOf(value, shared) {
  const bytes = viewOf(value);
  return shared ? new Uint8Array(bytes) : bytes;
}

function viewOf(value) {
  if (!isView(value)) return lengthBy(bufferLength, value) === 0 ? NONE : new Uint8Array(value);
  const tag = tagOf(value);
  if (tag !== undefined) {
    const length = typedArrayLength(value);
    if (length === 0) return NONE;
    return tag === "Uint8Array" ? value : new Uint8Array(typedArrayBuffer(value), typedArrayOffset(value), length);
  }
  const length = lengthBy(dataViewLength, value); // throws where the buffer is detached
  return length === undefined ? NONE : new Uint8Array(dataViewBuffer(value), dataViewOffset(value), length);
}

/** How many bytes a `Uint8Array` has, whatever its own properties say. */
export const byteLengthOf = typedArrayLength;

/** Copies bytes into a `Uint8Array`, whatever its own properties say. */
export const setBytes = uncurry(TypedArray.set);

/** A part of a `Uint8Array`. */
export function partOf(bytes, from, length) {
  return new Uint8Array(typedArrayBuffer(bytes), typedArrayOffset(bytes) + from, length);
}

/** Throws where a value is no `[AllowShared] Uint8Array`; whether it is shared. */
export function checkUint8Array(value) {
  if (!isView(value) || tagOf(value) !== "Uint8Array") throw new TypeError("The destination must be a Uint8Array.");
  return isSharedBuffer(typedArrayBuffer(value));
}

/** A dictionary's members, which are all booleans, in the order of their names. */
export function toDictionary(value, ...names) {
  if (value === undefined || value === null) return names.map(() => false);
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError("The options must be an object.");
  return names.map((name) => Boolean(value[name]));
}

/** `DOMString`, and `USVString` where lone surrogates become U+FFFD later. */
export function toDOMString(value) {
  return `${value}`;
}

/**
 * Gives a class the shape of an interface: members that can be enumerated, and a tag.
 * @param {Function} interface_
 */
export function shape(interface_, name) {
  const { prototype } = interface_;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    if (key !== "constructor") Object.defineProperty(prototype, key, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  // Whatever a minifier has made of it.
  Object.defineProperty(interface_, "name", { value: name, configurable: true });
}
