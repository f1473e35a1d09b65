// `npm run test:browser`: runs the suite in Chromium and in Firefox, in several settings, after `npm run build`.
// CHROMIUM and FIREFOX name other browsers. With the argument `-v`, passed tests are listed, too. With `--quick`, all settings but
// the first are tested in one of the browsers.

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const VECTORS = ["generated/vectors.json", "generated/detections.json", "generated/outside.json", "generated/mixed.json"];
if (!VECTORS.every(existsSync)) execFileSync("npm", ["run", "--silent", "vectors"], { stdio: "inherit" });

const SETTINGS = {
  index: {},
  slim: { entry: "slim" },
  "without natives": { natives: "none" },
};
/** With `--quick`: the settings that a browser does not test. */
const LEFT_OUT = { Chromium: "without natives", Firefox: "slim" };

const BROWSERS = {
  Chromium: {
    browser: "chrome",
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--js-flags=--expose-gc",
    ],
  },
  Firefox: { browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" },
};

const files = readdirSync("test").filter((file) => file.endsWith(".test.js") && !/build|engines|hostile|iconv-lite|names|node-streams|oem|whatwg/.test(file)); // they need Node
// The tests of memory expect that nothing has used the module.
files.sort((a, b) => Number(b.startsWith("memory")) - Number(a.startsWith("memory")));
const { outputFiles } = await build({
  stdin: {
    contents: [...files.map((file) => `import "./${file}";`), 'export { run } from "node:test";'].join("\n"),
    resolveDir: "test",
  },
  alias: { "node:test": "./test/browser-runner.js" },
  bundle: true,
  // package.json says that imports alone have no side effects, but the tests have.
  ignoreAnnotations: true,
  format: "esm",
  target: "es2022",
  write: false,
  logLevel: "warning",
});

const PAGE = `<!doctype html><meta charset=utf-8><title>textcodec</title><body><script>
if (location.search.includes("natives=none")) for (const name of ["TextDecoder", "TextEncoder"]) delete globalThis[name];
</script>`;
const TYPES = { html: "text/html", js: "text/javascript", json: "application/json", wasm: "application/wasm" };

const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  let body;
  if (path === "/test/page.html") body = PAGE;
  else if (path === "/test/suite.js") body = outputFiles[0].contents;
  else if (/^\/(dist|generated)\/[\w.]+$/.test(path) && existsSync(`.${path}`)) body = readFileSync(`.${path}`);
  response.writeHead(body === undefined ? 404 : 200, {
    "content-type": TYPES[path.split(".").pop()] ?? "text/plain",
    // For SharedArrayBuffer.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  });
  response.end(body);
});
await new Promise((resolve) => server.listen(0, "localhost", resolve));

const [verbose, quick] = ["-v", "--quick"].map((flag) => process.argv.includes(flag));
let passed = 0;
let failed = 0;
try {
  await Promise.all(Object.entries(BROWSERS).map(([name, options]) => testIn(name, options)));
} finally {
  server.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function testIn(name, options) {
  if (!existsSync(options.executablePath)) {
    console.log(`SKIPPED: bindings/js: tests in ${name}: there is no ${options.executablePath}`);
    if (process.env.CI_STRICT === "1") failed++;
    return;
  }
  const browser = await puppeteer.launch({ ...options, timeout: 60_000, protocolTimeout: 600_000 });
  const settings = Object.entries(SETTINGS).filter(([setting]) => !quick || setting !== LEFT_OUT[name]);
  await runIn(browser, settings).finally(() => browser.close());
}

async function runIn(browser, settings) {
  for (const [name, setting] of settings) {
    const page = await browser.newPage();
    const lines = [];
    page.on("console", (message) => lines.push(message.text()));
    page.on("pageerror", (error) => lines.push(`\u2716 ${error.stack}`));
    const start = performance.now();
    await page.goto(`http://localhost:${server.address().port}/test/page.html?${new URLSearchParams(setting)}`);
    const result = await page
      .evaluate("import('/test/suite.js').then(({ run }) => run(console.log))")
      .catch((error) => (lines.push(`\u2716 ${error}`), { passed: 0, failed: 1, skipped: 0 }));
    for (const line of lines) if (verbose || !/^[\u2714\u2212]/.test(line)) console.log(line);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${await browser.version()}, ${name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped, ${seconds} s`,
    );
    passed += result.passed;
    failed += result.failed;
    await page.close();
  }
}
