// A small picture of the whole index, with a frame around the visible part of the table. It is hidden from screen
// readers, because the table has the same content.

import { h } from "../dom.js";
import { colours } from "../colours.js";
import { pause } from "../pause.js";
import { classify } from "./classes.js";

const NAMES = ["unmapped", "mid", "upper", "pua", "astral"];

export class Overview {
  #index;
  /** Identifies the last call of `draw`. */
  #drawing;
  #canvas;
  #frame = h("div", { class: "overview-frame" });

  /** @param {(row: number, column: number) => void} onGo */
  constructor(onGo) {
    const go = (event) => {
      if (event.buttons !== 1) return;
      const { left, top, width, height } = this.#canvas.getBoundingClientRect();
      const { rows, columns } = this.#index;
      onGo(((event.clientY - top) / height) * rows.length, ((event.clientX - left) / width) * columns.length);
    };
    this.#canvas = h("canvas", { onpointerdown: go, onpointermove: go });
    this.element = h(
      "div",
      { class: "overview", "aria-hidden": "true" },
      h("p", {}, "The whole index: click to move the table"),
      h("div", { class: "overview-picture" }, this.#canvas, this.#frame),
    );
    addEventListener("themechange", () => this.draw());
  }

  /** Prepares for another index. `draw` shows it. */
  open(index) {
    this.#index = index;
    this.#canvas.width = index.columns.length;
    this.#canvas.height = index.rows.length;
  }

  /** Marks the visible part of the table, in rows and columns. */
  mark({ row, column, rows, columns }) {
    if (this.#index === undefined) return;
    const all = this.#index;
    const { style } = this.#frame;
    const percent = (part, whole) => `${Math.min(100, (100 * part) / whole)}%`;
    style.left = percent(column, all.columns.length);
    style.top = percent(row, all.rows.length);
    style.width = percent(Math.min(columns, all.columns.length - column), all.columns.length);
    style.height = percent(Math.min(rows, all.rows.length - row), all.rows.length);
  }

  /** Draws the picture, unless this is called again in the meantime. */
  async draw() {
    const index = this.#index;
    if (index === undefined || index.ranges) return;
    const drawing = (this.#drawing = {});
    const colour = colours(...NAMES.map((name) => `p-${name}`), "p-duplicate", "p-compatibility", "p-ext");
    const context = this.#canvas.getContext("2d");
    const columns = index.columns.length;
    for (let row = 0; row < index.rows.length; row++) {
      await pause();
      if (drawing !== this.#drawing) return;
      const image = context.createImageData(columns, 1);
      const pixels = new Uint32Array(image.data.buffer);
      for (let column = 0; column < columns; column++) {
        const { form, marks } = classify(index, row * columns + column);
        pixels[column] = colour[`p-${marks[0] ?? form}`];
      }
      context.putImageData(image, 0, row);
    }
  }
}
