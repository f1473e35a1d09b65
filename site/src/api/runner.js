// Runs the user's code in a worker, with all exports of the package, and a console that sends its output to the page.

// `textcodec` is this project's name for the package, whose own name replaces PACKAGE in the build.
import * as textcodec from "textcodec";
import { inspect } from "./inspect.js";

const { install, ...exports } = textcodec;
install();
Object.assign(globalThis, exports, { textcodec });

const write =
  (level) =>
  (...values) =>
    postMessage({ level, text: values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ") });
for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = write(level);

const AsyncFunction = (async () => {}).constructor;

/** Replaces import declarations of the package by `const` declarations, which a function may contain. */
const withoutImports = (code) =>
  code
    .replaceAll(
      new RegExp(`^[ \\t]*import\\s*(\\{[^}]*\\})\\s*from\\s*["']${PACKAGE}["'];?`, "gm"),
      (_, names) => `const ${names.replaceAll(/\bas\b/g, ":")} = textcodec;`,
    )
    .replaceAll(new RegExp(`^[ \\t]*import\\s*\\*\\s*as\\s+(\\w+)\\s+from\\s*["']${PACKAGE}["'];?`, "gm"), (_, name) =>
      name === "textcodec" ? "" : `const ${name} = textcodec;`,
    );

addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  console.error(event.reason);
});
addEventListener("message", async ({ data }) => {
  try {
    await new AsyncFunction(`"use strict";\n${withoutImports(data)}`)();
    postMessage({ done: true });
  } catch (error) {
    console.error(error);
    postMessage({ done: true });
  }
});
