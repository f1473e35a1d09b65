// Opens the page in a browser for tests: Chromium, or Firefox if BROWSER=firefox. Both are driven by the same library.

import { after, before } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { serve } from "../serve.mjs";
import { PATHS } from "./browsers.mjs";

export const site = fileURLToPath(new URL("..", import.meta.url));
export const which = process.env.BROWSER || "chromium";
export const isFirefox = which === "firefox";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** How long a test waits for something, in milliseconds. The machine may be busy. */
const PATIENCE = 30_000;

export let base;
export let browser;
let server;
const folders = [];

before(async () => {
  server = await serve(join(site, "dist"));
  base = `http://127.0.0.1:${server.address().port}/`;
  browser = await puppeteer.launch({
    browser: isFirefox ? "firefox" : "chrome",
    executablePath: PATHS[which],
    args: isFirefox ? [] : FLAGS,
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1, "layout.css.prefers-color-scheme.content-override": 1 },
    timeout: 60_000,
    protocolTimeout: 60_000,
  });
});

after(async () => {
  await browser?.close();
  server?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/**
 * Opens the page. The test fails if the page writes to the console or makes a request to another server.
 * @param {import("node:test").TestContext} t
 * @param {string} hash
 * @param {{ viewport?: { width: number, height: number }, theme?: "light" | "dark" }} options
 */
export async function open(t, hash, { viewport = DESKTOP, theme } = {}) {
  const downloads = mkdtempSync(join(tmpdir(), "textcodec-site-"));
  folders.push(downloads);
  const context = await browser.createBrowserContext({
    downloadBehavior: { policy: "allow", downloadPath: downloads },
  });
  const page = await context.newPage();
  const tab = new Tab(page, downloads);
  page.on("console", (message) => tab.trouble.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => tab.trouble.push(String(error)));
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(base)) tab.trouble.push(request.url());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(tab.trouble, []);
  });
  await page.setViewport(viewport);
  if (theme !== undefined) {
    // Not in the frame for code, which has no storage.
    await page.evaluateOnNewDocument((theme) => self === top && localStorage.setItem("theme", theme), theme);
  }
  await tab.goto(hash);
  return tab;
}

/** A page with short functions for tests. They wait for what they need. */
export class Tab {
  trouble = [];

  constructor(page, downloads) {
    this.page = page;
    this.downloads = downloads;
  }

  async goto(hash) {
    await this.page.goto(`${base}#${hash}`, { waitUntil: "load" });
    await this.see("h1");
  }

  evaluate(action, ...values) {
    return this.page.evaluate(action, ...values);
  }

  hash() {
    return this.evaluate(() => location.hash);
  }

  /** Waits until a function returns something true, and returns that. */
  async until(what, condition) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const value = await condition();
      if (value) return value;
      if (Date.now() > end) throw new Error(`${what}: not within ${PATIENCE / 1000} s`);
      await sleep(25);
    }
  }

  /** Waits for a visible element that has this text. Returns its text. */
  async see(selector, wanted = "") {
    const isWanted = (text) => (wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted));
    let texts = [];
    try {
      return await this.until(selector, async () => {
        texts = await this.texts(selector);
        return texts.find(isWanted) || (wanted === "" && texts.length > 0);
      });
    } catch {
      throw new Error(`no ${selector} with ${wanted}, but ${JSON.stringify(texts).slice(0, 600)}`);
    }
  }

  /** The texts of the visible elements. */
  texts(selector) {
    return this.page.$$eval(selector, (all) =>
      all.filter((element) => element.getClientRects().length > 0).map((element) => element.innerText),
    );
  }

  async text(selector) {
    return this.page.$eval(selector, (element) => element.innerText);
  }

  async count(selector) {
    return (await this.page.$$(selector)).length;
  }

  get(selector, property) {
    return this.page.$eval(selector, (element, property) => element[property], property);
  }

  /** The element, the only one with this text if there is one. */
  async element(selector, text) {
    const handle = await this.until(`${selector} ${text ?? ""}`, async () => {
      const found = await this.page.evaluateHandle(
        (selector, text) =>
          [...document.querySelectorAll(selector)].find(
            (element) =>
              element.getClientRects().length > 0 && (text === undefined || element.innerText.trim() === text),
          ) ?? null,
        selector,
        text ?? undefined,
      );
      return found.asElement();
    });
    return handle;
  }

  /** Clicks as a user does, with the mouse. */
  async click(selector, text) {
    const element = await this.element(selector, text);
    await element.click();
  }

  async fill(selector, value) {
    await this.page.$eval(
      selector,
      (element, value) => {
        element.focus();
        element.value = value;
        element.dispatchEvent(new Event("input", { bubbles: true }));
      },
      value,
    );
  }

  focus(selector) {
    return this.page.focus(selector);
  }

  async select(selector, value) {
    await this.page.select(selector, value);
  }

  /** Presses a key, or several joined by `+`. */
  async press(keys) {
    const [key, ...held] = keys.split("+").reverse();
    for (const modifier of held.reverse()) await this.page.keyboard.down(modifier);
    await this.page.keyboard.press(key);
    for (const modifier of held) await this.page.keyboard.up(modifier);
  }

  async back() {
    // Going back within the page loads nothing.
    await this.evaluate(() => history.back());
    await sleep(50);
  }

  box(selector) {
    return this.page.$eval(selector, (element) => {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      return { left, top, right, bottom, width, height };
    });
  }

  /** Runs an action that downloads a file, and returns the file. */
  async downloaded(action) {
    const before = new Set(readdirSync(this.downloads));
    await action();
    let file = { name: "", bytes: [] };
    // Browsers write to a file with another name first, and the file exists before it is complete.
    for (let same = 0; same < 4; ) {
      const next = await this.until("download", () => this.#newFile(before));
      same = next.name === file.name && next.bytes.length === file.bytes.length ? same + 1 : 0;
      file = next;
      await sleep(60);
    }
    const { name, bytes } = file;
    rmSync(join(this.downloads, name));
    return { bytes, name };
  }

  /** The first new file that has something in it, if it can be read. */
  #newFile(before) {
    const isNew = (name) => !before.has(name) && !/\.(crdownload|part|tmp)$|^\.|^[0-9a-f-]{36}$/.test(name);
    const name = readdirSync(this.downloads).find(isNew);
    try {
      const bytes = readFileSync(join(this.downloads, name));
      return bytes.length > 0 && { name, bytes };
    } catch {
      return undefined; // none yet, or it has just been renamed
    }
  }
}
