// Which functions convert UTF-8, those of the platform or the module: lib/strings.js has the rules.

import { assert } from "chai";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { entry, natives } from "./support/package.js";

const NODE = Number.parseInt(process.versions.node);
const address = new URL("../dist/index.js", import.meta.url).href;

/** Runs a program in a new process after counting calls of the platform's functions. Returns how many there were. */
function callsIn(program) {
  const script = `
    let calls = 0;
    for (const [{ prototype }, name] of [[TextDecoder, "decode"], [TextEncoder, "encode"]]) {
      const method = prototype[name];
      prototype[name] = function (...args) { calls++; return method.apply(this, args); };
    }
    const { TextDecoder: Decoder, TextEncoder: Encoder, decode, encode } = await import(${JSON.stringify(address)});
    calls = 0;
    ${program}
    console.log(calls);
  `;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd, encoding: "utf8" }));
}

describe("the platform's functions for UTF-8", { skip: natives !== "own" || entry !== "index" }, () => {
  const japanese = 'const text = "日本語".repeat(500), bytes = Buffer.from(text);';
  const isFast = (version) => (NODE >= version ? 1 : 0);

  test("decode Japanese text in Node from version 24 on", () => {
    assert.equal(callsIn(`${japanese} if (new Decoder().decode(bytes) !== text) throw new Error();`), isFast(24));
    assert.equal(callsIn(`${japanese} if (decode(bytes) !== text) throw new Error();`), isFast(24));
    assert.equal(callsIn(`${japanese} if (decode(bytes, "utf-8", { fatal: true }) !== text) throw new Error();`), isFast(24));
  });

  test("encode long text in Node from version 25 on", () => {
    assert.equal(callsIn(`${japanese} if (!bytes.equals(encode(text))) throw new Error();`), isFast(25));
    assert.equal(callsIn(`${japanese} if (!bytes.equals(new Encoder().encode(text))) throw new Error();`), isFast(25));
  });

  test("convert short text", () => {
    assert.equal(callsIn('if (decode(Buffer.from("日本語")) !== "日本語") throw new Error();'), 1);
    assert.equal(callsIn('if (encode("日本語").length !== 9) throw new Error();'), 1);
  });
});
