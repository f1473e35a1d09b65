// The module fails, or there is no memory: at each of its calls, of every function of the package.

import { assert } from "chai";
import { describe, test } from "node:test";
import {
  Decoder, TextDecoder, TextDecoderStream, TextEncoder, decode, decodeAndReport, encode, encodeOrFail, entry, module,
  percentEncodeAfterEncoding,
} from "./support/package.js";
import { bytes, hex } from "./support/tools.js";

const MIB = 1 << 20;
const long = (byte) => new Uint8Array(2 * MIB + 5).fill(byte);
const MORE = { stream: true };

/** Functions that use the module, each with its result as a string. */
const CALLS = {
  "decode, gbk": () => decode(bytes("c4 e3 ba c3"), "gbk"),
  "decode, several blocks": () => decode(long(0xe9), "koi8-r"),
  "decode, malformed": () => {
    try {
      return decode(bytes("c4 ff"), "gbk", { fatal: true });
    } catch (error) {
      if (error.start === undefined) throw error;
      return `${error.start} to ${error.end}`;
    }
  },
  "TextDecoder, shift_jis": () => new TextDecoder("shift_jis").decode(bytes("93 fa 96 7b")),
  decodeAndReport: () => JSON.stringify(decodeAndReport(bytes("61 ff c4 e3 ff"), "gbk")),
  "encode, koi8-r": () => hex(encode("\u044f\u4e00", "koi8-r")),
  "encode, several blocks": () => hex(encode("\u044f".repeat(2 * MIB), "koi8-r").subarray(-3)),
  "encode with a function": () => hex(encode("\u4e00\ue5e5", "gb18030", { unmappable: () => "\u{1f600}" })),
  "encode with a function, iso-2022-jp": () => hex(encode("\u65e5\u044f\u{1f600}", "iso-2022-jp", { unmappable: () => "\u672c" })),
  encodeOrFail: () => hex(encodeOrFail("\u{1f600}", "gb18030")),
  percentEncodeAfterEncoding: () => percentEncodeAfterEncoding("\u044f \u4e00", "koi8-r"),
  encodeInto: () => {
    // The native encoder does not take shared memory.
    const destination = new Uint8Array(new SharedArrayBuffer(8));
    return JSON.stringify(new TextEncoder().encodeInto("\u044f\u{1f600}", destination)) + hex(destination);
  },
};

/** Calls a function while `fault` replaces call number `at` of the module. Returns the error, or `undefined`. */
function during(at, fault, act) {
  let count = 0;
  module.intercept = (name, call) => (++count === at ? fault(name) : call());
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    module.intercept = undefined;
  }
}

/** The names of the module's functions that a function calls. */
function callsOf(act) {
  const names = [];
  module.intercept = (name, call) => {
    names.push(name);
    return call();
  };
  act();
  module.intercept = undefined;
  return names;
}

function trap() {
  throw new WebAssembly.RuntimeError("unreachable");
}

/** A function of the module says that there is no memory. */
const noMemory = (name) => (name.startsWith("reserve") ? 0 : 3);

/** Functions that need no memory. */
const NEEDS_NONE = ["outcome"];

const skip = entry === "js" && "there is no module";

describe("the module fails", { concurrency: false }, () => {
  for (const [name, act] of Object.entries(CALLS)) {
    test(`${name}: it is started anew`, { skip }, () => {
      const expected = act();
      const { length: calls } = callsOf(act);
      assert.isAbove(calls, 0, "the function uses the module");
      for (let at = 1; at <= calls; at++) {
        const before = module.instances;
        const error = during(at, trap, act);
        assert.match(error?.message, /^The WebAssembly module failed/, `call ${at}`);
        assert.instanceOf(error.cause, WebAssembly.RuntimeError);
        assert.equal(act(), expected, `after call ${at}`);
        assert.isAbove(module.instances, before);
      }
    });

    test(`${name}: without memory, a RangeError`, { skip }, () => {
      const expected = act();
      for (const [n, call] of callsOf(act).entries()) {
        if (NEEDS_NONE.includes(call)) continue;
        const at = n + 1;
        const error = during(at, noMemory, act);
        assert.instanceOf(error, RangeError, `call ${at}`);
        assert.match(error.message, /not enough memory/);
        assert.equal(act(), expected, `after call ${at}`);
      }
    });
  }

  for (const [what, fault] of Object.entries({ "the module fails": trap, "there is no memory": noMemory })) {
    test(`a character that is encoded for the first time when ${what}`, { skip }, () => {
      encode("\u{1f600}", "euc-kr"); // needs the module, so that it is started
      const text = `a${fault === trap ? "\uac02" : "\uac03"}`; // in no other test of this file
      assert.instanceOf(during(1, fault, () => encode(text, "euc-kr")), Error);
      assert.equal(decode(encode(text, "euc-kr", { unmappable: "fail" }), "euc-kr"), text);
    });

    test(`a stream continues when ${what}`, { skip }, () => {
      const expected = "\u65e5\u672c\ufffd\uff71";
      const chunks = ["1b 24", "42 46", "7c 4b", "5c 1b 28 49 ff", "31"].map(bytes);
      const read = (decoder, n) => decoder.decode(chunks[n], n < chunks.length - 1 ? MORE : undefined);
      for (let broken = 0; broken < chunks.length; broken++) {
        const decoder = new TextDecoder("iso-2022-jp");
        let text = "";
        for (let n = 0; n < chunks.length; n++) {
          if (n === broken) assert.instanceOf(during(1, fault, () => read(decoder, n)), Error);
          text += read(decoder, n);
        }
        assert.equal(text, expected, `at chunk ${broken}`);
      }
    });
  }

  for (const [what, fault] of Object.entries({ "the module fails": trap, "there is no memory": noMemory })) {
    test(`a Decoder continues when ${what}`, { skip }, () => {
      const calls = [(d) => d.write(bytes("ef bb")), (d) => d.write(bytes("bf c3")), (d) => d.write(bytes("a9 ff c3")), (d) => d.end()];
      for (let broken = 1; broken < calls.length; broken++) {
        const decoder = new Decoder("gbk");
        let text = "";
        for (const [n, call] of calls.entries()) {
          if (n === broken) assert.instanceOf(during(1, fault, () => call(decoder)), Error);
          text += call(decoder);
        }
        assert.equal(text, "\u00e9\ufffd\ufffd", `at call ${broken}`);
      }
    });
  }

  test("a TextDecoderStream has an error", { skip }, async () => {
    const stream = new TextDecoderStream("gbk");
    const reading = stream.readable.getReader().read();
    module.intercept = trap;
    const writing = stream.writable.getWriter().write(bytes("c4 e3"));
    const results = await Promise.allSettled([reading, writing]);
    module.intercept = undefined;
    for (const { reason } of results) assert.match(reason?.message, /module failed/);
    assert.equal(decode(bytes("c4 e3"), "gbk"), "\u4f60");
  });
});
