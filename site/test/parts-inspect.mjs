// How values of the user's code are shown.

import { test } from "node:test";
import assert from "node:assert/strict";
import { inspect } from "../src/api/inspect.js";

test("values that cannot be read are shown, too", () => {
  const thrower = () => {
    throw 1;
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const values = [
    [null, "null"],
    [Symbol("s"), "Symbol(s)"],
    [-0, "-0"],
    [new Error("a"), "Error: a"],
    [Object.defineProperty(new Error(""), "message", { get: thrower }), "Error: [getter that throws]"],
    [Object.defineProperty(new Error("a"), "name", { value: Symbol("n") }), "Symbol(n): a"],
    [Object.assign(new Error("a"), { code: { toString: thrower } }), "Error: a (code: {})"],
    [{ toString: thrower, a: 1 }, "{ a: 1 }"],
    [Object.defineProperty({ b: 1 }, "a", { get: thrower, enumerable: true }), "{ b: 1, a: [getter that throws] }"],
    [{ [Symbol.toStringTag]: Symbol("t") }, "Symbol(t) {}"],
    [Object.create(null), "{}"],
    [{ constructor: null }, "{ constructor: null }"],
    [Object.assign(() => {}, {}), "[function]"],
    [Object.defineProperty(() => {}, "name", { value: Symbol("f") }), "[function]"],
    [proxy, "[object that cannot be shown]"],
    [new Proxy({}, { get: thrower, ownKeys: thrower, getPrototypeOf: thrower }), "[object that cannot be shown]"],
    [[proxy, 1], "[[object that cannot be shown], 1]"],
    [Object.assign([1], { slice: thrower }), "[1]"],
    [Object.assign([1], { slice: () => ({ length: 1e9 }) }), "[1]"],
  ];
  for (const [value, wanted] of values) assert.equal(inspect(value).replaceAll(/\s+/g, " "), wanted);
  const cycle = {};
  cycle.self = cycle;
  assert.equal(inspect(cycle), "{ self: { self: { self: {…} } } }");
  assert.equal(inspect([new Proxy([], { get: thrower })]), "[[object that cannot be shown]]");
});
