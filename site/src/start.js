// The landing view: what this is, how to install it, and the three tools.

import { h } from "./dom.js";

/** How to install it for each language. The readme of each package has the same commands. */
const INSTALL = [
  ["Rust", "cargo add textcodec"],
  ["Command line", "cargo install textcodec-cli"],
  ["JavaScript", `npm install ${PACKAGE}`],
  ["Python", "pip install textcodec"],
  ["C and C++", "cargo xtask c install --prefix /usr/local"],
];

const DOORS = [
  {
    href: "#lookup",
    title: "Look up",
    text: "A character’s bytes in every encoding, and what bytes mean in every encoding.",
    sample: "€ → 80, A4, E2 82 AC",
  },
  {
    href: "#repair",
    title: "Repair",
    text: "Text that is garbled, escaped, or in an unknown encoding becomes readable.",
    sample: "cafÃ© → café",
  },
  {
    href: "#api",
    title: "Try the API",
    text: "Examples in JavaScript that you can change and run in your browser.",
    sample: 'decode(bytes, "shift_jis")',
  },
];

export function createStart() {
  const element = h(
    "div",
    { class: "view start" },
    h("h1", { tabindex: -1 }, "Text in any encoding of the web"),
    h(
      "p",
      { class: "lead what" },
      "textcodec converts bytes in any of the web’s 40 encodings to Unicode text, and back. It gives exactly the text that ",
      "browsers show, because it implements the ",
      h("a", { href: "https://encoding.spec.whatwg.org/" }, "Encoding Standard"),
      ", and it says which bytes were malformed. It is a library for Rust, JavaScript, Python and C, and a program for ",
      "the command line.",
    ),
    h(
      "ul",
      { class: "doors", "aria-label": "Tools" },
      ...DOORS.map(({ href, title, text, sample }) =>
        h(
          "li",
          {},
          h("h2", {}, h("a", { href }, title)),
          h("p", {}, text),
          h("p", { class: "sample-line" }, h("code", {}, sample)),
        ),
      ),
    ),
    h("h2", {}, "Install"),
    h(
      "dl",
      { class: "install" },
      ...INSTALL.map(([language, command]) => h("div", {}, h("dt", {}, language), h("dd", {}, h("code", {}, command)))),
    ),
    h(
      "p",
      { class: "note" },
      "The command for C and C++ runs in a copy of the repository, and needs Rust and a C compiler.",
    ),
  );
  return { element, show: () => undefined };
}
