// `npm run build`: builds the page in dist/, for any server of static files. The package in ../bindings/js must be built.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeUnicode } from "./unicode.mjs";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
await writeUnicode();

const { name } = JSON.parse(readFileSync("node_modules/textcodec/package.json"));
const common = {
  define: { PACKAGE: JSON.stringify(name) },
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};

// The page and the worker of Repair share one copy of the package.
await build({
  ...common,
  entryPoints: { app: "src/app.js", worker: "src/repair/worker.js" },
  format: "esm",
  splitting: true,
  outdir: "dist",
});
await build({ ...common, entryPoints: ["src/style.css"], outdir: "dist" });
copyFileSync("src/icon.svg", "dist/icon.svg");
copyFileSync("LICENSE-UNICODE", "dist/LICENSE-UNICODE.txt");
writeFileSync("dist/index.html", readFileSync("src/index.html", "utf8").replace("PACKAGE", name));

// The sandbox is a single file. Its policy allows only its own script, which it identifies by a digest.
const inline = async (entry) => {
  const { outputFiles } = await build({ ...common, entryPoints: [entry], format: "iife", write: false });
  const { text } = outputFiles[0];
  if (/<\/script|<!--/i.test(text)) throw new Error(`${entry} contains text that would end a script element in HTML`);
  return text;
};
const [sandbox, runner] = await Promise.all([inline("src/api/sandbox.js"), inline("src/api/runner.js")]);
const html = readFileSync("src/api/sandbox.html", "utf8")
  .replace("DIGEST", createHash("sha256").update(sandbox).digest("base64"))
  .replace("RUNNER", () => runner)
  .replace("SANDBOX", () => sandbox);
writeFileSync("dist/sandbox.html", html);
