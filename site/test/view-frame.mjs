// What all views have in common: the landing view, links, the theme, widths, phones, and accessibility.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DESKTOP, PHONE, isFirefox, open, site } from "./browser.mjs";

const VIEWS = [
  "start",
  "lookup/%E2%82%AC",
  "lookup/82A0",
  "lookup/%E6%97%A5%E6%9C%AC%E8%AA%9E",
  "explore/jis0208/1410",
  "explore/big5/bmp/4E00",
  "explore/gb18030-ranges/7457",
  "repair",
  "api/errors",
];

test("the landing view says what this is, how to install it, and has three doors", async (t) => {
  const tab = await open(t, "");
  const what = await tab.text(".what");
  assert.equal(what.match(/\.(?:\s|$)/g).length, 3, "three sentences");
  const commands = await tab.text(".install");
  for (const command of [
    "cargo add textcodec",
    "cargo install textcodec-cli",
    "npm install ",
    "pip install textcodec",
    "cargo xtask c install",
  ]) {
    assert.ok(commands.includes(command), command);
  }
  // The readmes of the packages have the same commands.
  const readmes = ["crates/textcodec", "crates/textcodec-cli", "bindings/js", "bindings/python"].map((folder) =>
    readFileSync(join(site, "..", folder, "README.md"), "utf8"),
  );
  readmes.push(readFileSync(join(site, "../docs/c.md"), "utf8"));
  const lines = await tab.texts(".install code");
  lines.forEach((line, n) => assert.ok(readmes[n].includes(line), line));
  assert.deepEqual(await tab.texts(".doors a"), ["Look up", "Repair", "Try the API"]);
  for (const [door, heading] of [
    ["Look up", "Look up"],
    ["Repair", "Repair text"],
    ["Try the API", "Try the API"],
  ]) {
    await tab.click(".doors a", door);
    await tab.see("h1", heading);
    await tab.click(".brand");
    await tab.see(".doors");
  }
});

test("links, Back and the skip link", async (t) => {
  const tab = await open(t, "lookup");
  await tab.click("nav a", "Repair");
  await tab.see("h1", "Repair");
  assert.equal(await tab.evaluate(() => document.activeElement.textContent), "Repair text");
  assert.equal(await tab.text("nav [aria-current=page]"), "Repair");
  await tab.click("nav a", "Try the API");
  await tab.see("h1", "Try the API");
  await tab.back();
  await tab.see("h1", "Repair");
  await tab.back();
  await tab.see("h1", "Look up");
  await tab.page.reload();
  await tab.see("h1", "Look up");
  await tab.press("Tab");
  await tab.press("Enter");
  assert.equal(await tab.evaluate(() => document.activeElement.id), "main");
  await tab.goto("repair");
  for (const hash of ["constructor", "nonsense/%E4%BA", "%E4"]) {
    await tab.goto(hash);
    await tab.see(".doors");
  }
  await tab.goto("lookup/%E4%BA");
  await tab.see("h1", "Look up");
});

test("the theme button says what it does, and the choice persists", async (t) => {
  const tab = await open(t, "start");
  const back = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  assert.equal(await tab.text("#theme"), "Use dark colours");
  await tab.click("#theme");
  const dark = await back();
  assert.notEqual(dark, light);
  assert.equal(await tab.text("#theme"), "Use light colours");
  assert.equal(await tab.page.$eval("#theme", (button) => button.hasAttribute("aria-pressed")), false);
  await tab.page.reload();
  await tab.see("#theme", "Use light colours");
  assert.equal(await back(), dark);
  await tab.click("#theme");
  assert.equal(await back(), light);
  if (!isFirefox) {
    // The library cannot emulate this in Firefox.
    await tab.evaluate(() => localStorage.clear());
    await tab.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await tab.page.reload();
    await tab.see("#theme", "Use light colours");
    assert.equal(await back(), dark);
  }
});

/** Opens a view with some content. */
async function prepare(tab, hash) {
  await tab.goto(hash);
  if (hash === "repair") {
    await tab.click(".examples button", "base64 with an error");
    await tab.see(".candidate");
  }
  if (hash.startsWith("lookup")) await tab.see(".found");
  if (hash.startsWith("api")) {
    await tab.click("button", "Run");
    await tab.see(".api .status", "Done");
  }
}

test("nothing is cut off at 1280 pixels", async (t) => {
  const tab = await open(t, "start", { viewport: DESKTOP });
  for (const hash of VIEWS) {
    await prepare(tab, hash);
    const cut = await tab.evaluate(() => {
      const cut = [];
      if (document.documentElement.scrollWidth > innerWidth) cut.push(`page: ${document.documentElement.scrollWidth}`);
      const name = (element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 40)}`;
      for (const element of document.body.querySelectorAll("*")) {
        const { overflowX } = getComputedStyle(element);
        const isTable = element.matches(".grid, .visually-hidden, #file");
        if (!isTable && overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1)
          cut.push(name(element));
        // Whole cells only: all that are in the box at all are in it entirely.
        if (element.matches(".grid .cell, .grid-column")) {
          const box = element.closest(".grid");
          const { left, top } = box.getBoundingClientRect();
          const [right, bottom] = [left + box.clientLeft + box.clientWidth, top + box.clientTop + box.clientHeight];
          const cell = element.getBoundingClientRect();
          const isCutX = cell.left < right - 1 && cell.right > right + 1;
          const isCutY = cell.top < bottom - 1 && cell.bottom > bottom + 1;
          if ((isCutX && cell.top < bottom) || (isCutY && cell.left < right)) cut.push(name(element));
        }
      }
      return cut;
    });
    assert.deepEqual(cut, [], hash);
  }
});

/**
 * Taps an element, by default in the middle. Returns where the finger is. The browser finds what was tapped in the last
 * picture that it drew, which is late on a busy machine.
 */
async function tap(tab, selector, { down = 0.5 } = {}) {
  await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))));
  const { left, right, top, bottom } = await tab.box(selector);
  const [x, y] = [(left + right) / 2, top + (bottom - top) * down];
  await tab.page.touchscreen.tap(x, y);
  return { x, y };
}

/** Whether the first such element is in the window. While the page renders again, there is none. */
const isInSight = (tab, selector) =>
  tab.page.$$eval(selector, ([element]) => {
    if (element === undefined) return false;
    const { top, bottom, left, right, height } = element.getBoundingClientRect();
    return height > 0 && top >= 0 && top < innerHeight - 20 && bottom > 20 && left >= -1 && right <= innerWidth + 1;
  });

test("on a phone, the result of a tap is where the finger is", async (t) => {
  const viewport = { ...PHONE, hasTouch: true };
  const tab = await open(t, "explore/jis0208/1410", { viewport: isFirefox ? PHONE : viewport });
  await tab.evaluate(() => scrollTo(0, 300));
  const finger = await tap(tab, '[data-pointer="1504"]');
  assert.match(await tab.see(".tip", "U+9662"), /CJK UNIFIED IDEOGRAPH-9662[\s\S]*89 40 Shift_JIS/);
  const box = await tab.box(".tip");
  assert.ok(
    Math.min(Math.abs(box.top - finger.y), Math.abs(box.bottom - finger.y)) < 60,
    `the tip is near the finger: ${box.top} ${finger.y}`,
  );
  assert.ok(await isInSight(tab, ".tip"));
  await tab.click(".tip button", "All details");
  await tab.until("the details", () => isInSight(tab, ".card"));

  await tab.goto("explore/gb18030-ranges/0");
  await tab.evaluate(() => document.querySelector(".ranges tr:nth-child(3) a").scrollIntoView({ block: "center" }));
  await tap(tab, ".ranges tbody tr:nth-child(3) a");
  await tab.see(".tip", "81 30 84 38");
  assert.ok(await isInSight(tab, ".tip"));

  await tab.goto("explore/big5/bmp/4E00");
  await tab.evaluate(() => document.querySelector(".cover-picture").scrollIntoView({ block: "end" }));
  await tab.evaluate(() => scrollBy(0, 400));
  await tab.until("the line of a dot near the end", async () => {
    // Again, because what is above the picture may still move it.
    await tap(tab, ".cover-picture", { down: 0.95 });
    return (await tab.texts(".cover-line")).some((text) => /U\+F[2-4]/.test(text));
  });
  assert.ok(await isInSight(tab, ".cover-line"), "the description of a dot");

  await tab.goto("repair");
  await tap(tab, ".examples button:nth-of-type(2)");
  await tab.see(".candidate pre", "Привет");
  await tab.until("the best result", () => isInSight(tab, ".candidate .preview"));

  await tab.goto("api");
  await tab.evaluate(() => document.querySelector(".api .actions").scrollIntoView({ block: "end" }));
  await tap(tab, ".api .actions button");
  await tab.see(".output > div");
  await tab.until("the console", () => isInSight(tab, ".output > div"));

  await tab.goto("lookup/%E6%97%A5%E6%9C%AC");
  await tab.see(".characters");
  await tab.evaluate(() => document.querySelector(".characters a").scrollIntoView({ block: "center" }));
  await tap(tab, ".characters a");
  await tab.see(".found", "U+65E5 CJK");
  await tab.until("the result", () => isInSight(tab, ".found .card-head"));
});

test("on a phone, results of Look up are not in narrow columns", async (t) => {
  const tab = await open(t, "lookup/82A0", { viewport: { width: 360, height: 740 } });
  await tab.see(".found", "HIRAGANA LETTER A");
  const height = await tab.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height < 3000, `${height} pixels`);
  const broken = await tab.page.$$eval(
    ".characters a",
    (all) => all.filter((link) => link.getClientRects().length > 1).length,
  );
  assert.equal(broken, 0, "code points in two lines");
});

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const theme of ["light", "dark"]) {
  for (const [device, viewport] of Object.entries({ phone: { width: 360, height: 740 }, desktop: DESKTOP })) {
    test(`${device}, ${theme}: no violations, no horizontal overflow, screenshots`, async (t) => {
      const tab = await open(t, "start", { theme, viewport });
      for (const hash of VIEWS) {
        await prepare(tab, hash);
        const width = await tab.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= viewport.width, `${hash} is ${width} wide`);
        if (!isFirefox) {
          const name = `${hash.replaceAll(/\W+/g, "-")}-${device}-${theme}.png`;
          await tab.page.screenshot({ path: join(site, "screenshots", name), fullPage: true });
        }
        // Two of the four combinations cover both sizes and both themes. The page's policy does not apply to evaluate().
        if ((device === "phone") !== (theme === "dark")) continue;
        await tab.page.evaluate(axe);
        const { violations } = await tab.evaluate(() => window.axe.run(document, { iframes: false }));
        const found = violations.map(
          ({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html} ${nodes[0].failureSummary}`,
        );
        assert.deepEqual(found, [], hash);
      }
    });
  }
}
