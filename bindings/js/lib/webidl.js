// Web IDL: converts JavaScript values to the types of the standard's interfaces. The platform's functions are saved
// when this file is loaded, so that scripts which patch them later have no effect here.

const call = Function.prototype.call;
const uncurry = (method) => call.bind(method);
const getter = (prototype, name) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  // Bun calls this three times faster than a bound function.
  return get && ((value) => get.call(value));
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
    return undefined; // not an object of this kind, or a view of a detached buffer
  }
}

/** Returns whether a buffer is shared. Throws if it is resizable. */
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
 * Throws if a value is not an `AllowSharedBufferSource`: an ArrayBuffer, a SharedArrayBuffer, or a view of one, of
 * fixed length. The bytes are read later, by `bytesOf`, because getters of options may change them.
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

/** Returns the bytes of a buffer source, or none if it is detached. Shared bytes are copied: threads may write them. */
export function bytesOf(value, shared) {
  const bytes = viewOf(value);
  return shared ? new Uint8Array(bytes) : bytes;
}

/** Converts an `AllowSharedBufferSource` to bytes, as `checkBufferSource` and then `bytesOf` do. */
export function toBytes(value) {
  if (isView(value) && tagOf(value) === "Uint8Array" && typedArrayLength(value) > 0) {
    return isSharedBuffer(typedArrayBuffer(value)) ? new Uint8Array(value) : value;
  }
  return bytesOf(value, checkBufferSource(value));
}

function viewOf(value) {
  if (!isView(value)) return lengthBy(bufferLength, value) === 0 ? NONE : new Uint8Array(value);
  const tag = tagOf(value);
  if (tag !== undefined) {
    const length = typedArrayLength(value);
    if (length === 0) return NONE;
    return tag === "Uint8Array" ? value : new Uint8Array(typedArrayBuffer(value), typedArrayOffset(value), length);
  }
  const length = lengthBy(dataViewLength, value); // undefined if the buffer is detached
  return length === undefined ? NONE : new Uint8Array(dataViewBuffer(value), dataViewOffset(value), length);
}

/** Returns the length of a `Uint8Array`. Ignores its own properties, which scripts may have overridden. */
export const byteLengthOf = typedArrayLength;

/** Copies bytes into a `Uint8Array`. Ignores its own properties. */
export const setBytes = uncurry(TypedArray.set);

/** Returns a view of a part of a `Uint8Array`. */
export function partOf(bytes, from, length) {
  return new Uint8Array(typedArrayBuffer(bytes), typedArrayOffset(bytes) + from, length);
}

/** Returns whether a value is shared. Throws if it is not an `[AllowShared] Uint8Array`. */
export function checkUint8Array(value) {
  if (!isView(value) || tagOf(value) !== "Uint8Array") throw new TypeError("The destination must be a Uint8Array.");
  return isSharedBuffer(typedArrayBuffer(value));
}

/** Reads the members of a dictionary, which are all booleans, in the order of their names. */
export function toDictionary(value, ...names) {
  if (value === undefined || value === null) return names.map(() => false);
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError("The options must be an object.");
  return names.map((name) => Boolean(value[name]));
}

/** Converts to `DOMString`, and to `USVString` if unpaired surrogates are replaced later. */
export function toDOMString(value) {
  return `${value}`;
}

/** Gives a class the properties of a Web IDL interface: enumerable members, and a tag. */
export function shape(interface_, name) {
  const { prototype } = interface_;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    if (key !== "constructor") Object.defineProperty(prototype, key, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  // A bundler may have changed the name.
  Object.defineProperty(interface_, "name", { value: name, configurable: true });
  Object.defineProperty(prototype, INSPECT, { value: inspectMembers, configurable: true, writable: true });
}

/** The name of the method that Node, Deno and Bun call to print an object. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Returns what `console.log` prints: the name of the class, and the attributes. */
function inspectMembers(depth, options, inspect) {
  const prototype = Object.getPrototypeOf(this);
  const attributes = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([, { get }]) => get !== undefined);
  try {
    const members = Object.fromEntries(attributes.map(([key, { get }]) => [key, get.call(this)]));
    return `${this[Symbol.toStringTag]} ${inspect(members, options)}`;
  } catch {
    return `${this[Symbol.toStringTag]} {}`; // not an instance
  }
}
