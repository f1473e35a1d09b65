// Repair, in a browser. `parts-repair*.mjs` test the ranking.

import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, encodeOrFail } from "textcodec";
import { open } from "./browser.mjs";

const BEST = ".candidate:first-child";
const bestName = (tab) => tab.page.$eval(BEST, (element) => element.dataset.name);
const bestText = (tab) => tab.text(`${BEST} pre`);

/** Pastes text and waits for its results. */
async function paste(tab, pasted, wanted = "Best:") {
  await tab.page.$eval(".repair .status", (element) => element.replaceChildren());
  await tab.fill("textarea[name=pasted]", pasted);
  return tab.see(".repair .status", wanted);
}

const downloaded = (tab, card) =>
  tab.downloaded(async () => {
    const button = await tab.page.evaluateHandle(
      (card) => [...document.querySelectorAll(`${card} button`)].find((e) => e.innerText === "Download as UTF-8"),
      card,
    );
    await button.asElement().click();
  });

async function openFile(tab, name, bytes) {
  const path = join(await mkdtemp(join(tmpdir(), "textcodec-site-")), name);
  await writeFile(path, bytes);
  await (await tab.page.$("#file")).uploadFile(path);
}

/** Drops a file on the page. */
const drop = (tab, name, bytes) =>
  tab.evaluate(
    (name, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      document
        .querySelector(".drop")
        .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    name,
    [...bytes],
  );

test("bytes are decoded, and errors have offsets", async (t) => {
  const tab = await open(t, "repair");
  await paste(tab, "93 FA 96 7B 8C EA 82 CC 83 65 83 4C 83 58 83 67");
  assert.equal(await bestName(tab), "Shift_JIS");
  assert.equal(await bestText(tab), "日本語のテキスト");
  assert.equal(String((await downloaded(tab, BEST)).bytes), "日本語のテキスト");
  await paste(tab, "93 FA 96 7B FF 8C EA 82 CC 83 65 83 4C 83 58 83 67 81", "18 bytes");
  await tab.see('.candidate[data-name="Shift_JIS"] mark');
  const card = '.candidate[data-name="Shift_JIS"]';
  const titles = await tab.page.$$eval(`${card} mark`, (marks) => marks.map(({ title }) => title));
  assert.deepEqual(titles, ["byte 4: FF", "byte 17: 81"]);
  assert.deepEqual(await tab.texts(`${card} .errors li`), ["byte 4: FF", "byte 17: 81"]);
  await tab.select("select[name=kind]", "base64");
  await tab.see(".repair .status", "base64");
});

test("base64, percent-encoded bytes and garbled text", async (t) => {
  const tab = await open(t, "repair");
  await paste(tab, "%CF%F0%E8%E2%E5%F2%2C%20%EC%E8%F0%21");
  assert.equal(await bestText(tab), "Привет, мир!");
  await paste(tab, "5pel5pys6Kqe", "base64");
  await tab.see(`${BEST} pre`, "日本語");
  await paste(tab, "æ—¥æœ¬");
  await tab.see(`${BEST} pre`, "日本");
  assert.equal(await bestName(tab), "UTF-8 read as windows-1252");
  assert.equal(String((await downloaded(tab, BEST)).bytes), "日本");
});

test("notations for bytes and characters, and text that is only partly garbled", async (t) => {
  const tab = await open(t, "repair");
  const cases = {
    "cafÃ© 😀": "café 😀",
    "Müller – MÃ¼ller": "Müller – Müller",
    "voilÃ  la": "voilà la",
    "Zo├½": "Zoë",
    "=?iso-8859-1?Q?caf=E9?=": "café",
    "Gr=C3=BC=C3=9Fe=\n!": "Grüße!",
    "caf&#195;&#169;": "café",
    "\\u65e5\\u672c": "日本",
    "00000000: 5a6f c3ab 0a                             Zo...": "Zoë",
  };
  for (const [pasted, wanted] of Object.entries(cases)) {
    await paste(tab, pasted);
    await tab.until(wanted, async () => (await tab.texts(`${BEST} pre`))[0]?.trim() === wanted);
  }
  for (const title of [
    "Shift_JIS in hexadecimal",
    "garbled text",
    "half garbled text",
    "the subject of a mail",
    "a hexdump",
  ]) {
    await tab.page.$eval(".repair .status", (element) => element.replaceChildren());
    await tab.click(".examples button", title);
    await tab.see(".repair .status", "Best:");
  }
});

test("the score is explained in words", async (t) => {
  const tab = await open(t, "repair");
  await paste(tab, "voilÃ  la – cafÃ©");
  const best = await tab.see(BEST, "voilà la – café");
  assert.match(best, /Very likely/);
  assert.match(best, /Other bytes are rarely well-formed in this encoding by chance\./);
  assert.match(best, /Nearly all characters are frequent in a language\./);
  assert.match(best, /1 lost byte was restored/);
  assert.match(best, /1 character was right and stayed\./);
  await paste(tab, "93 FA 96 7B FF 8C EA");
  await tab.see('.candidate[data-name="Shift_JIS"]', "1 sequence of bytes is malformed.");
});

test("files: opened, dropped, and longer than the preview", async (t) => {
  const tab = await open(t, "repair");
  const tea = "お茶をいれる。\r\n緑茶とほうじ茶があります。\r\n";
  await openFile(tab, "tea.txt", encodeOrFail(tea, "shift_jis"));
  await tab.see(".repair .status", "tea.txt");
  await tab.see(".candidate");
  const { bytes, name } = await downloaded(tab, '.candidate[data-name="Shift_JIS"]');
  assert.equal(String(bytes), tea);
  assert.equal(name, "tea.utf-8.txt");

  await drop(tab, "dropped.txt", encodeOrFail("Привет, мир!", "windows-1251"));
  await tab.see(".repair .status", "dropped.txt");
  await tab.see(".candidate pre", "Привет, мир!");

  // 24 MiB, with characters across chunk boundaries.
  const line = encodeOrFail("日本語のテキスト, 1\n", "shift_jis");
  const long = Buffer.alloc(24 << 20);
  for (let at = 0; at < long.length; at += line.length) long.set(line.subarray(0, long.length - at), at);
  await tab.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
    }, 10);
  });
  await openFile(tab, "long.txt", long);
  await tab.see(".repair .status", "the first MiB");
  const card = '.candidate[data-name="Shift_JIS"]';
  assert.doesNotMatch(await tab.see(card), /malformed/, "the cut is not an error");
  await tab.click(`${card} button`, "Show more");
  assert.ok((await tab.text(`${card} pre`)).length > 5000);
  const utf8 = await downloaded(tab, card);
  assert.ok(utf8.bytes.equals(Buffer.from(decode(long, "shift_jis"))), "exact UTF-8");
  const longest = await tab.evaluate(() => window.longest);
  assert.ok(longest < 1000, `the page was blocked for ${longest} ms`);
});

test("the latest input wins, and failures are reported", async (t) => {
  const tab = await open(t, "repair");
  // A file is opened before the typed input is processed.
  await tab.fill("textarea[name=pasted]", "41 42");
  await openFile(tab, "tea.txt", "緑茶");
  await tab.see(".repair .status", "tea.txt");
  await sleep(400);
  await tab.see(".repair .status", /tea\.txt.*Best: UTF-8/);
  await tab.select("select[name=kind]", "hex");
  assert.match(await tab.text(".repair .status"), /tea\.txt/, "the file stays");
  assert.equal(await bestText(tab), "緑茶");
  await tab.select("select[name=kind]", "");
  await tab.click("button", "Clear");
  await openFile(tab, "tea.txt", "緑茶");
  await tab.see(".repair .status", "Best: UTF-8");
  assert.equal(await tab.get("#file", "value"), "", "the same file can be opened again");

  // Reading a file fails, or takes long.
  const dropWith = async (kind) => {
    await tab.evaluate((kind) => {
      window.read ??= Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer =
        kind === "fail"
          ? () => Promise.reject(new Error("It cannot be read\u202e."))
          : async () => (await new Promise((resolve) => setTimeout(resolve, 800)), new ArrayBuffer(1));
    }, kind);
    await drop(tab, "odd.txt", [1]);
    await tab.evaluate(() => (Blob.prototype.arrayBuffer = window.read));
  };
  await dropWith("fail");
  await tab.see(".repair .status", "It cannot be readU+202E.");
  assert.equal(await tab.count(".candidate"), 0);
  await dropWith("slow");
  await paste(tab, "93 FA 96 7B");
  await sleep(800);
  assert.match(await tab.text(".repair .status"), /^4 bytes/, "a slow file does not replace later input");
});

test("long text is repaired, and later input ends its search", async (t) => {
  const tab = await open(t, "repair");
  const setText = (line, times) =>
    tab.page.$eval(
      "textarea[name=pasted]",
      (element, text) => {
        element.value = text;
        element.dispatchEvent(new Event("input"));
      },
      line.repeat(times),
    );
  await setText("CafÃ© 日本 ", 20_000);
  await tab.see(".repair .status", "Best: UTF-8 read as windows-1252");
  await tab.see(`${BEST} pre`, "Café 日本 Café");
  await setText("é日", 1_000_000);
  await tab.see(".repair .status", "…");
  const start = performance.now();
  await setText("cafÃ©", 1);
  await tab.see(`${BEST} pre`, /^café$/);
  assert.ok(performance.now() - start < 5000);
  await setText("C3 A9 E2 80 8E ", 65_000);
  await tab.see(`${BEST} pre`, "éU+200EéU+200E");
  for (let n = 0; n < 3; n++) await tab.click(`${BEST} button`, "Show more");
  const all = await tab.page.$eval(`${BEST} pre`, (element) => element.textContent);
  assert.ok(all === "éU+200E".repeat(65_000));
});

test("controls in a file's name are shown, and not in the name of the download", async (t) => {
  const tab = await open(t, "repair");
  await drop(tab, "invoice\u202excod.exe", Buffer.from("café"));
  const status = await tab.see(".repair .status", "Best:");
  assert.match(status, /invoiceU\+202Excod\.exe/);
  assert.ok(!status.includes("\u202e"));
  assert.equal(await tab.text(".repair .status bdi .control"), "U+202E");
  assert.equal(await tab.page.$eval(".repair .status bdi", (e) => getComputedStyle(e).unicodeBidi), "isolate");
  const { name } = await downloaded(tab, BEST);
  assert.equal(name, "invoicexcod.utf-8.txt");
});

test("keyboard navigation in Repair", async (t) => {
  const tab = await open(t, "repair");
  await paste(tab, "æ—¥æœ¬");
  await tab.focus("textarea[name=pasted]");
  const reached = [];
  for (let n = 0; n < 20; n++) {
    await tab.press("Tab");
    reached.push(await tab.evaluate(() => document.activeElement.textContent || document.activeElement.id));
  }
  assert.ok(reached.includes("file"), "the file chooser");
  assert.ok(reached.includes("日本"), "the preview");
  assert.ok(reached.includes("Download as UTF-8"));
});
