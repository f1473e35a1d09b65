// Try the API: the examples, and code that a user types.

import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { base, browser, open, site } from "./browser.mjs";

const { name: PACKAGE } = JSON.parse(readFileSync(`${site}/../bindings/js/package.json`));
const STATE = ".api .status";

async function run(tab, code) {
  if (code !== undefined) await tab.fill("#code", code);
  await tab.click("button", "Run");
  await tab.see(STATE, /Done|Stopped/);
  return tab.texts(".output > div");
}

test("the examples run", async (t) => {
  const tab = await open(t, "api");
  const output = {};
  for (const hash of await tab.page.$$eval(".api .tabs a", (links) => links.map((link) => link.hash))) {
    await tab.click(`.api .tabs a[href="${hash}"]`);
    assert.equal(await tab.hash(), hash);
    output[hash] = (await run(tab)).join("\n");
    assert.ok(output[hash].length > 20, hash);
  }
  assert.match(output["#api/strings"], /\["tea", "お茶", "🍵"\]\n\["tea", "お茶"\]/);
  assert.match(output["#api/chunks"], /你好，世界 gbk/);
  assert.match(output["#api/streams"], /30 bytes of windows-1251, 55 bytes of UTF-8\n[\s\S]*TypeError/);
  assert.equal(output["#api/encode-into"].split("\n").length, 3);
  assert.match(output["#api/errors"], /start: 2, end: 3/);
  assert.match(output["#api/errors"], /EncodeError: windows-1252 cannot represent U\+1F375/);
  assert.match(output["#api/labels"], /40 encodings, 228 labels/);
});

test("bytes are shown in hexadecimal", async (t) => {
  const tab = await open(t, "api");
  const lines = await run(
    tab,
    `console.log(encode("naï", "windows-1252"), new Uint8Array([10, 255]).buffer, Uint16Array.of(258), [10])`,
  );
  assert.deepEqual(lines, ["Uint8Array(3) [6E 61 EF] ArrayBuffer(2) [0A FF] Uint16Array(1) [258] [10]"]);
});

test("the user's code runs in a separate origin", async (t) => {
  const tab = await open(t, "api");
  assert.deepEqual(
    await run(tab, `import * as t from "${PACKAGE}";\nconsole.log(t.getEncoding("sjis"), 1, [undefined, null])`),
    ["Shift_JIS 1 [undefined, null]"],
  );
  assert.match((await run(tab, "throw new RangeError('no')"))[0], /RangeError: no/);
  assert.match((await run(tab, "const = 1"))[0], /SyntaxError/);
  const [origin, fetched, stored] = await run(
    tab,
    `console.log(origin);
    try { await fetch("${base}", { mode: "no-cors" }); console.log("fetched"); } catch (error) { console.log("refused"); }
    try { await new Promise((y, n) => { const o = indexedDB.open("x"); o.onsuccess = y; o.onerror = n; }); console.log("stored"); }
    catch (error) { console.log("refused"); }`,
  );
  assert.deepEqual([origin, fetched, stored], ["null", "refused", "refused"]);
  // The console reports the refused request.
  assert.ok(
    tab.trouble.every((line) => /Content Security Policy|Content-Security-Policy|connect-src/.test(line)),
    tab.trouble.join(),
  );
  tab.trouble.length = 0;
  await tab.focus("#code");
  await tab.fill("#code", "console.log(4)");
  await tab.press("Control+Enter");
  await tab.see(STATE, "Done");
  await tab.click("button", "Reset");
  assert.match(await tab.get("#code", "value"), /encodeArrayOfStrings/);
});

/** The processor time of the browser's processes, in hundredths of a second. */
function busy() {
  const children = new Map();
  for (const line of execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  let ticks = 0;
  const add = (pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {}
    children.get(pid)?.forEach(add);
  };
  add(browser.process().pid);
  return ticks;
}

async function ticksWithin(milliseconds) {
  const before = busy();
  await sleep(milliseconds);
  return busy() - before;
}

for (const [what, code] of Object.entries({
  "a loop": "for (;;);",
  "a loop in a timer": "setTimeout(() => { for (;;); }, 50)",
  "an interval":
    'setInterval(() => { const end = Date.now() + 90; while (Date.now() < end); console.log("tick") }, 100)',
  "a loop that is not awaited": "(async () => { await 0; await new Promise((y) => setTimeout(y, 20)); for (;;); })()",
  "a flood of messages": "for (;;) console.log('x'.repeat(1000))",
})) {
  test(`Stop really stops ${what}`, async (t) => {
    const tab = await open(t, "api");
    await tab.fill("#code", code);
    await tab.click("button", "Run");
    await sleep(700);
    assert.equal(await tab.text(STATE), "Running …", "it is not said to be done");
    // How long the code takes for this much processor time depends on what else the machine does.
    const [before, began] = [busy(), performance.now()];
    await tab.until("the code runs", () => busy() - before > 20);
    const running = (800 * (busy() - before)) / (performance.now() - began);
    const start = performance.now();
    await tab.click("button", "Stop");
    await tab.see(STATE, "Stopped. The frame with the code was removed.");
    assert.ok(performance.now() - start < 5000);
    const lines = await tab.count(".output > div");
    // Chromium gives a worker two seconds before it ends a loop by force.
    await tab.until("the code ends", async () => (await ticksWithin(500)) < Math.min(15, running / 3));
    assert.equal(await tab.count(".output > div"), lines);
    assert.deepEqual(await run(tab, "console.log(2)"), ["2"]);
  });
}

test("timers and promises of the code end before it is done", async (t) => {
  const tab = await open(t, "api");
  assert.deepEqual(
    await run(
      tab,
      `setTimeout(() => console.log("later"), 300);
      const id = setInterval(() => { console.log("tick"); clearInterval(id); }, 100);
      clearTimeout(setTimeout(() => console.log("never"), 60000));
      Promise.resolve().then(() => console.log("soon"));
      setTimeout((a, b) => console.log(a, b), 10, "with", "arguments");`,
    ),
    ["soon", "with arguments", "tick", "later"],
  );
});

test("leaving the view stops the code, and a message follows the last shown line", async (t) => {
  const tab = await open(t, "api");
  assert.deepEqual(await run(tab, "console.log(1)"), ["1"]);
  await tab.fill("#code", "for (;;);");
  await tab.click("button", "Run");
  await tab.click("nav a", "Repair");
  await tab.see("h1", "Repair");
  await tab.back();
  await tab.see(STATE, "Stopped");
  assert.deepEqual(await run(tab, "console.log(2)"), ["2"]);
  await tab.click("nav a", "Repair");
  await tab.see("h1", "Repair");
  await tab.back();
  await tab.see(STATE, "Done.");
  assert.deepEqual(await run(tab, "console.log(3)"), ["3"]);

  // Run at once after the view returns, when a frame that was kept would be loading again.
  await tab.fill("#code", "console.log(4)");
  await tab.click("nav a", "Repair");
  await tab.see("h1", "Repair");
  await tab.evaluate(async () => {
    const returned = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    history.back();
    await returned;
    [...document.querySelectorAll(".api button")].find((button) => button.innerText === "Run").click();
  });
  await tab.see(STATE, /Done|Stopped/);
  assert.deepEqual(await tab.texts(".output > div"), ["4"]);
  const lines = await run(tab, "for (let n = 0; n < 1002; n++) console.log(n)");
  assert.deepEqual([lines.length, lines[999], lines[1000]], [1001, "999", "Further lines are not shown."]);
});

test("controls in messages are shown, not obeyed", async (t) => {
  const tab = await open(t, "api");
  assert.deepEqual(await run(tab, 'throw new Error("a\\u202eb")'), ["Error: aU+202Eb"]);
});

test("odd values, errors and messages of the code are shown, and the view continues", async (t) => {
  const tab = await open(t, "api");
  const cases = {
    "throw null": "null",
    "throw undefined": "undefined",
    "throw { toString() { throw 1; } }": "{}",
    'throw Symbol("s")': "Symbol(s)",
    "throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } })": "[object that cannot be shown]",
    'throw Object.defineProperty(new Error("a"), "message", { get() { throw 1; } })': "Error: [getter that throws]",
    "Promise.reject(null)": "null",
    "console.error = () => { throw 1; }; throw 3": "3",
    "postMessage(null); postMessage(7); console.log(4)": "4",
    "postMessage({ text: null, level: {} }); console.log(5)": "5",
  };
  for (const [code, wanted] of Object.entries(cases)) {
    assert.equal((await run(tab, code)).join(" "), wanted, code);
    assert.equal(await tab.text(STATE), "Done.", code);
    // Firefox's console also shows rejections whose event was cancelled.
    if (code.startsWith("Promise.reject")) {
      await sleep(300);
      assert.ok(tab.trouble.splice(0).every((line) => line === "Error: uncaught exception: null"));
    }
  }
  const [long] = await run(tab, 'console.log("x".repeat(1e8))');
  assert.equal(long, `${"x".repeat(20_000)} … 99980000 more code units`);
  assert.deepEqual(await run(tab, "setTimeout(() => { throw null; }, 10)"), ["null"]);
  assert.deepEqual(
    await run(tab, 'const id = setInterval(() => { clearInterval(id); throw new RangeError("a"); }, 10)'),
    ["RangeError: a"],
  );
  assert.deepEqual(await run(tab, "console.log(6)"), ["6"]);
});
