// The results of Look up.

import { count, h, hex, shownInLine, uPlus } from "../dom.js";
import { nameElement } from "../names.js";
import { blockOf, describe, glyph } from "../unicode.js";
import { addressOf } from "./query.js";
import { decodingsOf, encodingsOf, placesOf } from "./find.js";

/** The maximum number of characters that are listed. */
const MAX_LISTED = 64;

const linkTo = (point) => h("a", { href: addressOf(uPlus(point)) }, uPlus(point));

/** One character: its properties, its bytes in every encoding, its places in the indexes, and who lacks it. */
export async function characterResult(point) {
  const character = String.fromCodePoint(point);
  const { text, isShort } = glyph(point);
  const found = await encodingsOf(character);
  const places = h("div", { class: "in-tables" });
  placesOf(point).then((all) => places.append(...[onlyRead(all), placesList(all)].filter(Boolean)));
  return [
    h(
      "section",
      { class: "card found" },
      h(
        "div",
        { class: "card-head" },
        h("div", { class: isShort ? "big short" : "big" }, text),
        h(
          "div",
          {},
          h("h2", { class: "code-point" }, uPlus(point), " ", nameElement(point)),
          h("p", {}, `Block ${blockOf(point).name} · ${describe(point)}`),
        ),
      ),
      writtenTable(found),
      lackingList(found.lacking),
      places,
    ),
  ];
}

/** Text: its bytes in every encoding, and its characters. */
export async function textResult(points) {
  const text = String.fromCodePoint(...points);
  const found = await encodingsOf(text);
  return [
    h(
      "section",
      { class: "card found" },
      h("h2", {}, "Bytes"),
      writtenTable(found),
      lackingList(found.lacking, points.length),
    ),
    h("section", { class: "card found" }, h("h2", {}, "Characters"), characterList(points)),
  ];
}

/** Bytes: what they mean in every encoding. */
export async function bytesResult(bytes) {
  const results = await decodingsOf(bytes);
  const meanings = results
    .filter(({ errors }) => errors.length === 0)
    .map(({ text, encodings }) =>
      h(
        "li",
        {},
        h("div", { class: "meaning" }, shownInLine(text)),
        h("div", {}, encodings.join(", ")),
        characterList(points(text)),
      ),
    );
  const failed = results.filter(({ errors }) => errors.length > 0);
  return [
    h(
      "section",
      { class: "card found" },
      h("h2", {}, `${hex(bytes)} in every encoding`),
      meanings.length > 0 && h("ul", { class: "meanings" }, ...meanings),
      failed.length > 0 && h("h3", {}, "Malformed in"),
      failed.length > 0 &&
        h(
          "ul",
          { class: "malformed" },
          ...failed.map(({ encodings, text, errors }) =>
            h("li", {}, `${encodings.join(", ")}: `, shownInLine(text), ` with ${malformed(errors, bytes)}`),
          ),
        ),
    ),
  ];
}

const points = (text) => Array.from(text, (character) => character.codePointAt(0));

function malformed(errors, bytes) {
  const which = errors.slice(0, 3).map(({ start, end }) => hex(bytes.subarray(start, end)));
  return `${which.join(" and ")}${errors.length > 3 ? ` and ${count(errors.length - 3, "other sequence")}` : ""} malformed`;
}

function table(titles, rows, className) {
  return h(
    "table",
    { class: className },
    h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, ...rows),
  );
}

const writtenTable = ({ written }) =>
  table(
    ["Bytes", "Encodings"],
    written.map(({ bytes, encodings }) =>
      h("tr", {}, h("td", {}, h("code", {}, bytes)), h("th", { scope: "row" }, encodings.join(", "))),
    ),
    "written",
  );

function onlyRead(places) {
  const forms = places.flatMap(({ forms }) => forms).filter(({ isWritten }) => !isWritten);
  if (forms.length === 0) return null;
  return h(
    "p",
    { class: "only-read" },
    "Decoders also read it from ",
    ...forms.flatMap(({ encoding, bytes }, n) => [n > 0 && ", ", h("code", {}, bytes), ` in ${encoding}`]),
    ", but encoders do not write these bytes.",
  );
}

function lackingList(lacking, length = 1) {
  if (lacking.length === 0) return h("p", { class: "lacking" }, "Every encoding can represent it.");
  const total = lacking.reduce((sum, { encodings }) => sum + encodings.length, 0);
  if (length === 1) {
    return h(
      "p",
      { class: "lacking" },
      h("strong", {}, `Not in ${count(total, "encoding")}: `),
      lacking[0].encodings.join(", "),
      ".",
    );
  }
  return h(
    "div",
    { class: "lacking" },
    h("h3", {}, `${count(total, "encoding")} cannot represent it`),
    h(
      "ul",
      {},
      ...lacking.map(({ encodings, missing }) =>
        h("li", {}, `${encodings.join(", ")}: no `, shownInLine(missing.slice(0, 20).join(" ")), missing.length > 20 && " …"),
      ),
    ),
  );
}

function placesList(places) {
  if (places.length === 0) return null;
  return h(
    "p",
    { class: "places" },
    "In the tables: ",
    ...places.flatMap(({ index, pointer }, n) => [
      n > 0 && ", ",
      h("a", { href: `#explore/${index.id}/${pointer}` }, `${index.title}, pointer ${pointer}`),
    ]),
    ".",
  );
}

function characterList(points) {
  const different = [...new Set(points)];
  const items = different
    .slice(0, MAX_LISTED)
    .map((point) =>
      h(
        "li",
        {},
        h("span", { class: "glyph" }, glyph(point).text),
        h("span", {}, linkTo(point), " ", nameElement(point), " ", h("span", { class: "block" }, blockOf(point).name)),
      ),
    );
  return h(
    "ul",
    { class: "characters" },
    ...items,
    different.length > MAX_LISTED && h("li", {}, `and ${different.length - MAX_LISTED} more`),
  );
}
