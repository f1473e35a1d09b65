// Formats values like a browser's console.

import { hex } from "../dom.js";

/** The maximum number of elements or members to show. */
const MAX_ITEMS = 100;

/**
 * Formats a value in one line, or in several if it is long.
 * @param {unknown} value
 * @param {number} depth how many levels of nested values to show
 */
export function inspect(value, depth = 3) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return value.name === "" ? "[function]" : `[function ${value.name}]`;
    case "object":
      return value === null ? "null" : object(value, depth);
    default:
      return String(value);
  }
}

function object(value, depth) {
  if (value instanceof Error) {
    const keys = Object.keys(value).filter((key) => !["name", "message", "stack"].includes(key));
    return `${value.name}: ${value.message}${keys.length === 0 ? "" : ` (${members(value, keys, depth).join(", ")})`}`;
  }
  if (value instanceof ArrayBuffer) return bytes("ArrayBuffer", new Uint8Array(value));
  if (value instanceof Uint8Array || value instanceof Uint8ClampedArray) return bytes(value.constructor.name, value);
  const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
  if (isView || Array.isArray(value)) {
    const head = isView ? `${value.constructor.name}(${value.length}) ` : "";
    if (depth === 0) return `${head}[…]`;
    const items = Array.from(value.slice(0, MAX_ITEMS), (item) => inspect(item, depth - 1));
    if (value.length > MAX_ITEMS) items.push(`… ${value.length - MAX_ITEMS} more`);
    // Short items, such as numbers, share lines.
    return `${head}[${items.every((item) => item.length < 12) ? items.join(", ") : joined(items)}]`;
  }
  if (value instanceof Map || value instanceof Set)
    return `${value.constructor.name}(${value.size}) ${inspect([...value], depth)}`;
  const name = value[Symbol.toStringTag] ?? value.constructor?.name ?? "";
  const isPlain = name === "" || name === "Object";
  if (depth === 0) return isPlain ? "{…}" : `${name} {…}`;
  // The attributes of an interface are on its prototype.
  const keys = [];
  for (const key in value) if (typeof value[key] !== "function") keys.push(key);
  return `${isPlain ? "" : `${name} `}{${keys.length === 0 ? "" : joined(members(value, keys, depth), " ")}}`;
}

/** Bytes are in hexadecimal everywhere on the page. */
function bytes(name, values) {
  const more = values.length > MAX_ITEMS ? ` … ${values.length - MAX_ITEMS} more` : "";
  return `${name}(${values.length}) [${hex(values.subarray(0, MAX_ITEMS))}${more}]`;
}

const members = (value, keys, depth) =>
  keys.slice(0, MAX_ITEMS).map((key) => `${key}: ${inspect(value[key], depth - 1)}`);

function joined(items, space = "") {
  const line = items.join(", ");
  return line.length <= 76
    ? `${space}${line}${space}`
    : `\n${items.map((item) => `  ${item.replaceAll("\n", "\n  ")}`).join(",\n")}\n`;
}
