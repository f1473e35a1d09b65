// A table of the index gb18030 ranges, with a row for each entry.

import { h, hex, number, uPlus } from "../dom.js";
import { blockOf } from "../unicode.js";

const TITLES = ["Pointers", "Code points", "Count", "First bytes", "First block"];

export class Ranges {
  element = h("div", {
    class: "ranges",
    tabindex: 0,
    role: "region",
    "aria-label": "Entries of gb18030 ranges",
    hidden: true,
  });
  current = 0;
  #index;
  #rows = [];
  #onCurrent;

  /** @param {(pointer: number) => void} onCurrent */
  constructor(onCurrent) {
    this.#onCurrent = onCurrent;
  }

  open(index) {
    this.#index = index;
    this.#rows = index.entries.map((entry, n) => {
      const end = index.entries[n + 1]?.pointer ?? 1237576;
      // The pointers from 39420 to 188999 do not exist.
      const last = entry.pointer < 189000 ? Math.min(end, 39420) - 1 : end - 1;
      const bytes = index.formsOf(entry.pointer)[0].bytes;
      return h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h("a", { href: `#explore/${index.id}/${entry.pointer}` }, String(entry.pointer)),
          last > entry.pointer ? `–${last}` : null,
        ),
        h("td", {}, uPlus(entry.codePoint), last > entry.pointer ? `–${uPlus(index.codePointOf(last))}` : null),
        h("td", {}, number(last - entry.pointer + 1)),
        h("td", {}, h("code", {}, hex(bytes))),
        h("td", {}, blockOf(entry.codePoint).name),
      );
    });
    this.element.replaceChildren(
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...TITLES.map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, ...this.#rows),
      ),
    );
  }

  /** Selects the entry of a pointer. */
  go(pointer, { focus = false } = {}) {
    this.current = pointer;
    const n = this.#index.entries.findLastIndex((entry) => entry.pointer <= pointer);
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.#rows[n];
    row.setAttribute("aria-current", "true");
    const { offsetTop, offsetHeight } = row;
    const { scrollTop, clientHeight } = this.element;
    if (offsetTop < scrollTop + 40 || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.element.scrollTop = offsetTop - clientHeight / 2;
    }
    if (focus) {
      row.querySelector("a").focus({ preventScroll: true });
      this.#onCurrent(pointer);
    }
  }
}
