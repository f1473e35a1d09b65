// Elements and texts that all views need.

/**
 * An element.
 * @param {string} name
 * @param {Record<string, unknown>} attributes `true` is an empty attribute, `false` and `undefined` are none; a
 *   function `onclick` listens to `click`
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A field with its label in front. */
export function field(label, control, attributes = {}) {
  return h("label", { class: "field", ...attributes }, h("span", {}, label), control);
}

/** Bytes as people write them: `82 A0`. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

/** `U+4E9C` */
export const uPlus = (codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;

const NUMBERS = new Intl.NumberFormat("en");

/** `23,940` */
export const number = (value) => NUMBERS.format(value);

/** `1 error`, `2 errors` */
export const count = (value, noun, plural = `${noun}s`) => `${number(value)} ${value === 1 ? noun : plural}`;

/** `1.5 MiB` */
export function size(bytes) {
  if (bytes < 1024) return count(bytes, "byte");
  const unit = bytes < 1024 * 1024 ? "KiB" : "MiB";
  const value = bytes / (unit === "KiB" ? 1024 : 1024 * 1024);
  return `${value < 10 ? value.toFixed(1) : number(Math.round(value))} ${unit}`;
}
