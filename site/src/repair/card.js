// A candidate: its name, its measure, its text with marked errors, and its actions.

import { h, hex, number, visible } from "../dom.js";
import { reasons, verdict } from "./words.js";

/** The length of the text that is shown at first, in code units. "Show more" shows four times as much. */
const FIRST_LENGTH = 2048;
/** The maximum number of listed errors. */
const MAX_LISTED = 200;

/**
 * Creates the element of a candidate.
 * @param {object} candidate
 * @param {{ bytes: Uint8Array | null, isCut: boolean, isBest: boolean, onDownload(): void, onCopy?(): void }} context
 *   `bytes` are the decoded bytes
 */
export function card(candidate, { bytes, isCut, isBest, onDownload, onCopy }) {
  const preview = h("pre", {
    class: "preview",
    dir: "auto",
    tabindex: 0,
    "aria-label": `Text as ${nameOf(candidate)}`,
  });
  const more = h("button", { type: "button", class: "quiet", onclick: () => grow() }, "Show more");
  let shown = 0;
  const grow = () => {
    shown = Math.min(candidate.text.length, shown === 0 ? FIRST_LENGTH : shown * 4);
    fill(preview, candidate, shown, bytes);
    more.hidden = shown >= candidate.text.length;
  };
  grow();
  const isShort = (candidate.length ?? candidate.text.length) > candidate.text.length;
  return h(
    "article",
    { class: isBest ? "candidate best" : "candidate", "data-name": nameOf(candidate) },
    h(
      "header",
      {},
      h("h2", {}, nameOf(candidate)),
      h("meter", { min: 0, max: 100, value: candidate.score, "aria-label": "How likely" }),
      h("span", { class: "score" }, verdict(candidate.score)),
    ),
    preview,
    h("p", { class: "facts" }, reasons(candidate).join(" ")),
    also(candidate),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: isBest ? undefined : "quiet", onclick: onDownload }, "Download as UTF-8"),
      onCopy && h("button", { type: "button", class: "quiet", onclick: onCopy }, "Copy"),
      more,
    ),
    isShort &&
      h("p", { class: "facts" }, `The preview shows only the first ${number(candidate.text.length)} code units.`),
    errorList(candidate, bytes, isCut),
  );
}

/** Returns the name of a candidate. */
export function nameOf({ encodings, pairs, plain }) {
  if (plain !== undefined) return `Text of ${plain}`;
  if (encodings !== undefined) return encodings[0];
  const [{ wrong, right, rounds }] = pairs;
  return `${right} read as ${wrong}${rounds > 1 ? `, ${rounds} times` : ""}`;
}

function also({ encodings, pairs = [] }) {
  const others = encodings?.slice(1) ?? pairs.slice(1).map(({ wrong, right }) => `${right} read as ${wrong}`);
  if (others.length === 0) return null;
  const shown = others.slice(0, 3).join(", ");
  if (others.length <= 3) return h("p", { class: "also" }, `Same result: ${shown}`);
  return h(
    "details",
    { class: "also" },
    h("summary", {}, `Same result: ${shown} and ${others.length - 3} more`),
    others.slice(3).join(", "),
  );
}

/** Shows text in an element, and marks the errors. */
function fill(element, { text, errors }, end, bytes) {
  const content = new DocumentFragment();
  const add = (text) => visible(text).forEach((part) => content.append(part));
  let from = 0;
  for (const error of errors) {
    if (error.index >= end) break;
    if (error.index < from) continue;
    add(text.slice(from, error.index));
    content.append(h("mark", { title: offsets(error, bytes) }, text[error.index]));
    from = error.index + 1;
  }
  add(text.slice(from, end));
  element.replaceChildren(content);
}

function offsets({ start, end }, bytes) {
  const where = end - start === 1 ? `byte ${number(start)}` : `bytes ${number(start)}–${number(end - 1)}`;
  return bytes === null ? where : `${where}: ${hex(bytes.subarray(start, end))}`;
}

function errorList({ errors, errorCount }, bytes, isCut) {
  if (errorCount === 0) return null;
  const rest = errorCount - Math.min(errors.length, MAX_LISTED);
  return h(
    "details",
    { class: "errors", open: errorCount <= 4 },
    h(
      "summary",
      {},
      errorCount === 1 ? "Offset of the error" : "Offsets of the errors",
      isCut ? " in the first MiB" : "",
    ),
    h("ol", {}, ...errors.slice(0, MAX_LISTED).map((error) => h("li", {}, offsets(error, bytes)))),
    rest > 0 && h("p", {}, `and ${number(rest)} more`),
  );
}
