// What several tests need.

import { assert } from "chai";
import { inNode } from "./package.js";

/** Bytes by their hexadecimal numbers; spaces are ignored. */
export function bytes(hex) {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (byte) => parseInt(byte, 16));
}

/** Hexadecimal numbers of bytes. */
export function hex(bytes) {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** One array of many. */
export function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Fails where strings differ, and shows no more of them than where they do. */
export function same(actual, expected, what) {
  if (actual === expected) return;
  if (typeof actual !== "string") assert.fail(`${what}: no string but ${String(actual)}`);
  let at = 0;
  while (actual[at] === expected[at]) at++;
  const part = (text) => JSON.stringify(text.slice(Math.max(at - 10, 0), at + 10)).replace(/[^\x20-\x7e]/g, escaped);
  assert.fail(
    `${what}: differs at ${at} of ${actual.length} and ${expected.length}: ${part(actual)} instead of ${part(expected)}`,
  );
}

const escaped = (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");

/** Fails where bytes differ. */
export function sameBytes(actual, expected, what) {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at++;
  if (at === expected.length && at === actual.length) return;
  const part = (bytes) => hex(bytes.subarray(Math.max(at - 4, 0), at + 8));
  assert.fail(
    `${what}: differs at ${at} of ${actual.length} and ${expected.length}: ${part(actual)} instead of ${part(expected)}`,
  );
}

/** Takes a buffer's bytes away. */
export function detach(buffer) {
  structuredClone(buffer, { transfer: [buffer] });
}

/** The global object of another realm. */
export async function otherRealm() {
  if (inNode) {
    const vm = await import(/* not for a bundler */ ["node:vm"][0]);
    return vm.runInNewContext("globalThis");
  }
  const frame = document.createElement("iframe");
  document.body.append(frame);
  return frame.contentWindow;
}

/** Lets the engine collect what nobody holds, or says that it cannot. */
export async function collect() {
  if (globalThis.gc === undefined) return false;
  for (let n = 0; n < 3; n++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}

/** Random numbers, the same on each run: a function that gives one below its argument. */
export function randomly(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** The call throws an error of this class itself, made here. */
export function throws(act, Class, what = "") {
  let error;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) assert.fail(`${what} throws nothing`);
  assert.instanceOf(error, Class, `${what}: ${error}`);
  return error;
}

/** The promise is rejected with an error of this class. */
export async function rejects(promise, Class, what = "") {
  let error;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) assert.fail(`${what} is fulfilled`);
  assert.instanceOf(error, Class, `${what}: ${error}`);
  return error;
}
