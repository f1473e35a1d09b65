// The names of the iconv-lite entry, and `encodings` and `getCodec`, compared with iconv-lite.

import assert from "node:assert/strict";
import { test } from "node:test";
import { NAMES, ROOTS, entry, iconv, original, withFields } from "./support/iconv-lite.js";

test("every name of iconv-lite means the same", () => {
  assert.ok(NAMES.length >= 414, `${NAMES.length}`);
  for (const name of NAMES) {
    assert.ok(iconv.encodingExists(name), name);
    assert.equal(iconv.encodingExists(name.toUpperCase().replace(/(?=\d)/, "-")), true, name);
    assert.equal(typeof iconv.encodings[name], typeof original.encodings[name], name);
    let root = name;
    while (typeof original.encodings[root] === "string") root = original.encodings[root];
    assert.equal(iconv.getCodec(name), iconv.getCodec(root), name);
  }
  for (const name of ROOTS) assert.equal(iconv.encodings[name].type, original.encodings[name].type, name);
});

test("encodings: types are constructors", () => {
  for (const [name, definition] of Object.entries(iconv.encodings)) {
    if (typeof definition === "object") assert.equal(typeof iconv.encodings[definition.type], "function", name);
    if (typeof definition === "string") assert.ok(definition in iconv.encodings, name);
  }
  assert.equal(Object.getPrototypeOf(iconv.encodings), null);
  assert.equal(entry.encodings, iconv.encodings);
});

test("labels of the standard that iconv-lite does not have", () => {
  for (const name of [
    "iso-2022-jp",
    "csISO2022JP",
    "x-user-defined",
    "x-mac-cyrillic",
    "x-mac-ukrainian",
    "unicode",
    "unicodefffe",
    "x-cp1252",
    "dos-874",
  ]) {
    assert.equal(original.encodingExists(name), false, name);
    assert.equal(iconv.encodingExists(name), true, name);
  }
  assert.equal(iconv.getCodec("unicodefffe"), iconv.getCodec("utf-16be"));
  assert.equal(iconv.getCodec("x-cp1252"), iconv.getCodec("windows-1252"));
  assert.equal(iconv.getCodec("x-mac-ukrainian"), iconv.getCodec("x-mac-cyrillic"));
  assert.equal(iconv.decode(Uint8Array.of(0x80, 0xa2, 0xff), "x-mac-cyrillic"), "\u0410\u0490\u20ac");
});

test("unknown names", () => {
  const wrong = ["nonsense", "", "replacement", "iso-2022-kr", undefined, "constructor", "__proto__", "toString"];
  for (const name of wrong) {
    assert.equal(iconv.encodingExists(name), false, `${name}`);
    const searched = `${name}`.toLowerCase().replace(/[^0-9a-z]/g, "");
    const error = { name: "Error", message: `Encoding not recognized: '${name}' (searched as: '${searched}')` };
    for (const call of [
      () => iconv.decode(new Uint8Array(1), name),
      () => iconv.encode("a", name),
      () => iconv.getCodec(name),
      () => iconv.getDecoder(name),
      () => iconv.getEncoder(name),
    ]) {
      assert.throws(call, error);
    }
  }
});

test("canonical names", () => {
  for (const name of [955, "ISO_8859-5:1988", "UTF-8", "Ä:19", "x".repeat(200), null, undefined]) {
    assert.equal(iconv._canonicalizeEncoding(name), original._canonicalizeEncoding(name));
  }
  // More names than are remembered.
  for (let n = 0; n < 3000; n++) assert.equal(iconv._canonicalizeEncoding(`no-${n}`), `no${n}`);
});

test("one codec for each encoding, with the classes of its encoders and decoders", () => {
  const gbk = iconv.getCodec("gbk");
  assert.equal(iconv.getCodec("X-GBK"), gbk);
  // libmime compares these classes to know double-byte encodings.
  for (const name of ["big5", "shift_jis", "euc-jp", "euc-kr", "gb18030"])
    assert.equal(iconv.getCodec(name).decoder, gbk.decoder);
  for (const name of ["utf-16", "cp437", "base64"]) assert.notEqual(iconv.getCodec(name).decoder, gbk.decoder);
  for (const name of ROOTS) {
    const codec = iconv.getCodec(name);
    assert.equal(Boolean(codec.bomAware), Boolean(original.getCodec(name).bomAware), name);
    const text = new codec.decoder(undefined, codec).write(new codec.encoder({}, codec).write("0a"));
    if (name !== "utf16" && name !== "utf32") assert.equal(text.toLowerCase(), name === "base64" ? "" : "0a", name);
  }
});

test("the cache of codecs can be emptied, also when Object.prototype has more properties", () => {
  const before = iconv.getCodec("cp1251");
  Object.prototype.surprise = () => {};
  try {
    withFields(iconv, { _codecDataCache: {} }, () => {
      assert.notEqual(iconv.getCodec("cp1251"), before);
      for (const name of ["gbk", "win1251", "utf7", "utf8", "cp437"]) {
        assert.equal(iconv.decode(iconv.encode("abc", name), name), "abc");
      }
      assert.equal(iconv.encodingExists("surprise"), false);
      assert.equal(iconv.encodingExists("constructor"), false);
      withFields(iconv, { encodings: { ...iconv.encodings } }, () => {
        assert.equal(iconv.encodingExists("surprise"), false);
        assert.equal(iconv.encodingExists("constructor"), false);
        assert.equal(iconv.encodingExists("cp437"), true);
      });
    });
  } finally {
    delete Object.prototype.surprise;
  }
  assert.equal(iconv.getCodec("cp1251"), before);
});

test("names that applications add, and that lead to each other, are unknown", () => {
  const added = { loop1: "loop2", loop2: { type: "loop3" }, loop3: "loop1", self: "self", same: { type: "same" } };
  Object.assign(iconv.encodings, added);
  try {
    for (const name of Object.keys(added)) {
      assert.equal(iconv.encodingExists(name), false, name);
      const calls = [() => iconv.decode(new Uint8Array(1), name), () => iconv.encode("a", name), () => iconv.getDecoder(name)];
      for (const call of calls) assert.throws(call, /^Error: Encoding not recognized: '.*' \(its names lead to each other: '/, name);
    }
  } finally {
    for (const name of Object.keys(added)) delete iconv.encodings[name];
  }
});

test("no name leads to a name that leads on, so that none leads to itself", () => {
  for (const [name, definition] of Object.entries(iconv.encodings)) {
    if (typeof definition === "string") assert.notEqual(typeof iconv.encodings[definition], "string", name);
  }
});

test("applications can add encodings", () => {
  const chars = "\u0410".repeat(127) + "\u0411";
  iconv.encodings.test1 = { type: "_sbcs", chars };
  iconv.encodings.test2 = "test1";
  iconv.encodings.test3 = function () {
    this.encoder = function () {
      this.write = (string) => Uint8Array.from(string, (char) => char.charCodeAt(0) + 1);
      this.end = () => Uint8Array.of(0x2e);
    };
    this.decoder = function () {
      this.write = (bytes) => String.fromCharCode(...bytes).toUpperCase();
      this.end = () => "!";
    };
  };
  iconv.encodings.test6 = { type: "test7", chars };
  iconv.encodings.test7 = { type: "_sbcs", chars: "\u0412".repeat(128) };
  iconv.encodings.test4 = { type: "_sbcs", chars: "short" };
  iconv.encodings.test5 = { type: "_dbcs", table: () => [] };
  try {
    assert.equal(iconv.decode(Uint8Array.of(0x61, 0xff), "test2"), "a\u0411");
    assert.deepEqual([...iconv.encode("\u0411b", "test-1")], [0xff, 0x62]);
    // The options of the type are stronger.
    assert.equal(iconv.decode(Uint8Array.of(0xff), "test6"), "\u0412");
    iconv.encodings.test7 = { type: "_sbcs" };
    withFields(iconv, { _codecDataCache: {} }, () => assert.equal(iconv.decode(Uint8Array.of(0xff), "test6"), "\u0411"));
    assert.deepEqual([...iconv.encode("ab", "test3")], [0x62, 0x63, 0x2e]);
    assert.equal(iconv.decode(Uint8Array.of(0x61), "test3"), "A!");
    assert.throws(() => iconv.getCodec("test4"), /'test4' must have a string 'chars'/);
    assert.throws(() => iconv.getCodec("test5"), /'test5' must have a 'label'/);
  } finally {
    for (const name of ["test1", "test2", "test3", "test4", "test5", "test6", "test7"]) delete iconv.encodings[name];
  }
});
