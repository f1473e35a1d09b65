// `npm test`: tests the page after `npm run build`, without a browser, in Chromium and in Firefox. Arguments limit this
// to some of `parts`, `chromium` and `firefox`, or run `lighthouse`; `--quick` leaves out Firefox. CHROMIUM and FIREFOX
// name other browsers.
// Screenshots of each view go to screenshots/.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PATHS } from "./test/browsers.mjs";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
const files = readdirSync("test").filter((file) => file.endsWith(".mjs"));
const parts = files.filter((file) => file.startsWith("parts-"));
const views = files.filter((file) => file.startsWith("view-"));

const RUNS = [
  { name: "parts", files: parts },
  { name: "chromium", browser: "chromium", files: views },
  { name: "firefox", browser: "firefox", files: views },
  { name: "lighthouse", browser: "chromium", files: ["lighthouse.mjs"] },
];
const given = process.argv.slice(2);
// Scores for performance depend on the machine, so they are not part of all tests.
const quick = ["parts", "chromium"];
const wanted = given.includes("--quick") ? quick : given.length > 0 ? given : [...quick, "firefox"];
rmSync("screenshots", { recursive: true, force: true });
mkdirSync("screenshots");

for (const { name, browser, files } of RUNS) {
  if (!wanted.includes(name)) continue;
  if (browser !== undefined && !existsSync(PATHS[browser])) {
    console.log(`SKIPPED: site: ${name}: no browser at ${PATHS[browser]}`);
    if (process.env.CI_STRICT === "1") process.exitCode = 1;
    continue;
  }
  console.log(`# ${name}`);
  const imports = files.map((file) => `import "./test/${file}";`).join("");
  const { status } = spawnSync(process.execPath, ["--test-reporter=spec", "--input-type=module", "--eval", imports], {
    stdio: "inherit",
    env: { ...process.env, BROWSER: browser ?? "" },
  });
  if (status !== 0) process.exitCode = 1;
}
