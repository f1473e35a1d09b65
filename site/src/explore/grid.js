// A table for an index of any size. Only the visible cells exist as elements.

import { h, hex, uPlus } from "../dom.js";
import { classify, inWords } from "./classes.js";
import { glyph } from "../unicode.js";

/** The number of additional rows and columns around the visible ones, so that scrolling rarely shows gaps. */
const MARGIN = 3;
/** Sizes in rem. The style sheet has the same. */
const CELL = { width: 3.25, height: 3 };
const HEAD = { width: 5, height: 2.25 };

export class Grid {
  /** The scrolling box. */
  element;
  /** The pointer of the cell that the tab key focuses. */
  current = 0;
  #index;
  #canvas = h("div", { class: "grid-canvas", role: "presentation" });
  #heads;
  /** The existing rows: their elements, and their cells by column. */
  #rows = new Map();
  #columnHeads = new Map();
  #onCurrent;
  #onHover;
  #onView;
  #onScroll;
  #frame = 0;
  #rem = 16;

  /**
   * @param {{ onCurrent(pointer: number): void, onHover(pointer: number | null): void,
   *   onView(view: { row: number, column: number, rows: number, columns: number }): void, onScroll(): void }} listeners
   */
  constructor({ onCurrent, onHover, onView, onScroll }) {
    this.#onCurrent = onCurrent;
    this.#onHover = onHover;
    this.#onView = onView;
    this.#onScroll = onScroll;
    this.element = h(
      "div",
      {
        class: "grid",
        role: "grid",
        "aria-readonly": "true",
        // Browsers make scrolling boxes tab stops, but the current cell is the tab stop.
        tabindex: -1,
        onscroll: () => {
          this.#onScroll();
          this.#scheduleRender();
        },
        onkeydown: (event) => this.#key(event),
        // Not `pointerover`, which also happens when a cell appears below a pointer that does not move.
        onpointermove: (event) => event.pointerType !== "touch" && this.#onHover(pointerAt(event.target)),
        onpointerleave: () => this.#onHover(null),
        onfocusin: (event) => this.#focused(pointerAt(event.target)),
        onclick: (event) => this.#clicked(pointerAt(event.target)),
      },
      this.#canvas,
    );
    new ResizeObserver(() => {
      // The style sheet makes the box as large as a whole number of cells and its scroll bars, which have one size.
      const { offsetHeight, clientHeight, clientTop } = this.element;
      this.element.style.setProperty("--bar", `${offsetHeight - clientHeight - 2 * clientTop}px`);
      this.#scheduleRender();
    }).observe(this.element);
  }

  /** Prepares for another index. `go` shows it. */
  open(index, label) {
    this.#index = index;
    this.current = 0;
    this.#rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { rows, columns } = index;
    this.element.setAttribute("aria-label", label);
    this.element.setAttribute("aria-rowcount", rows.length + 1);
    this.element.setAttribute("aria-colcount", columns.length + 1);
    const width = HEAD.width + columns.length * CELL.width;
    this.#canvas.style.width = `${width}rem`;
    this.#canvas.style.height = `${HEAD.height + rows.length * CELL.height}rem`;
    this.element.style.setProperty("--rows", rows.length);
    this.#canvas.lang = index.language ?? "en";
    this.#heads = h(
      "div",
      { class: "grid-heads", role: "row", "aria-rowindex": 1, lang: "en" },
      h("div", { class: "grid-corner", role: "columnheader", "aria-colindex": 1 }, "Byte", h("small", {}, "pointer")),
    );
    this.#rows.clear();
    this.#columnHeads.clear();
    this.#canvas.replaceChildren(this.#heads);
    this.element.scrollTo(0, 0);
  }

  /** Selects a pointer and scrolls it into view. */
  go(pointer, { focus = false } = {}) {
    this.#cellAt(this.current)?.setAttribute("tabindex", -1);
    this.current = pointer;
    if (focus) this.#reveal(pointer);
    else this.#revealFar(pointer);
    // At first only what is visible, so that it is soon there.
    const isFirst = this.#rows.size === 0;
    this.#render(isFirst ? 0 : MARGIN);
    if (isFirst) this.#scheduleRender();
    const cell = this.#cellAt(pointer);
    cell.setAttribute("tabindex", 0);
    this.#mark(cell);
    if (focus) cell.focus({ preventScroll: true });
  }

  /** Scrolls a cell to the middle. */
  center(row, column) {
    const { clientWidth, clientHeight } = this.element;
    // Whole cells are visible.
    const whole = (offset, size) => Math.max(0, Math.round(offset / size)) * size;
    this.element.scrollTo(
      whole((column * CELL.width + HEAD.width) * this.#rem - clientWidth / 2, CELL.width * this.#rem),
      whole((row * CELL.height + HEAD.height) * this.#rem - clientHeight / 2, CELL.height * this.#rem),
    );
  }

  #positionOf(pointer) {
    const columns = this.#index.columns.length;
    return { row: Math.floor(pointer / columns), column: pointer % columns };
  }

  #cellAt(pointer) {
    const { row, column } = this.#positionOf(pointer);
    return this.#rows.get(row)?.cells.get(column);
  }

  #mark(cell) {
    this.#canvas.querySelector("[aria-selected=true]")?.removeAttribute("aria-selected");
    cell.setAttribute("aria-selected", "true");
  }

  #scheduleRender() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#index !== undefined) this.#render();
    });
  }

  /** Returns the visible part, in rows and columns. */
  #view() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const width = CELL.width * this.#rem;
    const height = CELL.height * this.#rem;
    return {
      row: scrollTop / height,
      column: scrollLeft / width,
      rows: (clientHeight - HEAD.height * this.#rem) / height,
      columns: (clientWidth - HEAD.width * this.#rem) / width,
    };
  }

  #render(margin = MARGIN) {
    const { rows, columns } = this.#index;
    const view = this.#view();
    const firstRow = Math.max(0, Math.floor(view.row) - margin);
    const endRow = Math.min(rows.length, Math.ceil(view.row + view.rows) + margin);
    const firstColumn = Math.max(0, Math.floor(view.column) - margin);
    const endColumn = Math.min(columns.length, Math.ceil(view.column + view.columns) + margin);
    const current = this.#positionOf(this.current);

    for (const [row, { element }] of this.#rows) {
      if ((row < firstRow || row >= endRow) && row !== current.row) {
        element.remove();
        this.#rows.delete(row);
      }
    }
    this.#fill(this.#columnHeads, this.#heads, firstColumn, endColumn, -1, (column) => this.#columnHead(column));
    for (let row = firstRow; row < endRow; row++) this.#fillRow(row, firstColumn, endColumn, current);
    if (current.row < firstRow || current.row >= endRow) this.#fillRow(current.row, firstColumn, endColumn, current);
    this.#onView(view);
  }

  #fillRow(row, firstColumn, endColumn, current) {
    let existing = this.#rows.get(row);
    if (existing === undefined) {
      existing = { element: this.#row(row), cells: new Map() };
      this.#rows.set(row, existing);
      // Screen readers need the rows in document order.
      let after = this.#heads;
      let nearest = -1;
      for (const [other, { element }] of this.#rows) {
        if (other < row && other > nearest) [nearest, after] = [other, element];
      }
      after.after(existing.element);
    }
    const kept = row === current.row ? current.column : -1;
    const first = row * this.#index.columns.length;
    this.#fill(existing.cells, existing.element, firstColumn, endColumn, kept, (column) =>
      this.#cell(first + column, column),
    );
  }

  /** Creates missing elements in `first..end`, and removes all others except `kept`. */
  #fill(existing, parent, first, end, kept, create) {
    for (const [column, element] of existing) {
      if ((column < first || column >= end) && column !== kept) {
        element.remove();
        existing.delete(column);
      }
    }
    const add = (column) => {
      if (existing.has(column)) return;
      const element = create(column);
      existing.set(column, element);
      let next = column + 1;
      while (next < end && !existing.has(next)) next++;
      parent.insertBefore(element, existing.get(next) ?? (kept > column ? existing.get(kept) : undefined) ?? null);
    };
    for (let column = first; column < end; column++) add(column);
    if (kept >= 0) add(kept);
  }

  #row(row) {
    const { rows, columns, katakana } = this.#index;
    const element = h(
      "div",
      { class: "grid-row", role: "row", "aria-rowindex": row + 2 },
      h(
        "div",
        { class: "grid-head", role: "rowheader", "aria-colindex": 1, lang: "en" },
        katakana ? uPlus(Number.parseInt(rows[row], 16)) : rows[row],
        h("small", {}, String(row * columns.length)),
      ),
    );
    element.style.top = `${HEAD.height + row * CELL.height}rem`;
    return element;
  }

  #columnHead(column) {
    const name = this.#index.columns[column];
    const attributes = { class: "grid-column", role: "columnheader", "aria-colindex": column + 2 };
    const element = h("div", attributes, name, name.startsWith("+") ? null : h("small", {}, `+${column}`));
    element.style.left = `${HEAD.width + column * CELL.width}rem`;
    return element;
  }

  #cell(pointer, column) {
    const index = this.#index;
    const codePoint = index.codePointOf(pointer);
    const classes = classify(index, pointer);
    const element = h("div", {
      class: ["cell", classes.form, classes.contiguous && "contiguous", ...classes.marks].filter(Boolean).join(" "),
      role: "gridcell",
      "aria-colindex": column + 2,
      "aria-label": labelOf(index, pointer, classes),
      tabindex: pointer === this.current ? 0 : -1,
      "data-pointer": pointer,
    });
    element.style.left = `${HEAD.width + column * CELL.width}rem`;
    if (pointer === this.current) element.setAttribute("aria-selected", "true");
    if (codePoint >= 0) {
      const { text, isShort } = glyph(codePoint);
      element.append(
        h(
          "span",
          { class: isShort ? "glyph short" : "glyph", "aria-hidden": "true" },
          isShort && text === "private" ? "" : text,
        ),
        " ",
        h("small", { "aria-hidden": "true" }, hex4(codePoint)),
      );
    }
    return element;
  }

  /** Scrolls a cell to the middle if it is not visible. */
  #revealFar(pointer) {
    const { row, column } = this.#positionOf(pointer);
    const view = this.#view();
    const isIn = row >= view.row && row + 1 <= view.row + view.rows;
    if (!isIn || column < view.column || column + 1 > view.column + view.columns) this.center(row, column);
  }

  /** Scrolls a cell into view as little as needed, or to the middle if it is far away. */
  #reveal(pointer) {
    const { row, column } = this.#positionOf(pointer);
    const view = this.#view();
    const far = row < view.row - 4 || row > view.row + view.rows + 3;
    const farAside = column < view.column - 4 || column > view.column + view.columns + 3;
    if (far || farAside) {
      this.center(row, column);
      return;
    }
    const width = CELL.width * this.#rem;
    const height = CELL.height * this.#rem;
    const element = this.element;
    if (row < view.row) element.scrollTop = row * height;
    if (row + 1 > view.row + view.rows) element.scrollTop = Math.ceil((row + 1 - view.rows) * height);
    if (column < view.column) element.scrollLeft = column * width;
    if (column + 1 > view.column + view.columns) element.scrollLeft = Math.ceil((column + 1 - view.columns) * width);
  }

  #focused(pointer) {
    if (pointer === null) return;
    if (pointer !== this.current) this.go(pointer);
    this.#onCurrent(pointer);
  }

  #clicked(pointer) {
    if (pointer !== null) this.go(pointer, { focus: true });
  }

  #key(event) {
    if (pointerAt(event.target) === null || event.altKey || event.metaKey) return;
    const columns = this.#index.columns.length;
    const last = this.#index.rows.length - 1;
    const { row, column } = this.#positionOf(this.current);
    const page = Math.max(1, Math.floor(this.#view().rows) - 1);
    const to = (row, column) => Math.min(Math.max(row, 0), last) * columns + Math.min(Math.max(column, 0), columns - 1);
    const target = {
      ArrowUp: () => to(row - 1, column),
      ArrowDown: () => to(row + 1, column),
      ArrowLeft: () => to(row, column - 1),
      ArrowRight: () => to(row, column + 1),
      PageUp: () => to(row - page, column),
      PageDown: () => to(row + page, column),
      Home: () => to(event.ctrlKey ? 0 : row, 0),
      End: () => to(event.ctrlKey ? last : row, columns - 1),
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.go(target(), { focus: true });
  }
}

function pointerAt(target) {
  const cell = target.closest?.("[data-pointer]");
  return cell === null || cell === undefined ? null : Number(cell.dataset.pointer);
}

const hex4 = (codePoint) => codePoint.toString(16).toUpperCase().padStart(4, "0");

/** Returns a cell's label for screen readers. */
function labelOf(index, pointer, classes) {
  const codePoint = index.codePointOf(pointer);
  const form = index.formsOf(pointer)[0];
  const bytes = form === undefined ? "" : `bytes ${hex(form.bytes)}, `;
  if (codePoint < 0) return `${bytes}pointer ${pointer}, unmapped`;
  // The visible text comes first, so that users of voice control can say it.
  return `${glyph(codePoint).text} ${hex4(codePoint)}, ${bytes}pointer ${pointer}. ${inWords(classes)}`;
}
