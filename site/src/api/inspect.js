// Formats values like a browser's console.

import { hex } from "../dom.js";

/** The maximum number of elements or members to show. */
const MAX_ITEMS = 100;

/**
 * Formats a value in one line, or in several if it is long. Never throws, although getters and proxies of the value may.
 * @param {unknown} value
 * @param {number} depth how many levels of nested values to show
 */
export function inspect(value, depth = 3) {
  try {
    return format(value, depth);
  } catch {
    return `[${typeof value} that cannot be shown]`;
  }
}

function format(value, depth) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return typeof value.name === "string" && value.name !== "" ? `[function ${value.name}]` : "[function]";
    case "object":
      return value === null ? "null" : object(value, depth);
    default:
      return String(value);
  }
}

function object(value, depth) {
  if (value instanceof Error) {
    const keys = Object.keys(value).filter((key) => !["name", "message", "stack"].includes(key));
    const others = keys.length === 0 ? "" : ` (${members(value, keys, depth).join(", ")})`;
    return `${part(value, "name")}: ${part(value, "message")}${others}`;
  }
  if (value instanceof ArrayBuffer) return bytes("ArrayBuffer", new Uint8Array(value));
  if (value instanceof Uint8Array || value instanceof Uint8ClampedArray) return bytes(value.constructor.name, value);
  const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
  if (isView || Array.isArray(value)) {
    const head = isView ? `${value.constructor.name}(${value.length}) ` : "";
    if (depth === 0) return `${head}[…]`;
    const items = Array.from({ length: Math.min(value.length, MAX_ITEMS) }, (_, n) => memberOf(value, n, depth));
    if (value.length > MAX_ITEMS) items.push(`… ${value.length - MAX_ITEMS} more`);
    // Short items, such as numbers, share lines.
    return `${head}[${items.every((item) => item.length < 12) ? items.join(", ") : joined(items)}]`;
  }
  if (value instanceof Map || value instanceof Set)
    return `${value.constructor.name}(${value.size}) ${inspect([...value], depth)}`;
  const name = String(value[Symbol.toStringTag] ?? value.constructor?.name ?? "");
  const isPlain = name === "" || name === "Object";
  if (depth === 0) return isPlain ? "{…}" : `${name} {…}`;
  // The attributes of an interface are on its prototype.
  const keys = [];
  for (const key in value) if (!isFunction(value, key)) keys.push(key);
  return `${isPlain ? "" : `${name} `}{${keys.length === 0 ? "" : joined(members(value, keys, depth), " ")}}`;
}

/** Bytes are in hexadecimal everywhere on the page. */
function bytes(name, values) {
  const more = values.length > MAX_ITEMS ? ` … ${values.length - MAX_ITEMS} more` : "";
  return `${name}(${values.length}) [${hex(values.subarray(0, MAX_ITEMS))}${more}]`;
}

const members = (value, keys, depth) =>
  keys.slice(0, MAX_ITEMS).map((key) => `${key}: ${memberOf(value, key, depth)}`);

function memberOf(value, key, depth) {
  try {
    return inspect(value[key], depth - 1);
  } catch {
    return "[getter that throws]";
  }
}

function isFunction(value, key) {
  try {
    return typeof value[key] === "function";
  } catch {
    return false;
  }
}

/** A part of an error as text. */
function part(error, key) {
  const text = memberOf(error, key, 1);
  return text.startsWith('"') ? error[key] : text;
}

function joined(items, space = "") {
  const line = items.join(", ");
  return line.length <= 76
    ? `${space}${line}${space}`
    : `\n${items.map((item) => `  ${item.replaceAll("\n", "\n  ")}`).join(",\n")}\n`;
}
