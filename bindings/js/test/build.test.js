// What `npm run build` says if a tool is missing. The builds here stop before they change anything.

import { assert } from "chai";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(new URL("../build.mjs", import.meta.url));

/** Runs the build in an environment with these variables. Returns its messages. */
function failure(variables) {
  const { status, stderr } = spawnSync(process.execPath, [BUILD], { env: { ...process.env, ...variables }, encoding: "utf8" });
  assert.equal(status, 1);
  assert.notMatch(stderr, /^ +at /m, "no stack trace");
  return stderr;
}

describe("the build without a tool", { skip: process.platform === "win32" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "build-"));
  after(() => rmSync(folder, { recursive: true }));

  test("cargo is missing", () => {
    assert.match(failure({ WASM_CARGO: join(folder, "no-cargo") }), /^build.mjs: .*no-cargo is missing\. .*https:\/\/rustup\.rs\n$/);
  });

  test("the target is missing, or something else fails", () => {
    const script = (name, line) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      return join(folder, name);
    };
    const WASM_CARGO = script("cargo", "echo 'cannot find crate core' >&2; exit 101");
    const missing = failure({ WASM_CARGO, RUSTC: script("rustc-1", `echo ${folder}/none`) });
    assert.match(missing, /^cannot find crate core\nbuild.mjs: .*cargo failed with exit status 101\. .*: rustup target add wasm32-unknown-unknown\n/);
    for (const line of [`echo ${folder}`, "exit 1"]) {
      assert.notInclude(failure({ WASM_CARGO, RUSTC: script("rustc-2", line) }), "rustup");
    }
  });
});
