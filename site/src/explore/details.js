// The details of one pointer.

import { h, hex, uPlus } from "../dom.js";
import { encode } from "textcodec";
import { classify, inWords } from "./classes.js";
import { encoded } from "./indexes.js";
import { nameElement } from "../names.js";
import { blockOf, describe, glyph } from "../unicode.js";

/** Returns the content of the details panel. */
export function details(index, pointer) {
  const codePoint = index.codePointOf(pointer);
  return codePoint < 0 ? unmapped(index, pointer) : mapped(index, pointer, codePoint);
}

function mapped(index, pointer, codePoint) {
  const character = String.fromCodePoint(codePoint);
  const { text, isShort } = glyph(codePoint);
  const units = Array.from({ length: character.length }, (_, n) => character.charCodeAt(n));
  const others = index.pointersOf(codePoint).filter((other) => other !== pointer);
  const source = index.katakana ? 0xff61 + pointer : undefined;
  const rows = [
    ["Pointer", position(index, pointer)],
    source !== undefined && ["Replaces", `${String.fromCodePoint(source)} ${uPlus(source)}, half-width`],
    ["Class", inWords(classify(index, pointer))],
    ["Category", describe(codePoint)],
    ["UTF-8", h("code", {}, hex(encode(character)))],
    ["UTF-16", h("code", {}, units.map((unit) => unit.toString(16).toUpperCase().padStart(4, "0")).join(" "))],
    others.length > 0 && [
      "Also at",
      h("span", {}, ...others.flatMap((other, n) => [n > 0 && ", ", link(index, other)])),
    ],
  ];
  return [
    h(
      "div",
      { class: "card-head" },
      h("div", { class: isShort ? "big short" : "big", lang: index.language }, text),
      h(
        "div",
        {},
        h("strong", { class: "code-point" }, uPlus(codePoint)),
        h("p", {}, nameElement(codePoint)),
        h("p", {}, blockOf(codePoint).name),
      ),
    ),
    forms(index, pointer, character),
    h("dl", {}, ...rows.filter(Boolean).flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])),
  ];
}

function unmapped(index, pointer) {
  const outside = index.outside.get(pointer);
  const points = outside && Array.from(outside, (character) => uPlus(character.codePointAt(0))).join(" ");
  return [
    h(
      "div",
      { class: "card-head" },
      h("div", { class: "big short" }, "none"),
      h("div", {}, h("strong", { class: "code-point" }, "Unmapped"), h("p", {}, "The index has no character here.")),
    ),
    index.katakana ? null : forms(index, pointer, null),
    h(
      "dl",
      {},
      h("dt", {}, "Pointer"),
      h("dd", {}, position(index, pointer)),
      h("dt", {}, "Decoder"),
      h("dd", {}, outside === undefined ? "malformed: U+FFFD" : `${points}, which is not from the index`),
    ),
  ];
}

function position(index, pointer) {
  if (index.ranges) {
    if (pointer === 7457) return "7457, which the standard excludes from its range";
    const entry = index.entries.findLast((entry) => entry.pointer <= pointer);
    return `${pointer} = entry ${entry.pointer} + ${pointer - entry.pointer}`;
  }
  const columns = index.columns.length;
  const row = Math.floor(pointer / columns);
  return `${pointer} = ${row} × ${columns} + ${pointer % columns}`;
}

const link = (index, pointer) => h("a", { href: `#explore/${index.id}/${pointer}` }, String(pointer));

/** A table of the bytes in each encoding, and of the bytes that its encoder writes. */
function forms(index, pointer, character) {
  const rows = index.formsOf(pointer).map(({ encoding, bytes, before, after }) => {
    const isEscaped = before.length > 0;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, encoding),
      h(
        "td",
        {},
        h("code", {}, hex(bytes)),
        isEscaped && h("small", { class: "escape" }, `between ${hex(before)} and ${hex(after)}`),
      ),
      h("td", {}, ...roundTrip(index, encoding, [...before, ...bytes, ...after], pointer, character)),
    );
  });
  if (rows.length === 0) return null;
  return h(
    "table",
    { class: "forms" },
    h(
      "thead",
      {},
      h("tr", {}, ...["Encoding", "Bytes", "Encoder writes"].map((title) => h("th", { scope: "col" }, title))),
    ),
    h("tbody", {}, ...rows),
  );
}

function roundTrip(index, encoding, bytes, pointer, character) {
  if (character === null) return ["–"];
  const source = index.katakana ? String.fromCodePoint(0xff61 + pointer) : character;
  const written = encoded(source, encoding);
  if (written === null) return [h("span", { class: "no" }, "cannot encode it")];
  if (written.length === bytes.length && written.every((byte, n) => byte === bytes[n])) {
    return [h("span", { class: "yes" }, "the same")];
  }
  return [h("code", { class: "no" }, hex(written))];
}

/** Describes a pointer in a sentence, for the status line. */
export function sentence(index, pointer) {
  const codePoint = index.codePointOf(pointer);
  const what = codePoint < 0 ? "unmapped" : `${glyph(codePoint).text} ${uPlus(codePoint)}`;
  return `${index.title}, pointer ${pointer}: ${what}.`;
}
