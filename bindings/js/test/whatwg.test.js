// The entry with the standards' hooks, compared with @exodus/bytes, whose names it has.

import * as exodus from "@exodus/bytes/encoding.js";
import { percentEncodeAfterEncoding } from "@exodus/bytes/whatwg.js";
import { assert } from "chai";
import { test } from "node:test";
import * as whatwg from "../dist/whatwg.js";
import { bytes, throws } from "./support/tools.js";

const LABELS = ["utf8", "UTF-16", "unicodefffe", "latin1", "sjis", "gb2312", "big5-hkscs", "ks_c_5601-1987", "iso-2022-kr", "none", ""];
const TEXT = "a b\u00e9\u044f\u65e5\uac00 \u{1f600}\ud800~'\"";

test("the names are those of @exodus/bytes", () => {
  assert.includeMembers(Object.keys(whatwg), [...Object.keys(exodus), "percentEncodeAfterEncoding"]);
});

test("labels", () => {
  for (const label of LABELS) {
    assert.equal(whatwg.labelToName(label), exodus.labelToName(label), label);
    assert.equal(whatwg.normalizeEncoding(label), exodus.normalizeEncoding(label), label);
  }
});

test("byte order marks and decode", () => {
  for (const input of ["", "61", "ef bb bf 61", "fe ff 00 61", "ff fe 61 00", "ef bb", "93 fa"]) {
    assert.equal(whatwg.getBOMEncoding(bytes(input)), exodus.getBOMEncoding(bytes(input)), input);
    for (const encoding of ["utf-8", "shift_jis", undefined]) {
      assert.equal(whatwg.legacyHookDecode(bytes(input), encoding), exodus.legacyHookDecode(bytes(input), encoding), input);
    }
  }
  throws(() => whatwg.legacyHookDecode(bytes("61"), "none"), RangeError);
});

test("percent-encode after encoding", () => {
  for (const encoding of ["utf-8", "windows-1251", "shift_jis", "gbk", "big5", "euc-kr", "koi8-r"]) {
    for (const set of ["", " \"#<>", " !\"#$%&'()+,/:;<=>?@[\\]^`{|}~"]) {
      for (const plus of [false, true]) {
        const expected = percentEncodeAfterEncoding(encoding, TEXT, set, plus);
        assert.equal(whatwg.percentEncodeAfterEncoding(encoding, TEXT, set, plus), expected, `${encoding}, ${set}`);
      }
    }
  }
  for (const encoding of ["utf-16le", "replacement", "none"]) {
    throws(() => whatwg.percentEncodeAfterEncoding(encoding, "a", ""), RangeError);
  }
});

test("isomorphic decode and encode", () => {
  const all = Uint8Array.from({ length: 10_000 }, (_, n) => n & 0xff);
  assert.equal(whatwg.isomorphicDecode(all), exodus.isomorphicDecode(all));
  assert.deepEqual(whatwg.isomorphicEncode(whatwg.isomorphicDecode(all)), all);
  assert.equal(whatwg.isomorphicDecode(all.buffer), whatwg.isomorphicDecode(all));
  assert.match(throws(() => whatwg.isomorphicEncode("a\u0100"), TypeError).message, /index 1/);
  throws(() => whatwg.isomorphicEncode(5), TypeError);
});
