// The view "Look up": a character, text or bytes in all encodings and indexes.

import { count, field, h, shownInLine, spelled, uPlus } from "../dom.js";
import { loadNames } from "../names.js";
import { glyph } from "../unicode.js";
import { unpack } from "../unpack.js";
import { MAX_BYTES, MAX_POINTS, addressOf, readingsOf } from "./query.js";
import { bytesResult, characterResult, textResult } from "./results.js";

const EXAMPLES = ["ｱ", "日本語", "U+20AC", "82 A0", "é", "😀"];

export function createLookup() {
  const view = new Lookup();
  return { element: view.element, show: (parts) => view.show(parts) };
}

class Lookup {
  #query = h("input", {
    type: "search",
    name: "lookup",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "a character, text, U+20AC or 82 A0",
    oninput: () => this.#schedule(),
  });
  #note = h("p", { class: "status", role: "status", "aria-live": "polite" });
  #results = h("div", { class: "lookup-results" });
  #timer = 0;
  #shown;

  constructor() {
    this.element = h(
      "div",
      { class: "view lookup" },
      h("h1", { tabindex: -1 }, "Look up characters and bytes"),
      h(
        "p",
        { class: "lead" },
        "Type a character or text to see its bytes in every encoding. Type bytes in hexadecimal to see what they ",
        "mean in every encoding. Or ",
        h("a", { href: "#explore" }, "browse the tables of characters"),
        ".",
      ),
      h(
        "form",
        {
          class: "search",
          role: "search",
          "aria-label": "Characters and bytes",
          onsubmit: (event) => {
            event.preventDefault();
            this.#go(this.#query.value);
          },
        },
        field("Look up", this.#query, { class: "field wide" }),
        h("button", { type: "submit" }, "Look up"),
      ),
      h(
        "p",
        { class: "examples" },
        "Try: ",
        ...EXAMPLES.flatMap((example) => [h("a", { href: addressOf(example) }, example), " "]),
      ),
      this.#note,
      this.#results,
    );
  }

  /** Shows the parts of an address: a query, and how to read it. */
  show([address = "", kind]) {
    const query = decoded(address);
    clearTimeout(this.#timer);
    if (this.#shown !== `${address}/${kind}`) {
      this.#shown = `${address}/${kind}`;
      if (this.#query.value.trim() !== query.trim()) this.#query.value = query;
      this.#look(query, kind);
    }
    return query === "" ? "Look up" : `${spelled([...query].slice(0, 20).join(""))}, Look up`;
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Without a new entry in the history for each letter.
      history.replaceState(null, "", addressOf(this.#query.value));
      dispatchEvent(new HashChangeEvent("hashchange"));
    }, 200);
  }

  #go(query) {
    location.hash = addressOf(query);
  }

  async #look(query, kind) {
    const shown = this.#shown;
    const readings = readingsOf(query);
    const reading = readings.find((reading) => reading.kind === kind) ?? readings[0];
    if (reading === undefined) {
      this.#note.replaceChildren();
      this.#results.replaceChildren();
      return;
    }
    await unpack();
    const result = await resultOf(reading);
    // Something else was looked up since.
    if (shown !== this.#shown) return;
    this.#note.replaceChildren(...explain(query, reading, readings));
    this.#results.replaceChildren(...result);
    // After a tap on a link, its result is at the top.
    if (document.activeElement !== this.#query) this.#note.scrollIntoView({ block: "nearest" });
    loadNames().then(
      () => this.element.dispatchEvent(new Event("names")),
      () => this.#note.append(" The names of characters could not be loaded. Reload the page to try again."),
    );
  }
}

function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function resultOf(reading) {
  if (reading.kind === "bytes") return bytesResult(reading.bytes.subarray(0, MAX_BYTES));
  const points = reading.points.slice(0, MAX_POINTS);
  return points.length === 1 ? characterResult(points[0]) : textResult(points);
}

/** Says how the query was read, and how else it could be. */
function explain(query, reading, readings) {
  const others = readings.filter((other) => other.kind !== reading.kind && !isSame(other, reading));
  return [
    "Read as ",
    ...inWords(reading),
    `${limit(reading)}.`,
    ...(others.length > 0 ? [" It could also be "] : []),
    ...others.flatMap((other, n) => [n > 0 && " or ", h("a", { href: addressOf(query, other.kind) }, ...inWords(other))]),
    others.length > 0 && ".",
  ].filter(Boolean);
}

const isSame = (a, b) => a.points !== undefined && String(a.points) === String(b.points);

function inWords({ kind, bytes, points, text }) {
  if (kind === "bytes") return [count(bytes.length, "byte")];
  if (kind === "point") return [points.length === 1 ? `the code point ${uPlus(points[0])}` : `${points.length} code points`];
  if (points.length > 1) {
    return ["the text “", shownInLine([...text].slice(0, 20).join("")), points.length > 20 ? "…”" : "”"];
  }
  const { text: sign, isShort } = glyph(points[0]);
  return ["the character ", isShort ? uPlus(points[0]) : h("bdi", {}, sign)];
}

function limit({ points, bytes }) {
  if (points?.length > MAX_POINTS) return `, of which the first ${MAX_POINTS} characters are shown`;
  return bytes?.length > MAX_BYTES ? `, of which the first ${MAX_BYTES} are shown` : "";
}
