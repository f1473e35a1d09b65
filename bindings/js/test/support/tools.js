// Helpers for several tests.

import { assert } from "chai";
import { inNode } from "./package.js";

/** Parses hexadecimal bytes. Ignores spaces. */
export function bytes(hex) {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (byte) => parseInt(byte, 16));
}

/** Formats bytes as hexadecimal. */
export function hex(bytes) {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** Concatenates arrays of bytes. */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/** Repeats an array of bytes. */
export function repeated(part, times) {
  const all = new Uint8Array(part.length * times);
  all.set(part.subarray(0, all.length));
  for (let length = part.length; length < all.length && length > 0; length *= 2) all.copyWithin(length, 0, length);
  return all;
}

/** Fails if strings differ, and shows only the part around the first difference. */
export function same(actual, expected, what) {
  if (actual === expected) return;
  if (typeof actual !== "string") assert.fail(`${what}: ${String(actual)} is not a string`);
  let at = 0;
  while (actual[at] === expected[at]) at++;
  const part = (text) => JSON.stringify(text.slice(Math.max(at - 10, 0), at + 10)).replace(/[^\x20-\x7e]/g, escaped);
  assert.fail(
    `${what}: differs at ${at} of ${actual.length} and ${expected.length}: ${part(actual)} instead of ${part(expected)}`,
  );
}

const escaped = (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");

/** Fails if bytes differ, and shows only the part around the first difference. */
export function sameBytes(actual, expected, what) {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at++;
  if (at === expected.length && at === actual.length) return;
  const part = (bytes) => hex(bytes.subarray(Math.max(at - 4, 0), at + 8));
  assert.fail(
    `${what}: differs at ${at} of ${actual.length} and ${expected.length}: ${part(actual)} instead of ${part(expected)}`,
  );
}

/** Detaches a buffer. */
export function detach(buffer) {
  structuredClone(buffer, { transfer: [buffer] });
}

/** Returns the global object of another realm. */
export async function otherRealm() {
  if (inNode) {
    const vm = await import(/* not for a bundler */ ["node:vm"][0]);
    return vm.runInNewContext("globalThis");
  }
  const frame = document.createElement("iframe");
  document.body.append(frame);
  return frame.contentWindow;
}

/** Runs the garbage collector. Returns false if it is not available. */
export async function collect() {
  if (globalThis.gc === undefined) return false;
  for (let n = 0; n < 3; n++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}

/** Returns a generator of reproducible random numbers: a function that returns a number below its argument. */
export function randomly(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Fails unless the call throws an error of this class. Returns the error. */
export function throws(act, Class, what = "") {
  let error;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) assert.fail(`${what}: nothing was thrown`);
  assert.instanceOf(error, Class, `${what}: ${error}`);
  return error;
}

/** Fails unless the promise is rejected with an error of this class. Returns the error. */
export async function rejects(promise, Class, what = "") {
  let error;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) assert.fail(`${what}: the promise was fulfilled`);
  assert.instanceOf(error, Class, `${what}: ${error}`);
  return error;
}
