// Input that must not end a process: millions of errors in one chunk, in a process with little memory.

import { assert } from "chai";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";

const file = (name) => JSON.stringify(new URL(`../dist/${name}.js`, import.meta.url));

/** Runs a program with 64 MB for JavaScript's objects. A list with an object for each error takes several times as much. */
function withLittleMemory(program) {
  const args = ["--max-old-space-size=64", "--input-type=module", "-e", program];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.deepEqual([status, signal], [0, null], stderr);
  return stdout.trim();
}

const COUNT = 2e6;

describe("millions of errors in a chunk", () => {
  for (const entry of ["index", "js"]) {
    test(`Decoder of ${entry}`, () => {
      const output = withLittleMemory(`
        import { Decoder } from ${file(entry)};
        let [count, last] = [0, 0];
        const decoder = new Decoder("gbk", { onMalformed: ({ end }) => [count, last] = [count + 1, end] });
        const text = decoder.write(new Uint8Array(${COUNT}).fill(0xff)) + decoder.end();
        console.log(count, last, text.length);
      `);
      assert.equal(output, `${COUNT} ${COUNT} ${COUNT}`);
    });
  }

  for (const [name, label, event, input] of [
    ["DecoderStream", "gbk", "malformed", `Buffer.alloc(${COUNT}, 0xff)`],
    ["EncoderStream", "latin1", "unmappable", `"\\u4e00".repeat(${COUNT})`],
  ]) {
    test(`${name} of Node`, () => {
      const output = withLittleMemory(`
        import { ${name} } from ${file("node")};
        let count = 0;
        const stream = new ${name}("${label}").on("${event}", () => count++).resume();
        stream.on("end", () => console.log(count)).end(${input});
      `);
      assert.equal(output, `${COUNT}`);
    });
  }
});
