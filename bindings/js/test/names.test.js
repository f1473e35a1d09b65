// Every function that takes a name, in every entry of package.json, with every label in several spellings, with strings that are
// similar to labels, and with every name of iconv-lite. The oracle says what they mean: vectors/src/main.rs.

import { assert } from "chai";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Worker } from "node:worker_threads";

const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const FILES = ["./textcodec.wasm", "./package.json"];

/** After this time without a message from a worker, its call does not return. A call takes milliseconds. */
const SILENCE = 60_000;

/** Runs support/names.js, and returns its last message. */
function run(entry) {
  const worker = new Worker(new URL("support/names.js", import.meta.url), { workerData: { entry } });
  return new Promise((resolve, reject) => {
    let last = "the import";
    const silent = () => reject(new Error(`${last} does not return`));
    let timer = setTimeout(silent, SILENCE);
    worker.on("message", (message) => {
      clearTimeout(timer);
      if (message.mistakes !== undefined) return resolve(message);
      last = message;
      timer = setTimeout(silent, SILENCE);
    });
    worker.on("error", reject);
  }).finally(() => worker.terminate());
}

describe("names", () => {
  for (const entry of Object.keys(exports).filter((entry) => !FILES.includes(entry))) {
    test(entry, async () => {
      const { mistakes, names } = await run(entry);
      assert.isAbove(names, 5000);
      assert.deepEqual(mistakes.slice(0, 20), [], `${mistakes.length} mistakes`);
    });
  }
});
