// `npm test`: tests the page in Chromium, after `npm run build`. Writes screenshots of each view to screenshots/.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, mkdirSync, rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { decode, encodeOrFail } from "textcodec";
import { serve } from "./serve.mjs";
import { readIndex } from "./src/explore/indexes.js";
import "./test-parts.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const { name: PACKAGE } = JSON.parse(readFileSync(new URL("../bindings/js/package.json", import.meta.url)));
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const VIEWS = ["explore/jis0208/1410", "explore/big5/bmp/4E00", "explore/gb18030-ranges/7457", "repair", "api/errors"];

let server;
let base;
let browser;

before(async () => {
  server = await serve(join(here, "dist"));
  base = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  rmSync(join(here, "screenshots"), { recursive: true, force: true });
  mkdirSync(join(here, "screenshots"));
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page. The test fails if the page writes to the console or makes a request to another server. */
async function open(t, hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(5000);
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => trouble.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(base)) trouble.push(request.url());
  });
  page.trouble = trouble;
  t.after(async () => {
    await context.close();
    assert.deepEqual(trouble, []);
  });
  await page.goto(`${base}#${hash}`);
  await page.locator("h1").waitFor();
  return page;
}

const text = (page, selector) => page.locator(selector).innerText();
const hashOf = (page) => page.evaluate(() => location.hash);

// Explore.

test("details of a cell", async (t) => {
  const page = await open(t, "explore/jis0208/1410");
  const card = await text(page, ".card");
  for (const part of [
    "U+4E9C",
    "亜",
    "88 9F",
    "B0 A1",
    "30 21",
    "between 1B 24 42 and 1B 28 42",
    "E4 BA 9C",
    "the same",
  ]) {
    assert.ok(card.includes(part), `${part} in ${card}`);
  }
  assert.match(card, /1410 = 15 × 94 \+ 0/);
  assert.match(await page.title(), /jis0208/);
  await page.goto(`${base}#explore/big5/1133`);
  await page.locator(".card", { hasText: "U+00CA U+0304" }).waitFor();
  await page.goto(`${base}#explore/big5/5599`);
  assert.equal(await page.locator('[data-pointer="5599"]').getAttribute("tabindex"), "0");
  await page.goto(`${base}#explore/jis0212/1410`);
  await page.locator(".card", { hasText: "8F B0 A1" }).waitFor();
  assert.match(await text(page, ".card"), /cannot/);
  await page.goto(`${base}#explore/shift_jis/8272`);
  await page.locator(".card", { hasText: "ED 40" }).waitFor();
  assert.match(await text(page, ".card"), /FA 5C/, "the encoder writes another pointer");
  await page.goto(`${base}#explore/windows-1252/0`);
  await page.locator(".card", { hasText: "U+20AC" }).waitFor();
  await page.goto(`${base}#explore/gb18030-ranges/7457`);
  await page.locator(".card", { hasText: "U+E7C7" }).waitFor();
  assert.match(await text(page, ".card"), /81 35 F4 37/);
  await page.goto(`${base}#explore/iso-2022-jp-katakana/16`);
  await page.locator(".card", { hasText: "U+30A2" }).waitFor();
  assert.match(await text(page, ".card"), /U\+FF71/);
});

test("every index is shown, with the right counts", async (t) => {
  const page = await open(t, "explore");
  const options = await page.locator("select[name=index] option").evaluateAll((all) => all.map(({ value }) => value));
  assert.equal(options.length, 35);
  for (const id of options) {
    await page.selectOption("select[name=index]", id);
    const index = readIndex(id);
    if (index.ranges) {
      assert.equal(await page.locator(".ranges tbody tr").count(), 207);
      continue;
    }
    const mapped = index.codePoints.filter((codePoint) => codePoint >= 0).length.toLocaleString("en");
    await page
      .locator(".legend caption", { hasText: `Legend: ${mapped} of` })
      .first()
      .waitFor();
  }
});

test("only visible cells exist", async (t) => {
  const page = await open(t, "explore/gb18030/0");
  const grid = page.locator(".grid");
  const cells = () => grid.locator("[role=gridcell]").count();
  assert.ok((await cells()) < 1000);
  for (const [left, top] of [
    [2000, 1500],
    [9000, 6000],
    [0, 3000],
  ]) {
    await grid.evaluate((element, [left, top]) => element.scrollTo(left, top), [left, top]);
    await page.waitForTimeout(50);
    assert.ok((await cells()) < 1000);
    // The cell in the middle of the box is in the right row.
    const seen = await grid.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const cell = document.elementFromPoint(left + width / 2, top + height / 2).closest("[data-pointer]");
      const row = Math.floor((element.scrollTop + height / 2 - 36) / 48);
      return [Number(cell.dataset.pointer), row];
    });
    assert.equal(Math.floor(seen[0] / 190), seen[1]);
  }
  const order = await grid.locator("[role=row]").evaluateAll((rows) => rows.map((row) => Number(row.ariaRowIndex)));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    "rows are in order",
  );
});

test("hovering shows a cell's details, leaving shows the current cell again", async (t) => {
  const page = await open(t, "explore/jis0208/1410");
  await page.hover('[data-pointer="1411"]');
  assert.match(await text(page, ".card"), /U\+5516/);
  await page.hover("h1");
  assert.match(await text(page, ".card"), /U\+4E9C/);
});

test("search selects a cell, and Back returns", async (t) => {
  const page = await open(t, "explore/jis0208/1410");
  const search = async (query) => {
    await page.fill("input[name=query]", query);
    await page.press("input[name=query]", "Enter");
  };
  await search("U+6771");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.pointer), "3459");
  assert.match(await text(page, ".status"), /東 U\+6771/);
  assert.equal(await hashOf(page), "#explore/jis0208/3459");
  await search("88 9F");
  assert.equal(await hashOf(page), "#explore/jis0208/1410");
  await page.goBack();
  await page.locator(".card", { hasText: "U+6771" }).waitFor();
  await search("한");
  assert.match(await text(page, ".status"), /U\+D55C is not in jis0208\. It is in EUC-KR/);
  await page.click(".status a:has-text('EUC-KR')");
  await page.locator(".card", { hasText: "U+D55C" }).waitFor();
  await page.selectOption("select[name=kind]", "pointer");
  await search("9026");
  await page.locator(".card", { hasText: "U+AC00" }).waitFor();
});

test("keyboard navigation in the table", async (t) => {
  const page = await open(t, "explore/jis0208/1410");
  await page.focus("button:text-is('Find')");
  await page.keyboard.press("Tab");
  const current = () => page.evaluate(() => Number(document.activeElement.dataset.pointer));
  assert.equal(await current(), 1410, "the table is one tab stop");
  for (const [key, pointer] of [
    ["ArrowRight", 1411],
    ["ArrowDown", 1505],
    ["ArrowLeft", 1504],
    ["ArrowUp", 1410],
    ["End", 1503],
    ["Home", 1410],
    ["Control+End", 11279],
    ["Control+Home", 0],
    ["ArrowLeft", 0],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await current(), pointer, key);
    const isVisible = await page.evaluate(() => {
      const [cell, grid] = [document.activeElement, document.querySelector(".grid")].map((e) =>
        e.getBoundingClientRect(),
      );
      return (
        cell.left >= grid.left + 80 &&
        cell.top >= grid.top + 35 &&
        cell.right <= grid.right &&
        cell.bottom <= grid.bottom + 1
      );
    });
    assert.ok(isVisible, `${key}: the cell is visible`);
  }
  await page.keyboard.press("PageDown");
  assert.ok((await current()) > 300);
  const label = await page.evaluate(() => document.activeElement.ariaLabel);
  assert.match(label, /bytes [0-9A-F]{2} [0-9A-F]{2}, pointer \d+/);
  // Scrolling does not move the focus.
  const before = await current();
  await page.locator(".grid").evaluate((grid) => grid.scrollTo(4000, 5000));
  await page.waitForTimeout(50);
  assert.equal(await current(), before);
  await page.keyboard.press("Tab");
  assert.ok(!(await page.evaluate(() => document.activeElement.closest(".grid"))));
});

test("BMP coverage", async (t) => {
  const page = await open(t, "explore/euc-kr/bmp/AC00");
  assert.match(await text(page, ".cover-line"), /U\+AC00 가 · Hangul Syllables .* pointer 9026/s);
  assert.match(await text(page, ".cover-summary"), /Hangul Syllables\s+AC00–D7AF\s+11,172 of 11,184/);
  assert.match(await text(page, ".coverage .legend"), /17,048 of 65,536/);
  await page.focus(".cover-picture");
  await page.keyboard.press("ArrowDown");
  assert.match(await text(page, ".cover-line"), /U\+AD00/);
  assert.equal(await hashOf(page), "#explore/euc-kr/bmp/AD00");
  const box = await page.locator(".cover-picture canvas").boundingBox();
  await page.mouse.move(box.x + box.width / 512, box.y + (box.height * (0x4e + 0.5)) / 256);
  assert.match(await text(page, ".cover-line"), /U\+4E00/);
  // The encoder of EUC-JP covers less than the index: it does not use rows from 95 on.
  await page.goto(`${base}#explore/jis0208/bmp`);
  await page.selectOption("select[name=by]", "EUC-JP");
  const included = (await text(page, ".coverage .legend caption")).match(/^[\d,]+/)[0];
  let writable = 0;
  for (let codePoint = 0; codePoint <= 0xffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    try {
      encodeOrFail(String.fromCharCode(codePoint), "EUC-JP");
      writable++;
    } catch {}
  }
  assert.equal(included, writable.toLocaleString("en"));
  const picture = await page.locator(".cover-picture canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, 256, 256);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(picture >= 5, "several colours");
});

// Repair.

const best = (page) => page.locator(".candidate").first();

async function paste(page, pasted) {
  await page.fill("textarea[name=pasted]", pasted);
  await page.locator(".status", { hasText: "Best:" }).waitFor();
}

async function downloaded(page, card) {
  const [download] = await Promise.all([page.waitForEvent("download"), card.locator("text=Download as UTF-8").click()]);
  return { bytes: readFileSync(await download.path()), name: download.suggestedFilename() };
}

test("bytes are decoded, and errors have offsets", async (t) => {
  const page = await open(t, "repair");
  await paste(page, "93 FA 96 7B 8C EA 82 CC 83 65 83 4C 83 58 83 67");
  assert.equal(await best(page).getAttribute("data-name"), "Shift_JIS");
  assert.equal(await best(page).locator("pre").innerText(), "日本語のテキスト");
  assert.equal(String((await downloaded(page, best(page))).bytes), "日本語のテキスト");
  await paste(page, "93 FA 96 7B FF 8C EA 82 CC 83 65 83 4C 83 58 83 67 81");
  await page.locator(".status", { hasText: "18 bytes" }).waitFor();
  const card = page.locator('.candidate[data-name="Shift_JIS"]');
  assert.deepEqual(await card.locator("mark").evaluateAll((marks) => marks.map(({ title }) => title)), [
    "byte 4: FF",
    "byte 17: 81",
  ]);
  assert.deepEqual(await card.locator(".errors li").allInnerTexts(), ["byte 4: FF", "byte 17: 81"]);
  await page.selectOption("select[name=kind]", "base64");
  await page.locator(".status", { hasText: "base64" }).waitFor();
});

test("base64, percent-encoded bytes and garbled text", async (t) => {
  const page = await open(t, "repair");
  await paste(page, "%CF%F0%E8%E2%E5%F2%2C%20%EC%E8%F0%21");
  assert.equal(await best(page).locator("pre").innerText(), "Привет, мир!");
  await paste(page, "5pel5pys6Kqe");
  await page.locator(".status", { hasText: "base64" }).waitFor();
  assert.equal(await best(page).locator("pre").innerText(), "日本語");
  await paste(page, "æ—¥æœ¬");
  await page.locator(".status", { hasText: "read as windows-1252" }).waitFor();
  assert.equal(await best(page).locator("pre").innerText(), "日本");
  assert.equal(await best(page).getAttribute("data-name"), "UTF-8 read as windows-1252");
  assert.equal(String((await downloaded(page, best(page))).bytes), "日本");
  for (const name of ["Shift_JIS in hexadecimal", "garbled text", "part of a URL", "base64 with an error"]) {
    await page.click(`.examples button:text-is("${name}")`);
    await page.locator(".status", { hasText: "Best:" }).waitFor();
  }
  assert.match(await best(page).innerText(), /GB.*1 error.*你好，世界！ �你好.*byte 13: FF/s);
});

test("files: opened, dropped, and longer than the preview", async (t) => {
  const page = await open(t, "repair");
  const small = encodeOrFail("お茶をいれる。\r\n緑茶とほうじ茶があります。\r\n", "shift_jis");
  await page.setInputFiles("#file", { name: "tea.txt", mimeType: "text/plain", buffer: Buffer.from(small) });
  await page.locator(".status", { hasText: "tea.txt" }).waitFor();
  await page.locator(".candidate").first().waitFor();
  const { bytes, name } = await downloaded(page, page.locator('.candidate[data-name="Shift_JIS"]'));
  assert.equal(String(bytes), "お茶をいれる。\r\n緑茶とほうじ茶があります。\r\n");
  assert.equal(name, "tea.utf-8.txt");

  const transfer = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], "dropped.txt"));
      return transfer;
    },
    [...encodeOrFail("Привет, мир!", "windows-1251")],
  );
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
  await page.locator(".status", { hasText: "dropped.txt" }).waitFor();
  await page.locator("pre", { hasText: "Привет, мир!" }).waitFor();

  // 24 MiB, with characters across chunk boundaries.
  const line = encodeOrFail("日本語のテキスト, 1\n", "shift_jis");
  const file = join(await mkdtemp(join(tmpdir(), "textcodec-site-")), "long.txt");
  const long = Buffer.alloc(24 << 20);
  for (let at = 0; at < long.length; at += line.length) long.set(line.subarray(0, long.length - at), at);
  await writeFile(file, long);
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
    }, 10);
  });
  await page.setInputFiles("#file", file);
  await page.locator(".status", { hasText: "the first MiB" }).waitFor();
  const card = page.locator('.candidate[data-name="Shift_JIS"]');
  await card.waitFor();
  assert.match(await card.innerText(), /0 errors/, "the cut is not an error");
  await card.locator("text=Show more").click();
  assert.ok((await card.locator("pre").innerText()).length > 5000);
  const utf8 = await downloaded(page, card);
  assert.ok(utf8.bytes.equals(Buffer.from(decode(long, "shift_jis"))), "exact UTF-8");
  const longest = await page.evaluate(() => window.longest);
  assert.ok(longest < 500, `the page was blocked for ${longest} ms`);
});

test("the latest input wins, and failures are reported", async (t) => {
  const page = await open(t, "repair");
  const tea = { name: "tea.txt", mimeType: "text/plain", buffer: Buffer.from("緑茶") };
  // A file is opened before the typed input is processed.
  await page.fill("textarea[name=pasted]", "41 42");
  await page.setInputFiles("#file", tea);
  await page.locator(".status", { hasText: "tea.txt" }).waitFor();
  await page.waitForTimeout(400);
  assert.match(await text(page, ".status"), /tea\.txt.*Best: UTF-8/);
  await page.selectOption("select[name=kind]", "hex");
  assert.match(await text(page, ".status"), /tea\.txt/, "the file stays");
  assert.equal(await best(page).locator("pre").innerText(), "緑茶");
  await page.selectOption("select[name=kind]", "");
  await page.click("button:text-is('Clear')");
  await page.setInputFiles("#file", tea);
  await page.locator(".status", { hasText: "Best: UTF-8" }).waitFor();
  assert.equal(await page.inputValue("#file"), "", "the same file can be opened again");

  const drop = async (read) => {
    const transfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["slow"], "odd.txt"));
      return transfer;
    });
    await page.evaluate((read) => {
      window.read ??= Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = new Function(`return ${read}`)();
    }, read);
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
    await page.evaluate(() => (Blob.prototype.arrayBuffer = window.read));
  };
  await drop("() => Promise.reject(new Error('It cannot be read.'))");
  await page.locator(".status", { hasText: "It cannot be read." }).waitFor();
  assert.equal(await page.locator(".candidate").count(), 0);
  await drop("async () => (await new Promise((y) => setTimeout(y, 800)), new ArrayBuffer(1))");
  await paste(page, "93 FA 96 7B");
  await page.waitForTimeout(800);
  assert.match(await text(page, ".status"), /^4 bytes/, "a slow file does not replace later input");
});

test("keyboard navigation in Repair", async (t) => {
  const page = await open(t, "repair");
  await page.focus("textarea[name=pasted]");
  await page.keyboard.insertText("æ—¥æœ¬");
  await page.locator(".candidate").first().waitFor();
  const reached = [];
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.textContent || document.activeElement.id));
  }
  assert.ok(reached.includes("file"), "the file chooser");
  assert.ok(reached.includes("日本"), "the preview");
  assert.ok(reached.includes("Download as UTF-8"));
});

// Try the API.

async function run(page, code) {
  if (code !== undefined) await page.fill("#code", code);
  await page.click("button:text-is('Run')");
  await page.locator(".api .status", { hasText: /Done|Stopped/ }).waitFor();
  return page.locator(".output div").allInnerTexts();
}

test("the examples run", async (t) => {
  const page = await open(t, "api");
  const output = {};
  for (const hash of await page.locator(".api .tabs a").evaluateAll((links) => links.map((link) => link.hash))) {
    await page.click(`.api .tabs a[href="${hash}"]`);
    assert.equal(await hashOf(page), hash);
    output[hash] = (await run(page)).join("\n");
    assert.ok(output[hash].length > 20, hash);
  }
  assert.match(output["#api/strings"], /\["tea", "お茶", "🍵"\]\n\["tea", "お茶"\]/);
  assert.match(output["#api/chunks"], /你好，世界 gbk/);
  assert.match(output["#api/streams"], /30 bytes of windows-1251, 55 bytes of UTF-8\n[\s\S]*TypeError/);
  assert.equal(output["#api/encode-into"].split("\n").length, 3);
  assert.match(output["#api/errors"], /start: 2, end: 3/);
  assert.match(output["#api/errors"], /EncodeError/);
  assert.match(output["#api/labels"], /40 encodings, 228 labels/);
});

test("the user's code runs in a separate origin, and can be stopped", async (t) => {
  const page = await open(t, "api");
  assert.deepEqual(
    await run(page, `import * as t from "${PACKAGE}";\nconsole.log(t.getEncoding("sjis"), 1, [undefined, null])`),
    ["Shift_JIS 1 [undefined, null]"],
  );
  assert.match((await run(page, "throw new RangeError('no')"))[0], /RangeError: no/);
  assert.match((await run(page, "const = 1"))[0], /SyntaxError/);
  const [origin, fetched, stored] = await run(
    page,
    `console.log(origin);
    try { await fetch("${base}", { mode: "no-cors" }); console.log("fetched"); } catch (error) { console.log("refused"); }
    try { await new Promise((y, n) => { const o = indexedDB.open("x"); o.onsuccess = y; o.onerror = n; }); console.log("stored"); }
    catch (error) { console.log("refused"); }`,
  );
  assert.deepEqual([origin, fetched, stored], ["null", "refused", "refused"]);
  // The console reports the refused request.
  assert.ok(
    page.trouble.length <= 1 && page.trouble.every((line) => /Content Security Policy|connect-src/.test(line)),
    page.trouble[0],
  );
  page.trouble.length = 0;
  await page.fill("#code", "for (;;);");
  await page.click("button:text-is('Run')");
  await page.locator(".api .status", { hasText: "Running" }).waitFor();
  await page.click("button:text-is('Stop')");
  assert.deepEqual(await run(page, "console.log(2)"), ["2"]);
  await page.focus("#code");
  await page.keyboard.press("Control+Enter");
  await page.locator(".api .status", { hasText: "Done" }).waitFor();
  await page.click("button:text-is('Reset')");
  assert.match(await page.inputValue("#code"), /encodeArrayOfStrings/);
});

test("leaving the view stops the code, and a message follows the last shown line", async (t) => {
  const page = await open(t, "api");
  assert.deepEqual(await run(page, "console.log(1)"), ["1"]);
  await page.fill("#code", "for (;;);");
  await page.click("button:text-is('Run')");
  await page.click("nav >> text=Repair");
  await page.goBack();
  assert.equal(await text(page, ".api .status"), "Stopped.");
  assert.deepEqual(await run(page, "console.log(2)"), ["2"]);
  await page.click("nav >> text=Repair");
  await page.goBack();
  assert.equal(await text(page, ".api .status"), "Done.");
  assert.deepEqual(await run(page, "console.log(3)"), ["3"]);
  const lines = await run(page, "for (let n = 0; n < 1002; n++) console.log(n)");
  assert.deepEqual([lines.length, lines[999], lines[1000]], [1001, "999", "Further lines are not shown."]);
});

// All views.

test("links, Back and the skip link", async (t) => {
  const page = await open(t, "explore");
  await page.click("nav >> text=Repair");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Repair text");
  assert.equal(await page.locator("nav [aria-current=page]").innerText(), "Repair");
  await page.click("nav >> text=Try the API");
  await page.goBack();
  await page.locator("h1", { hasText: "Repair" }).waitFor();
  await page.goBack();
  await page.locator("h1", { hasText: "Explore" }).waitFor();
  await page.reload();
  await page.locator("h1", { hasText: "Explore" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.goto(`${base}#repair`);
  await page.goto(`${base}#constructor`);
  await page.locator("h1", { hasText: "Explore" }).waitFor();
  await page.goto(`${base}#nonsense/%E4%BA`);
  await page.locator("h1", { hasText: "Explore" }).waitFor();
});

test("the choice of theme persists", async (t) => {
  const page = await open(t, "explore", { colorScheme: "light" });
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.click("#theme");
  const dark = await back();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await back(), dark);
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "true");
  await page.click("#theme");
  assert.equal(await back(), light);
});

/** Opens a view with some content. */
async function prepare(page, hash) {
  await page.goto(`${base}#${hash}`);
  if (hash === "repair") {
    await page.click(".examples button:text-is('base64 with an error')");
    await page.locator(".candidate").first().waitFor();
  }
  if (hash.startsWith("api")) await run(page);
  await page.waitForTimeout(50);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const colorScheme of ["light", "dark"]) {
  for (const [device, viewport] of Object.entries({
    phone: { width: 360, height: 740 },
    desktop: { width: 1280, height: 800 },
  })) {
    test(`${device}, ${colorScheme}: no violations, no horizontal overflow, screenshots`, async (t) => {
      const page = await open(t, "explore", { colorScheme, viewport, reducedMotion: "reduce" });
      for (const hash of VIEWS) {
        await prepare(page, hash);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(width, viewport.width, `${hash} is ${width} wide`);
        const name = `${hash.replaceAll("/", "-")}-${device}-${colorScheme}.png`;
        await page.screenshot({ path: join(here, "screenshots", name), fullPage: true });
        // Two of the four combinations cover both sizes and both themes. The page's policy does not apply to evaluate().
        if ((device === "phone") !== (colorScheme === "dark")) continue;
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
        const found = violations.map(
          ({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html} ${nodes[0].failureSummary}`,
        );
        assert.deepEqual(found, [], hash);
      }
    });
  }
}
