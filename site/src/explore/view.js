// The view "Explore": an index as a table or as a map of its characters, a search, and the details of a pointer.

import { count, field, h, number, uPlus } from "../dom.js";
import { nextTask, painted } from "../pause.js";
import { unpack } from "../unpack.js";
import { tally } from "./classes.js";
import { Coverage } from "./coverage.js";
import { details, sentence } from "./details.js";
import { Grid } from "./grid.js";
import { INDEXES, readIndex } from "./indexes.js";
import { Overview } from "./overview.js";
import { Ranges } from "./ranges.js";
import { find, interpret } from "./search.js";
import { Tip } from "./tip.js";

const FIRST = "jis0208";
const KINDS = ["any", "character", "code point", "bytes", "pointer"];

export function createExplore() {
  const view = new Explore();
  return { element: view.element, show: (parts) => view.show(parts) };
}

class Explore {
  /** What `show` was asked for last. */
  #address;
  #index;
  /** The index that the table shows. */
  #opened;
  #isStarted = false;
  #grid;
  #ranges;
  #overview;
  #coverage;
  #select;
  #kind = h("select", { name: "kind" }, ...KINDS.map((kind) => h("option", {}, kind)));
  #query = h("input", {
    type: "search",
    name: "query",
    placeholder: "亜, U+4E9C, 88 9F, 1410",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  #status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  #tabs = h("div", { class: "tabs" });
  #note = h("p", { class: "note" });
  #card = h("section", { class: "card", "aria-label": "Details" });
  #legend = h("div", { class: "legend" });
  #table = h("div", { class: "explore-table" });
  #cover = h("div", { hidden: true });
  #tip = new Tip(this.#card);

  constructor() {
    const groups = new Map();
    for (const index of INDEXES) groups.set(index.group, [...(groups.get(index.group) ?? []), index]);
    this.#select = h(
      "select",
      {
        name: "index",
        onchange: () => (location.hash = `#explore/${this.#select.value}${this.#isCover() ? "/bmp" : ""}`),
      },
      ...Array.from(groups, ([label, indexes]) =>
        h("optgroup", { label }, ...indexes.map(({ id, title }) => h("option", { value: id }, title))),
      ),
    );
    this.#grid = new Grid({
      onCurrent: (pointer) => this.#selected(pointer),
      onHover: (pointer) => this.#showDetails(pointer ?? this.#grid.current),
      onView: (part) => this.#overview?.mark(part),
      onScroll: () => this.#tip.hide(),
    });
    this.#ranges = new Ranges((pointer) => this.#selected(pointer));
    this.#overview = new Overview((row, column) => this.#grid.center(row, column));
    this.#coverage = new Coverage();
    const search = h(
      "form",
      { class: "search", role: "search", "aria-label": "Search the index", onsubmit: (event) => this.#search(event) },
      field("Find", this.#query),
      field("Search by", this.#kind),
      h("button", { type: "submit" }, "Find"),
    );
    this.#table.append(
      h("div", { class: "explore-main" }, this.#grid.element, this.#ranges.element, this.#tip.element),
      h("div", { class: "explore-side" }, this.#card, this.#overview.element, this.#legend),
    );
    this.#cover.append(this.#coverage.element);
    this.element = h(
      "div",
      { class: "view explore" },
      h("h1", { tabindex: -1 }, "Tables of characters"),
      h(
        "p",
        { class: "lead" },
        "Computers store text as bytes, and an encoding says which bytes mean which characters. Most encodings ",
        "that are older than Unicode use a table of characters. The Encoding Standard, which browsers follow, calls such ",
        "a table an index. A character’s position in it is its pointer, which the encoding computes from the bytes. ",
        "Select a cell to see its character, its bytes, and its code point, the character’s number in Unicode.",
      ),
      h("div", { class: "toolbar" }, field("Index", this.#select), this.#tabs, search),
      this.#note,
      this.#status,
      this.#table,
      this.#cover,
    );
  }

  /** Shows the parts of an address: an index, then a pointer, or `bmp` and a code point. */
  show([id, place = "", codePoint = ""]) {
    const layout = INDEXES.find((index) => index.id === id) ?? INDEXES.find((index) => index.id === FIRST);
    const isCover = place === "bmp" && !layout.ranges && !layout.katakana;
    this.#address = { id: layout.id, isCover, place, codePoint };
    if (this.#isStarted) this.#show();
    else this.#start();
    return isCover ? `${layout.title}, BMP coverage` : layout.title;
  }

  /** Shows the first address: the page before its index is read, and the index after that. */
  async #start() {
    this.#isStarted = true;
    await unpack();
    readIndex(this.#address.id);
    await nextTask();
    // Another address may have been shown since.
    if (this.#index === undefined) this.#show();
  }

  #show() {
    const { id, isCover, place, codePoint } = this.#address;
    const index = readIndex(id);
    const isNew = index !== this.#index;
    this.#index = index;
    this.#select.value = id;
    this.#showTabs(isCover);
    this.#table.hidden = isCover;
    this.#cover.hidden = !isCover;
    if (isNew) this.#status.textContent = "";
    if (isCover) {
      this.#note.textContent =
        "Each dot is one of Unicode’s first 65,536 code points, the Basic Multilingual Plane (BMP). " +
        "Coloured dots are characters that the index or the encoder includes.";
      this.#coverage.show(index, Number.parseInt(codePoint, 16));
      return;
    }
    this.#note.textContent = `Used by ${index.encodings.join(", ")}. ${index.note}`;
    const isOpened = index !== this.#opened;
    if (isOpened) this.#open();
    if (/^\d+$/.test(place)) this.#goTo(Number(place));
    else if (isOpened) this.#goTo(this.#firstPointer());
  }

  #isCover() {
    return !this.#cover.hidden && !this.#index.ranges;
  }

  #current() {
    return this.#index.ranges ? this.#ranges.current : this.#grid.current;
  }

  #firstPointer() {
    const index = this.#index;
    return index.ranges ? 0 : index.codePoints.findIndex((codePoint) => codePoint >= 0);
  }

  #showTabs(isCover) {
    const { id, ranges, katakana } = this.#index;
    this.#tabs.hidden = Boolean(ranges || katakana);
    this.#tabs.replaceChildren(
      h("a", { href: `#explore/${id}`, "aria-current": isCover ? undefined : "true" }, "Table"),
      h("a", { href: `#explore/${id}/bmp`, "aria-current": isCover ? "true" : undefined }, "BMP coverage"),
    );
  }

  #open() {
    const index = this.#index;
    this.#opened = index;
    const isRanges = Boolean(index.ranges);
    this.#grid.element.hidden = isRanges;
    this.#ranges.element.hidden = !isRanges;
    this.#overview.element.hidden = isRanges || index.size < 1000;
    this.#grid.element.classList.toggle("small", !isRanges && index.columns.length <= 16);
    if (isRanges) {
      this.#ranges.open(index);
      this.#legend.replaceChildren(h("p", {}, `${index.entries.length} entries for 1,087,996 pointers.`));
      return;
    }
    this.#grid.open(index, `${index.title}: rows are lead bytes, columns are trail bytes`);
    this.#overview.open(index);
    this.#legend.replaceChildren();
    this.#openRest(index);
  }

  /** Shows the table before the rest is computed. */
  async #openRest(index) {
    await painted();
    if (index === this.#opened) await this.#overview.draw();
    if (index === this.#opened) this.#legend.replaceChildren(legend(index));
  }

  #goTo(pointer) {
    if (this.#index.ranges) {
      this.#ranges.go(this.#index.codePointOf(pointer) < 0 ? 0 : pointer);
    } else {
      this.#grid.go(Math.min(pointer, this.#index.size - 1));
    }
    this.#showDetails(this.#current());
    if (this.#index.ranges) {
      this.#tip.show(this.#index, this.#current(), this.#ranges.element.querySelector("[aria-current]"));
    }
  }

  /** Called when a cell gets the focus. Changes the address without a new entry in the history. */
  #selected(pointer) {
    const hash = `#explore/${this.#index.id}/${pointer}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    this.#showDetails(pointer);
    this.#tip.show(this.#index, pointer, this.#grid.element.querySelector("[aria-selected=true]"));
  }

  #showDetails(pointer) {
    this.#card.replaceChildren(...details(this.#index, pointer).filter(Boolean));
  }

  #search(event) {
    event.preventDefault();
    const index = this.#index;
    const meanings = interpret(this.#query.value, this.#kind.value);
    const found = find(index, meanings);
    if (found.length === 0) {
      this.#status.replaceChildren(
        ...(meanings.length === 0
          ? ["Type a character, a code point, bytes or a pointer."]
          : elsewhere(index, meanings)),
      );
      return;
    }
    const [{ pointer, why }, ...others] = found;
    const hash = `#explore/${index.id}/${pointer}`;
    if (location.hash !== hash) history.pushState(null, "", hash);
    this.show([index.id, String(pointer)]);
    if (index.ranges) this.#ranges.go(pointer, { focus: true });
    else this.#grid.go(pointer, { focus: true });
    this.#status.replaceChildren(
      `Found by ${why}: ${sentence(index, pointer)}`,
      ...(others.length > 0 ? [" Also: "] : []),
      ...others
        .slice(0, 8)
        .flatMap(({ pointer, why }, n) => [
          n > 0 ? ", " : "",
          h("a", { href: `#explore/${index.id}/${pointer}` }, `pointer ${pointer}`),
          ` (${why})`,
        ]),
    );
  }
}

/** A message that the index has no match, with links to other indexes that have one. */
function elsewhere(index, meanings) {
  const codePoint = meanings.find(({ kind }) => kind === "code point")?.codePoint;
  if (codePoint === undefined) return [`${index.title} has no such pointer or bytes.`];
  const links = INDEXES.filter(({ id, katakana }) => id !== index.id && id !== "shift_jis" && !katakana)
    .map(({ id, title }) => ({ id, title, pointer: readIndex(id).pointersOf(codePoint)[0] }))
    .filter(({ pointer }) => pointer !== undefined)
    .flatMap(({ id, title, pointer }, n) => [n > 0 ? ", " : "", h("a", { href: `#explore/${id}/${pointer}` }, title)]);
  const shown = codePoint < 0x80 ? "ASCII, which is not part of any index" : `not in ${index.title}`;
  return [`${uPlus(codePoint)} is ${shown}.`, ...(links.length > 0 ? [" It is in ", ...links, "."] : [])];
}

function legend(index) {
  const rows = tally(index).map(({ classes, meaning, among, count }) =>
    h(
      "tr",
      {},
      h(
        "td",
        { "aria-hidden": "true" },
        h(
          "span",
          { class: `sample cell ${among ? `upper ${classes}` : classes}` },
          classes === "unmapped" ? "" : h("small", {}, "XXXX"),
        ),
      ),
      h("th", { scope: "row" }, meaning, among ? h("small", {}, " also counted above") : null),
      h("td", {}, number(count)),
    ),
  );
  const mapped = index.codePoints.filter((codePoint) => codePoint >= 0).length;
  return h(
    "table",
    {},
    h("caption", {}, `Legend: ${number(mapped)} of ${count(index.size, "pointer")} have a character`),
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", {}, ...["Colour", "Kind", "Pointers"].map((title) => h("th", { scope: "col" }, title))),
    ),
    h("tbody", {}, ...rows),
  );
}
