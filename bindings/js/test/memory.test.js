// The module's memory does not grow without bound, and neither does the engine's.

import { assert } from "chai";
import { describe, test } from "node:test";
import {
  Decoder, Encoder, TextDecoder, TextEncoder, decode, decodeAndReport, encode, entry, module,
  percentEncodeAfterEncoding,
} from "./support/package.js";
import { bytes, throws } from "./support/tools.js";

const MIB = 1 << 20;
const size = () => module.memory.buffer.byteLength;
const skip = entry === "js" && "there is no module";

describe("memory", { concurrency: false }, () => {
  test("the module is started when it is first used", { skip }, () => {
    assert.equal(module.instances, 0);
    decode(bytes("e9"), "koi8-r");
    assert.equal(module.instances, 1);
    assert.instanceOf(module.memory, WebAssembly.Memory);
    assert.isBelow(size(), 2 * MIB);
  });

  test("many streams at once need no memory of the module", { skip }, () => {
    decode(bytes("a4 40"), "big5"); // The table of Big5 needs memory.
    const before = size();
    const decoders = Array.from({ length: 100_000 }, () => new TextDecoder("big5"));
    for (const decoder of decoders) decoder.decode(bytes("a4"), { stream: true });
    for (const decoder of decoders) assert.equal(decoder.decode(bytes("40")), "\u4e00");
    assert.equal(size(), before);
  });

  test("functions that throw do not leak", { skip }, () => {
    const before = size();
    for (let n = 0; n < 5_000; n++) {
      throws(() => encode("\u3042", "latin1", { unmappable() { throw new Error("own"); } }), Error);
      throws(() => decode(bytes("ff"), "gbk", { fatal: true }), TypeError);
    }
    assert.isBelow(size() - before, MIB);
  });

  const long = (byte) => new Uint8Array(20 * MIB).fill(byte);
  /** Malformed bytes or unmappable characters in some blocks. Calling a function for each of them in all blocks takes long. */
  const longInPart = (byte) => long(0x61).fill(byte, 0, 3 * MIB);
  const unmappable = "\u4e00".repeat(3 * MIB) + "a".repeat(14 * MIB);
  /** A destination that the native encoder does not take. */
  const shared = (length) => new Uint8Array(new SharedArrayBuffer(length));
  const CALLS = {
    "decoding Latin-1": () => new TextDecoder("windows-1252").decode(long(0xe9)),
    "decoding to UTF-16": () => new TextDecoder("koi8-r").decode(long(0xe9)),
    "decoding malformed bytes": () => new TextDecoder("gbk").decode(long(0xff)),
    "a fatal decoder": () => new TextDecoder("koi8-r", { fatal: true }).decode(long(0xe9)),
    "a chunk of a fatal stream": () => new TextDecoder("koi8-r", { fatal: true }).decode(long(0xe9), { stream: true }),
    "a list of errors": () => decodeAndReport(long(0xff), "gbk", { limit: 1e6 }),
    encoding: () => encode("\u044f".repeat(20 * MIB), "koi8-r"),
    "encoding with references": () => encode("\u4e00".repeat(17 * MIB), "koi8-r"),
    "encoding that fails": () => {
      throws(() => encode("\u044f".repeat(17 * MIB) + "\u4e00", "koi8-r", { unmappable: "fail" }), TypeError);
    },
    "encoding with a function": () => encode(unmappable, "koi8-r", { unmappable: () => "?" }),
    "encoding with a long replacement": () => encode("a\u65e5b", "koi8-r", { unmappable: () => "\u044f".repeat(17 * MIB) }),
    encodeInto: () => new TextEncoder().encodeInto("\u4e00".repeat(17 * MIB), shared(51 * MIB)),
    "a Decoder": () => new Decoder("gbk", { onMalformed() {} }).write(longInPart(0xff)),
    "a fatal Decoder": () => new Decoder("koi8-r", { fatal: true }).write(long(0xe9)),
    "a fatal Decoder that throws": () => throws(() => new Decoder("gbk", { fatal: true }).write(long(0xff)), TypeError),
    "an Encoder": () => new Encoder("gb18030").write("\u4e00".repeat(17 * MIB)),
    "an Encoder with a function": () => new Encoder("koi8-r", { unmappable: "skip", onUnmappable() {} }).write(unmappable),
    "percent-encoding UTF-8": () => percentEncodeAfterEncoding("\u4e00".repeat(17 * MIB)),
    "percent-encoding references": () => percentEncodeAfterEncoding(unmappable, "koi8-r"),
    "percent-encoding ISO-2022-JP": () => percentEncodeAfterEncoding("\u4e00".repeat(17 * MIB), "iso-2022-jp"),
  };
  for (const [name, act] of Object.entries(CALLS)) {
    test(`${name}: long input needs less than 16 MiB, and leaves less than 2`, { skip }, () => {
      let most = 0;
      module.intercept = (_, call) => {
        const result = call();
        most = Math.max(most, size());
        return result;
      };
      act();
      module.intercept = undefined;
      assert.isBelow(most, 16 * MIB);
      decode(bytes("e9"), "windows-1252"); // starts the module again
      assert.isBelow(size(), 2 * MIB);
    });
  }
});
