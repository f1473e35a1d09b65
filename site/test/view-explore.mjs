// The tables of characters.

import { test } from "node:test";
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeOrFail } from "textcodec";
import { readIndex } from "../src/explore/indexes.js";
import { open } from "./browser.mjs";

test("details of a cell", async (t) => {
  const tab = await open(t, "explore/jis0208/1410");
  const card = await tab.see(".card", "CJK UNIFIED IDEOGRAPH-4E9C");
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
  assert.match(await tab.page.title(), /jis0208/);
  await tab.goto("explore/big5/1133");
  await tab.see(".card", "U+00CA U+0304");
  await tab.goto("explore/big5/5599");
  assert.equal(await tab.get('[data-pointer="5599"]', "tabIndex"), 0);
  await tab.goto("explore/jis0212/1410");
  assert.match(await tab.see(".card", "8F B0 A1"), /cannot/);
  await tab.goto("explore/shift_jis/8272");
  assert.match(await tab.see(".card", "ED 40"), /FA 5C/, "the encoder writes another pointer");
  await tab.goto("explore/windows-1252/0");
  await tab.see(".card", "U+20AC");
  await tab.goto("explore/gb18030-ranges/7457");
  assert.match(await tab.see(".card", "U+E7C7"), /81 35 F4 37/);
  await tab.goto("explore/iso-2022-jp-katakana/16");
  assert.match(await tab.see(".card", "U+30A2"), /U\+FF71/);
});

test("every index is shown, with the right counts", async (t) => {
  const tab = await open(t, "explore");
  const options = await tab.page.$$eval("select[name=index] option", (all) => all.map(({ value }) => value));
  assert.equal(options.length, 35);
  for (const id of options) {
    await tab.select("select[name=index]", id);
    const index = readIndex(id);
    if (index.ranges) {
      await tab.see(".ranges");
      assert.equal(await tab.count(".ranges tbody tr"), 207);
      continue;
    }
    const mapped = index.codePoints.filter((codePoint) => codePoint >= 0).length.toLocaleString("en");
    await tab.see(".legend caption", `Legend: ${mapped} of`);
  }
});

test("only visible cells exist", async (t) => {
  const tab = await open(t, "explore/gb18030/0");
  const cells = () => tab.count(".grid [role=gridcell]");
  assert.ok((await cells()) < 1000);
  for (const [left, top] of [
    [2000, 1500],
    [9000, 6000],
    [0, 3000],
  ]) {
    await tab.evaluate((left, top) => document.querySelector(".grid").scrollTo(left, top), left, top);
    await sleep(100);
    assert.ok((await cells()) < 1000);
    // The cell in the middle of the box is in the right row.
    const seen = await tab.evaluate(() => {
      const grid = document.querySelector(".grid");
      const { left, top, width, height } = grid.getBoundingClientRect();
      const cell = document.elementFromPoint(left + width / 2, top + height / 2).closest("[data-pointer]");
      return [Number(cell.dataset.pointer), Math.floor((grid.scrollTop + height / 2 - 36) / 48)];
    });
    assert.equal(Math.floor(seen[0] / 190), seen[1]);
  }
  const order = await tab.page.$$eval(".grid [role=row]", (rows) =>
    rows.map((row) => Number(row.getAttribute("aria-rowindex"))),
  );
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    "rows are in order",
  );
});

test("the overview's frame is around the visible part at once, also of another index", async (t) => {
  const tab = await open(t, "explore/jis0208/1410");
  const top = () => tab.evaluate(() => Number.parseFloat(document.querySelector(".overview-frame").style.top));
  // Pointer 1410 is in row 15 of 120, and pointer 17270 in row 110 of 126.
  const first = await tab.until("frame", async () => (await top()) >= 0 && `${await top()}`);
  assert.ok(Number(first) < 1500 / 120, first);
  await tab.evaluate(() => (location.hash = "#explore/big5/17270"));
  await tab.until("frame below", async () => (await top()) > 7500 / 126);
});

test("hovering shows a cell's details, leaving shows the current cell again", async (t) => {
  const tab = await open(t, "explore/jis0208/1410");
  await tab.page.hover('[data-pointer="1411"]');
  await tab.see(".card", "U+5516");
  await tab.page.hover("h1");
  await tab.see(".card", "U+4E9C");
});

test("search selects a cell, and Back returns", async (t) => {
  const tab = await open(t, "explore/jis0208/1410");
  const search = async (query) => {
    await tab.fill("input[name=query]", query);
    await tab.focus("input[name=query]");
    await tab.press("Enter");
  };
  await search("U+6771");
  await tab.see(".status", "東 U+6771");
  assert.equal(await tab.evaluate(() => document.activeElement.dataset.pointer), "3459");
  assert.equal(await tab.hash(), "#explore/jis0208/3459");
  await search("88 9F");
  await tab.until("address", async () => (await tab.hash()) === "#explore/jis0208/1410");
  await tab.back();
  await tab.see(".card", "U+6771");
  await search("한");
  await tab.see(".status", /U\+D55C is not in jis0208\. It is in EUC-KR/);
  await tab.click(".status a", "EUC-KR");
  await tab.see(".card", "U+D55C");
  await tab.select("select[name=kind]", "pointer");
  await search("9026");
  await tab.see(".card", "U+AC00");
});

test("keyboard navigation in the table", async (t) => {
  const tab = await open(t, "explore/jis0208/1410");
  await tab.evaluate(() => [...document.querySelectorAll("button")].find((e) => e.innerText === "Find").focus());
  await tab.press("Tab");
  const current = () => tab.evaluate(() => Number(document.activeElement.dataset.pointer));
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
    await tab.press(key);
    assert.equal(await current(), pointer, key);
    const isVisible = await tab.evaluate(() => {
      const [cell, grid] = [document.activeElement, document.querySelector(".grid")].map((element) =>
        element.getBoundingClientRect(),
      );
      return (
        cell.left >= grid.left + 80 &&
        cell.top >= grid.top + 35 &&
        cell.right <= grid.right + 1 &&
        cell.bottom <= grid.bottom + 1
      );
    });
    assert.ok(isVisible, `${key}: the cell is visible`);
  }
  await tab.press("PageDown");
  assert.ok((await current()) > 300);
  const label = await tab.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(label, /bytes [0-9A-F]{2} [0-9A-F]{2}, pointer \d+/);
  // Scrolling does not move the focus.
  const before = await current();
  await tab.evaluate(() => document.querySelector(".grid").scrollTo(4000, 5000));
  await sleep(100);
  assert.equal(await current(), before);
  await tab.press("Tab");
  assert.ok(!(await tab.evaluate(() => document.activeElement.closest(".grid") !== null)));
});

test("BMP coverage", async (t) => {
  const tab = await open(t, "explore/euc-kr/bmp/AC00");
  await tab.see(".cover-line", /U\+AC00 가 · Hangul Syllables .* pointer 9026/s);
  assert.match(await tab.text(".cover-summary"), /Hangul Syllables\s+AC00–D7AF\s+11,172 of 11,184/);
  assert.match(await tab.text(".coverage .legend"), /17,048 of 65,536/);
  await tab.focus(".cover-picture");
  await tab.press("ArrowDown");
  await tab.see(".cover-line", "U+AD00");
  assert.equal(await tab.hash(), "#explore/euc-kr/bmp/AD00");
  const box = await tab.box(".cover-picture canvas");
  await tab.page.mouse.move(box.left + box.width / 512, box.top + (box.height * (0x4e + 0.5)) / 256);
  await tab.see(".cover-line", "U+4E00");
  // The encoder of EUC-JP covers less than the index: it does not use rows from 95 on.
  await tab.goto("explore/jis0208/bmp");
  await tab.select("select[name=by]", "EUC-JP");
  const included = (await tab.text(".coverage .legend caption")).match(/^[\d,]+/)[0];
  let writable = 0;
  for (let codePoint = 0; codePoint <= 0xffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    try {
      encodeOrFail(String.fromCharCode(codePoint), "EUC-JP");
      writable++;
    } catch {}
  }
  assert.equal(included, writable.toLocaleString("en"));
  const colours = await tab.page.$eval(".cover-picture canvas", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, 256, 256);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours >= 5, "several colours");
});
