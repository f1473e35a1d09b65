// Runs pages in Chromium.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import puppeteer from "puppeteer-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const hasChromium = () => existsSync(CHROMIUM);

/** In the last line that each program prints. */
const LAST = "\u65e5\u672c\u8a9e";

/** Opens a page, and returns what it has printed to the console and its errors. Waits up to a minute for the last line. */
export async function openPage(address) {
  const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const lines = [];
    const ended = new Promise((resolve) => {
      const add = (line) => {
        lines.push(`${line}\n`);
        if (line.includes(LAST)) resolve();
      };
      page.on("console", (message) => {
        // Browsers ask for an icon, which the pages do not have.
        if (!message.location().url?.endsWith("/favicon.ico")) add(message.text());
      });
      page.on("pageerror", (error) => add(`${error}`));
    });
    await page.goto(address);
    const hasEnded = await Promise.race([ended.then(() => true), setTimeout(60_000, false, { ref: false })]);
    if (hasEnded) await setTimeout(100); // for lines that no program should print
    return lines.join("");
  } finally {
    await browser.close();
  }
}

/** Serves a folder while `use` runs, which is called with its address. `headers` are sent with each file. */
export async function serve(folder, use, headers = {}) {
  const server = createServer(({ url }, response) => {
    const path = join(folder, new URL(url, "http://localhost").pathname);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
    response.writeHead(isFile ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "text/plain", ...headers });
    response.end(isFile ? readFileSync(path) : "");
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  try {
    return await use(`http://localhost:${server.address().port}`);
  } finally {
    server.close();
  }
}
