// `npm run clients`: runs the tests of iconv-lite and of its users, with iconv-lite and with the package in its place. It
// fails if a test passes only with iconv-lite, and clients.mjs does not explain it. `npm run clients -- NAME` runs one.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIENTS } from "./clients.mjs";
import { debianSources, hasApt, translate, writeCertificate } from "./sources.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);
const { name: PACKAGE } = require("../package.json");
/** The files of iconv-lite and of the package's entry. */
const implementations = () => [
  require.resolve("iconv-lite"),
  createRequire(new URL("../package.json", import.meta.url)).resolve(`${PACKAGE}/iconv-lite`),
];
const folder = mkdtempSync(join(tmpdir(), "clients-"));

function install() {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", "--ignore-scripts", ...quiet], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
  // The binding of GNU libiconv, with which iconv-lite's tests compare: it is built with the headers of this Node, if they are here.
  const root = join(process.execPath, "../..");
  const headers = existsSync(join(root, "include/node")) ? [`--nodedir=${root}`] : [];
  execFileSync("npm", ["rebuild", "iconv", ...headers, ...quiet], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
}

/** Makes the folder of a client. */
async function prepare(client, fromDebian) {
  const path = join(folder, client.name);
  if (client.npm !== undefined) cpSync(join(here, "node_modules", client.npm), path, { recursive: true });
  if (client.debian !== undefined && client.npm === undefined) fromDebian(client.debian, path);
  if (client.debian !== undefined && client.npm !== undefined) {
    fromDebian(client.debian, join(folder, client.debian));
    cpSync(join(folder, client.debian, "test"), join(path, "test"), { recursive: true });
  }
  for (const [name, contents] of Object.entries(client.write ?? {})) writeFileSync(join(path, name), contents);
  if (client.write !== undefined) rmSync(join(path, "package.json"));
  if (client.certificate !== undefined) writeCertificate(join(path, client.certificate));
  if (client.translate !== undefined) await translate(path, client.translate);
  return path;
}

/** Runs a client's tests, and returns the names of those that passed and failed. */
function test(client, path, iconvLite) {
  const [report, used] = ["report.json", "used"].map((name) => join(folder, name));
  for (const file of [report, used]) rmSync(file, { force: true });
  const mocha = [require.resolve("mocha/bin/mocha.js"), "--exit", "--reporter", "json", "--reporter-option", `output=${report}`];
  const runner = client.nodeunit ? [join(here, "nodeunit.cjs"), report] : mocha;
  const variables = { CLIENTS_ICONV_LITE: iconvLite, CLIENTS_USED: used, NODE_OPTIONS: `--require ${join(here, "hook.cjs")}` };
  const options = { cwd: path, env: { ...process.env, ...variables }, encoding: "utf8", timeout: 300_000 };
  const { stderr } = spawnSync(process.execPath, [...runner, ...client.files], options);
  if (!existsSync(report)) throw new Error(`${client.name}: the tests did not start\n${stderr.slice(0, 2000)}`);
  if (!existsSync(used)) throw new Error(`${client.name}: the tests did not use iconv-lite\n${stderr.slice(0, 2000)}`);
  const { passes, failures } = JSON.parse(readFileSync(report, "utf8"));
  const failed = new Map(failures.map(({ fullTitle, err }) => [fullTitle, err.message]));
  return { passed: new Set(numbered(passes.map(({ fullTitle }) => fullTitle))), failed };
}

/** Makes names different: the second test with a name gets its number. */
function numbered(names) {
  const counts = new Map();
  return names.map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name) === 1 ? name : `${name} (${counts.get(name)})`;
  });
}

/** Prints the results of a client, and returns what is wrong with them. */
function compare(client, original, ours) {
  const explained = Object.entries(client.explained ?? {}).flatMap(([why, titles]) => titles.map((title) => [title, why]));
  const reasons = new Map(explained);
  const lost = [...original.passed].filter((title) => !ours.passed.has(title));
  const unexplained = lost.filter((title) => !reasons.has(title));
  const stale = [...reasons.keys()].filter((title) => !lost.includes(title));
  const total = original.passed.size + original.failed.size;
  const note = reasons.size === 0 ? "" : `, ${lost.length - unexplained.length} explained`;
  console.log(`${client.name}: of ${total} tests, iconv-lite ${original.passed.size}, ${PACKAGE} ${ours.passed.size}${note}`);
  for (const why of Object.keys(client.explained ?? {})) console.log(`  ${client.explained[why].length}: ${why}`);
  return [
    ...unexplained.map((title) => `${client.name}: "${title}" passes only with iconv-lite: ${ours.failed.get(title)?.slice(0, 500)}`),
    ...stale.map((title) => `${client.name}: "${title}" is in the list of explained failures, but does not fail`),
    ...(total === 0 ? [`${client.name}: there are no tests`] : []),
  ];
}

const wanted = process.argv.slice(2);
const clients = CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const wrong = [];
try {
  install();
  if (!hasApt()) console.log("SKIPPED the clients from Debian: apt and Debian's keys are missing");
  if (!hasApt() && process.env.CI_STRICT === "1") wrong.push("the clients from Debian were skipped");
  const fromDebian = hasApt() ? debianSources(mkdtempSync(join(folder, "debian-"))) : undefined;
  for (const client of clients) {
    if (client.debian !== undefined && fromDebian === undefined) continue;
    const path = await prepare(client, fromDebian);
    const [original, ours] = implementations().map((file) => test(client, path, file));
    wrong.push(...compare(client, original, ours));
  }
} finally {
  rmSync(folder, { recursive: true });
}
for (const message of wrong) console.error(message);
process.exitCode = wrong.length === 0 ? 0 : 1;
