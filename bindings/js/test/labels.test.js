// Section 4: names and labels.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, decode, encode, encodings, getEncoding, getOutputEncoding } from "./support/package.js";
import { throws } from "./support/tools.js";
import { vectors } from "./support/vectors.js";

describe("labels", () => {
  test("encodings: all forty, frozen, in the standard's order, with the oracle's labels", async () => {
    assert.equal(encodings.length, 40);
    const [first, last] = [encodings[0], encodings[39]];
    assert.deepEqual([first.name, last.name], ["UTF-8", "x-user-defined"]);
    assert.isFrozen(encodings);
    for (const encoding of encodings) {
      assert.isFrozen(encoding);
      assert.isFrozen(encoding.labels);
    }
    assert.equal(encodings.reduce((sum, { labels }) => sum + labels.length, 0), 228);
    const oracle = (await vectors()).encodings.map(({ name, labels }) => ({ name, labels }));
    assert.deepEqual(encodings.filter(({ name }) => name !== "replacement").map((encoding) => ({ ...encoding })), oracle);
    assert.equal(encodings[36].name, "replacement");
  });

  for (const { name, labels } of encodings) {
    test(`labels of ${name}`, () => {
      for (const label of labels) {
        const odd = [...label].map((letter, n) => (n % 2 ? letter.toUpperCase() : letter)).join("");
        for (const same of [label, label.toUpperCase(), odd, ` ${label}`, `${label} `, `\t\n\f\r ${odd}\t\n\f\r `, " ".repeat(99) + label]) {
          assert.equal(getEncoding(same), name, JSON.stringify(same));
          if (name !== "replacement") assert.equal(new TextDecoder(same).encoding, name.toLowerCase());
        }
        // Only ASCII whitespace at the ends is removed, and only ASCII letters are case-insensitive.
        for (const space of ["\u00a0", "\u000b", "\u0085", "\u2028", "\ufeff", "\u3000", "\u0000", "\u001c", "-", "."]) {
          assert.isNull(getEncoding(space + label), JSON.stringify(space));
          assert.isNull(getEncoding(label + space), JSON.stringify(space));
        }
        for (const other of [
          label.replace("k", "\u212a"), label.replace("s", "\u017f"), label.replace("i", "\u0130"), label.replace("i", "\u0131"),
          label.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
          label.replace(/\d/, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
          `${label.slice(0, 1)} ${label.slice(1)}`, label.slice(0, -1) + "\u0000",
        ]) {
          if (other !== label) assert.isNull(getEncoding(other), JSON.stringify(other));
        }
      }
    });
  }

  test("unknown labels", () => {
    const none = ["", " ", "utf", "utf-7", "utf-32", "utf_8", "utf 8", "ucs2", "cesu-8", "cp437", "iso-8859-12", "windows-1259", "none",
      "toString", "__proto__", "constructor", "0", "1", "null", "undefined"];
    for (const label of none) {
      assert.isNull(getEncoding(label), label);
      throws(() => getOutputEncoding(label), RangeError, label);
      throws(() => encode("a", label), RangeError, label);
      throws(() => decode(new Uint8Array(1), label), RangeError, label);
    }
    throws(() => decode(Uint8Array.of(0xef, 0xbb, 0xbf), "none"), RangeError, "even with a byte order mark");
    throws(() => getEncoding(Symbol()), TypeError);
  });

  test("getOutputEncoding: UTF-8 for replacement and UTF-16", () => {
    for (const { name } of encodings) {
      const expected = /^(replacement|UTF-16.*)$/.test(name) ? "UTF-8" : name;
      assert.equal(getOutputEncoding(name), expected);
    }
  });
});
