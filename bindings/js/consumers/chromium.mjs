// Runs pages in Chromium.

import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const OPTIONS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--enable-logging=stderr",
  "--virtual-time-budget=20000", "--dump-dom",
];

export const hasChromium = () => existsSync(CHROMIUM);

/** Opens a page, and returns what it has printed to the console. */
export async function openPage(address) {
  const { stderr } = await promisify(execFile)(CHROMIUM, [...OPTIONS, address], { timeout: 60_000 });
  const lines = stderr.matchAll(/:CONSOLE(?:\(\d+\)|:\d+)\] "(.*?)", source: /gs);
  return [...lines].map(([, text]) => `${text}\n`).join("");
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
