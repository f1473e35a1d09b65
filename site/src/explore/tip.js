// A short form of the details, next to the selected cell. It is shown where the details are out of sight, as on a phone.

import { h, hex, uPlus } from "../dom.js";
import { nameElement } from "../names.js";
import { glyph } from "../unicode.js";

export class Tip {
  /** @param {HTMLElement} details the details, which have the same content for screen readers */
  constructor(details) {
    this.details = details;
    this.element = h("div", { class: "tip", hidden: true, "data-part": "tip" });
  }

  hide() {
    this.element.hidden = true;
  }

  /** Shows the tip for a pointer, below or above an element, if the details are out of sight. */
  show(index, pointer, anchor) {
    this.hide();
    const { top, bottom } = this.details.getBoundingClientRect();
    if (anchor === null || (bottom > 120 && top < innerHeight - 120)) return;
    this.element.replaceChildren(
      ...content(index, pointer),
      h(
        "button",
        { type: "button", class: "link", onclick: () => this.details.scrollIntoView({ block: "center" }) },
        "All details",
      ),
    );
    this.element.hidden = false;
    this.#place(anchor.getBoundingClientRect());
  }

  #place(anchor) {
    const { style, offsetWidth, offsetHeight, offsetParent } = this.element;
    const box = offsetParent.getBoundingClientRect();
    const left = Math.min(Math.max(anchor.left - box.left, 0), box.width - offsetWidth);
    const isAbove = anchor.bottom + offsetHeight + 8 > innerHeight;
    style.left = `${Math.max(0, left)}px`;
    style.top = `${(isAbove ? anchor.top - offsetHeight - 8 : anchor.bottom + 8) - box.top}px`;
  }
}

function content(index, pointer) {
  const codePoint = index.codePointOf(pointer);
  const forms = index
    .formsOf(pointer)
    .map(({ encoding, bytes }) => h("li", {}, h("code", {}, hex(bytes)), ` ${encoding}`));
  const head =
    codePoint < 0
      ? [h("strong", {}, "Unmapped")]
      : [
          h("span", { class: "glyph", lang: index.language }, glyph(codePoint).text),
          h("strong", {}, uPlus(codePoint)),
          " ",
          nameElement(codePoint),
        ];
  return [h("p", {}, ...head), h("ul", {}, ...forms)];
}
