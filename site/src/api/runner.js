// Runs the user's code in a worker, with all exports of the package, and a console that sends its output to the page.

// `textcodec` is this project's name for the package, whose own name replaces PACKAGE in the build.
import * as textcodec from "textcodec";
import { inspect } from "./inspect.js";
import { LENGTH_LIMIT, LINE_LIMIT } from "./limits.js";

const { install, ...exports } = textcodec;
install();
Object.assign(globalThis, exports, { textcodec });

const post = postMessage.bind(globalThis);
let lines = 0;
const write =
  (level) =>
  (...values) => {
    // The page shows no more lines, and a flood of messages would keep it busy.
    if (lines++ > LINE_LIMIT) return;
    const text = values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");
    const more = text.length - LENGTH_LIMIT;
    post({ level, text: more > 0 ? `${text.slice(0, LENGTH_LIMIT)} … ${more} more code units` : text });
  };
for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = write(level);
// The code can replace the console.
const report = write("error");

// The code is done when it has returned and no timers are waiting.

/** How long nothing must wait, in milliseconds, for promises that the code does not await. */
const QUIET = 100;
const { setTimeout: later, setInterval: repeat, clearTimeout: cancel } = globalThis;
const waiting = new Set();
let hasReturned = false;

function settle() {
  // If the code loops, this timer never runs, and the page still says that the code is running.
  if (hasReturned && waiting.size === 0) later(() => waiting.size === 0 && post({ done: true }), QUIET);
}
/** Calls a function of the code, and reports what it throws. */
function call(action, values) {
  try {
    action(...values);
  } catch (error) {
    report(error);
  }
}
globalThis.setTimeout = (action, delay, ...values) => {
  const id = later(() => {
    waiting.delete(id);
    call(action, values);
    settle();
  }, delay);
  waiting.add(id);
  return id;
};
globalThis.setInterval = (action, delay, ...values) => {
  const id = repeat(() => call(action, values), delay);
  waiting.add(id);
  return id;
};
globalThis.clearTimeout = globalThis.clearInterval = (id) => {
  cancel(id);
  waiting.delete(id);
  settle();
};

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
  report(event.reason);
});
addEventListener("message", async ({ data }) => {
  try {
    await new AsyncFunction(`"use strict";\n${withoutImports(data)}`)();
  } catch (error) {
    report(error);
  }
  hasReturned = true;
  settle();
});
