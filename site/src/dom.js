// Functions that create elements and format values, for all views.

/**
 * Creates an element.
 * @param {string} name
 * @param {Record<string, unknown>} attributes `true` gives an empty attribute, `false` and `undefined` give none; a
 *   function `onclick` is a listener for `click`
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : String(value));
  }
  // One call with all children can have too many arguments: text has a child for each of its control characters.
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Creates a form field with its label before it. */
export function field(label, control, attributes = {}) {
  return h("label", { class: "field", ...attributes }, h("span", {}, label), control);
}

/** `82 A0` */
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

/** Control characters but tabs and line ends, bidirectional controls, separators, and the byte order mark. */
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** These, tabs and line ends. */
const ALL_CONTROLS = new RegExp(`[\\t\\n\\r]|${CONTROLS.source}`, "g");

/** The maximum number of control characters with elements. With many more, browsers need minutes for the layout. */
const MAX_ELEMENTS = 1000;

/** Returns text as nodes, in which control characters are shown as their code points and have no effect. */
export function visible(text, controls = CONTROLS) {
  const nodes = [];
  let from = 0;
  for (const { 0: control, index } of text.matchAll(controls)) {
    if (nodes.length >= 2 * MAX_ELEMENTS) break;
    nodes.push(text.slice(from, index), h("span", { class: "control" }, spelled(control)));
    from = index + 1;
  }
  return [...nodes, spelled(text.slice(from), controls)].filter((node) => node !== "");
}

/** Returns text in which control characters are replaced by their code points. */
export const spelled = (text, controls = ALL_CONTROLS) =>
  text.replaceAll(controls, (control) => uPlus(control.charCodeAt(0)));

/** Shows text that is not the page's, such as a file's name. It does not change the order of the text around it. */
export const shown = (text) => h("bdi", {}, visible(text));

/** Shows text in one line, also its tabs and line ends. */
export const shownInLine = (text) => h("bdi", {}, visible(text, ALL_CONTROLS));

/** Removes what `visible` shows. */
export const withoutControls = (text) => text.replaceAll(CONTROLS, "");
