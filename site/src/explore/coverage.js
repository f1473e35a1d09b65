// The characters of an index in the Basic Multilingual Plane: a picture of 256 times 256 code points, and a table by
// blocks.

import { encode, getEncoding } from "textcodec";
import { colours } from "../colours.js";
import { field, h, number, uPlus } from "../dom.js";
import { formOf, isCompatibility, isExtension } from "./classes.js";
import { BLOCKS, blockOf, describe, glyph } from "../unicode.js";

const KINDS = [
  { name: "unmapped", meaning: "Not included" },
  { name: "ascii", meaning: "ASCII" },
  { name: "mid", meaning: "Two bytes in UTF-8" },
  { name: "upper", meaning: "Three bytes in UTF-8" },
  { name: "pua", meaning: "Private use" },
  { name: "compatibility", meaning: "CJK compatibility ideograph" },
  { name: "ext", meaning: "CJK Unified Ideographs Extension A" },
  { name: "duplicate", meaning: "Has more than one pointer" },
  { name: "surrogates", meaning: "Surrogates, which are not characters" },
];
const KIND = Object.fromEntries(KINDS.map(({ name }, n) => [name, n]));

export class Coverage {
  #index;
  #kinds = new Uint8Array(0x10000);
  #current = 0x4e00;
  #by = h("select", { name: "by", onchange: () => this.#fill() });
  #canvas = h("canvas", { width: 256, height: 256 });
  #cross = h("div", { class: "cross" });
  #picture;
  #line = h("p", { class: "cover-line", "aria-live": "polite" });
  #summary = h("div", { class: "cover-summary" });
  #legend = h("div", { class: "legend" });

  constructor() {
    this.#picture = h(
      "div",
      {
        class: "cover-picture",
        role: "application",
        "aria-roledescription": "map of code points",
        "aria-label":
          "Unicode’s first 65,536 code points: arrow keys move by one dot, with Shift by 16, page keys by block",
        tabindex: 0,
        onkeydown: (event) => this.#key(event),
        onpointermove: (event) => this.#describe(this.#at(event)),
        onpointerleave: () => this.#describe(this.#current),
        onclick: (event) => this.#go(this.#at(event)),
      },
      this.#canvas,
      this.#cross,
    );
    const axis = Array.from({ length: 16 }, (_, n) => h("span", {}, `${n.toString(16).toUpperCase()}000`));
    this.element = h(
      "div",
      { class: "coverage" },
      h(
        "div",
        { class: "cover-left" },
        field("Characters of", this.#by),
        this.#line,
        h("div", { class: "cover-frame" }, h("div", { class: "axis", "aria-hidden": "true" }, ...axis), this.#picture),
        this.#legend,
      ),
      this.#summary,
    );
    addEventListener("themechange", () => this.#draw());
  }

  /** Shows an index, and selects a code point. */
  show(index, codePoint) {
    if (index !== this.#index) {
      this.#index = index;
      // The characters of the index, or those that an encoder can write.
      this.#by.replaceChildren(
        h("option", { value: "" }, `index ${index.name}`),
        ...index.encodings.map((encoding) => h("option", { value: encoding }, `the encoder of ${encoding}`)),
      );
      this.#fill();
    }
    if (codePoint >= 0 && codePoint <= 0xffff) this.#current = codePoint;
    this.#mark();
  }

  #fill() {
    const encoding = getEncoding(this.#by.value);
    const kinds = this.#kinds;
    kinds.fill(KIND.unmapped);
    kinds.fill(KIND.surrogates, 0xd800, 0xe000);
    if (encoding !== null) {
      for (const codePoint of encodable(encoding)) kinds[codePoint] = this.#kindOf(codePoint);
    } else {
      for (const codePoint of this.#index.entriesByCodePoint().keys()) {
        if (codePoint <= 0xffff) kinds[codePoint] = this.#kindOf(codePoint);
      }
    }
    this.#draw();
    this.#showSummary();
    this.#mark();
  }

  #kindOf(codePoint) {
    if (codePoint < 0x80) return KIND.ascii;
    if (this.#index.pointersOf(codePoint).length > 1) return KIND.duplicate;
    if (isCompatibility(codePoint)) return KIND.compatibility;
    if (isExtension(codePoint)) return KIND.ext;
    return KIND[formOf(codePoint)];
  }

  #draw() {
    if (this.#index === undefined) return;
    const colour = colours(...KINDS.map(({ name }) => `p-${name}`));
    const palette = KINDS.map(({ name }) => colour[`p-${name}`]);
    const context = this.#canvas.getContext("2d");
    const image = context.createImageData(256, 256);
    const pixels = new Uint32Array(image.data.buffer);
    this.#kinds.forEach((kind, codePoint) => (pixels[codePoint] = palette[kind]));
    context.putImageData(image, 0, 0);
  }

  #showSummary() {
    const counts = KINDS.map(() => 0);
    const included = new Uint32Array(0x10001);
    this.#kinds.forEach((kind, codePoint) => {
      counts[kind]++;
      included[codePoint + 1] = included[codePoint] + (kind === KIND.unmapped || kind === KIND.surrogates ? 0 : 1);
    });
    this.#legend.replaceChildren(
      h(
        "table",
        {},
        h("caption", {}, `${number(included[0x10000])} of 65,536 code points`),
        h("thead", { class: "visually-hidden" }, headRow("Colour", "Kind", "Code points")),
        h(
          "tbody",
          {},
          ...KINDS.map(({ name, meaning }, n) =>
            counts[n] === 0
              ? null
              : h(
                  "tr",
                  {},
                  h("td", { "aria-hidden": "true" }, h("span", { class: `swatch p-${name}` })),
                  h("th", { scope: "row" }, meaning),
                  h("td", {}, number(counts[n])),
                ),
          ),
        ),
      ),
    );
    const rows = [];
    const empty = [];
    for (const { name, first, last } of BLOCKS) {
      if (first > 0xffff) break;
      const size = last - first + 1;
      const covered = included[last + 1] - included[first];
      if (covered === 0) {
        if (name !== "No block") empty.push(name);
        continue;
      }
      rows.push(
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("a", { href: `#explore/${this.#index.id}/bmp/${hex4(first)}` }, name)),
          h("td", {}, `${hex4(first)}–${hex4(last)}`),
          h("td", {}, `${number(covered)} of ${number(size)}`),
          h("td", { "aria-hidden": "true" }, bar(covered / size)),
        ),
      );
    }
    this.#summary.replaceChildren(
      h(
        "table",
        {},
        h("caption", {}, "Unicode blocks"),
        h("thead", {}, headRow("Block", "Range", "Included", "Share")),
        h("tbody", {}, ...rows),
      ),
      h(
        "details",
        {},
        h("summary", {}, `${empty.length} blocks without included characters`),
        h("p", {}, `${empty.join(", ")}.`),
      ),
    );
  }

  #at(event) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const clamp = (value) => Math.min(255, Math.max(0, Math.floor(value)));
    return clamp(((event.clientY - top) / height) * 256) * 256 + clamp(((event.clientX - left) / width) * 256);
  }

  #go(codePoint) {
    history.replaceState(null, "", `#explore/${this.#index.id}/bmp/${hex4(codePoint)}`);
    this.#current = codePoint;
    this.#mark();
  }

  #mark() {
    const { style } = this.#cross;
    style.left = `${((this.#current & 255) + 0.5) / 2.56}%`;
    style.top = `${((this.#current >> 8) + 0.5) / 2.56}%`;
    this.#describe(this.#current);
  }

  #describe(codePoint) {
    const kind = KINDS[this.#kinds[codePoint]];
    const isSurrogate = kind.name === "surrogates";
    const pointers = isSurrogate ? [] : this.#index.pointersOf(codePoint);
    this.#line.replaceChildren(
      h("strong", {}, uPlus(codePoint)),
      isSurrogate ? "" : h("span", { class: "glyph", lang: this.#index.language }, ` ${glyph(codePoint).text}`),
      ` · ${blockOf(codePoint).name}${isSurrogate ? "" : ` · ${describe(codePoint)}`} · ${kind.meaning}`,
      pointers.length > 0 ? " · pointer " : "",
      ...pointers.flatMap((pointer, n) => [
        n > 0 ? ", " : "",
        h("a", { href: `#explore/${this.#index.id}/${pointer}` }, String(pointer)),
      ]),
    );
  }

  #key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const step = event.shiftKey ? 16 : 1;
    const block = BLOCKS.indexOf(blockOf(this.#current));
    const target = {
      ArrowLeft: this.#current - step,
      ArrowRight: this.#current + step,
      ArrowUp: this.#current - 256 * step,
      ArrowDown: this.#current + 256 * step,
      PageUp: BLOCKS[Math.max(0, block - 1)].first,
      PageDown: BLOCKS[block + 1].first,
      Home: 0,
      End: 0xffff,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (target >= 0 && target <= 0xffff) this.#go(target);
  }
}

const hex4 = (codePoint) => codePoint.toString(16).toUpperCase().padStart(4, "0");
const headRow = (...titles) => h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)));

function bar(share) {
  const inner = h("span", {});
  inner.style.width = `${Math.max(2, 100 * share)}%`;
  return h("span", { class: "bar" }, inner);
}

/**
 * Yields the code points of the plane that an encoder can write. It encodes each code point on a separate line;
 * lines of unmappable characters are empty.
 */
function* encodable(encoding) {
  const codePoints = [];
  for (let codePoint = 0; codePoint <= 0xffff; codePoint++) {
    if (codePoint !== 0x0a && (codePoint < 0xd800 || codePoint > 0xdfff)) codePoints.push(codePoint);
  }
  const text = codePoints.map((codePoint) => String.fromCharCode(codePoint)).join("\n");
  const bytes = encode(text, encoding, { unmappable: "skip" });
  yield 0x0a;
  let line = 0;
  let isEmpty = true;
  for (const byte of bytes) {
    if (byte !== 0x0a) {
      isEmpty = false;
      continue;
    }
    if (!isEmpty) yield codePoints[line];
    line++;
    isEmpty = true;
  }
  if (!isEmpty) yield codePoints[line];
}
