// The view "Try the API": examples that can be changed and run.
//
// What is typed runs in a frame with a policy and an origin of its own, so that this page's policy need not allow to
// evaluate text.

import { h } from "../dom.js";
import { EXAMPLES } from "./examples.js";

/** Code that runs longer is stopped, in milliseconds. */
const LIMIT = 10_000;
/** Lines that are shown. */
const LINES = 1000;

export function createApi() {
  const view = new Api();
  return { element: view.element, show: ([id]) => view.show(id), hide: () => view.hide() };
}

class Api {
  #example;
  /** What was typed, by example. */
  #typed = new Map();
  #frame;
  #isReady = false;
  #wanted;
  #run = 0;
  #timer = 0;
  #nav = h("nav", { class: "tabs", "aria-label": "Examples" });
  #about = h("p", { class: "note" });
  #editor = h("textarea", {
    class: "editor",
    id: "code",
    rows: 24,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    wrap: "off",
    onkeydown: (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#start();
    },
  });
  #output = h("div", { class: "output", role: "log", "aria-label": "Console", tabindex: 0 });
  #state = h("p", { class: "status", role: "status" });
  #stop = h("button", { type: "button", class: "quiet", disabled: true, onclick: () => this.#end("Stopped.") }, "Stop");

  constructor() {
    addEventListener("message", (event) => this.#told(event));
    this.element = h(
      "div",
      { class: "view api" },
      h("h1", { tabindex: -1 }, "Try the API"),
      h(
        "p",
        { class: "lead" },
        "The standard’s examples, written anew, to change and run. ",
        "The code runs in a frame without a network, apart from this page.",
      ),
      this.#nav,
      this.#about,
      h(
        "div",
        { class: "api-panes" },
        h(
          "div",
          {},
          h(
            "div",
            { class: "pane-head" },
            h("label", { for: "code", class: "pane-title" }, "Code"),
            h("span", { class: "hint keys" }, "Ctrl+Enter runs it"),
            h("button", { type: "button", class: "quiet", onclick: () => this.#reset() }, "Reset"),
            this.#stop,
            h("button", { type: "button", onclick: () => this.#start() }, "Run"),
          ),
          this.#editor,
        ),
        h(
          "div",
          {},
          h("div", { class: "pane-head" }, h("h2", { class: "pane-title" }, "Console"), this.#state),
          this.#output,
        ),
      ),
    );
  }

  show(id) {
    const example = EXAMPLES.find((example) => example.id === id) ?? EXAMPLES[0];
    if (this.#example !== example) {
      if (this.#example !== undefined) this.#typed.set(this.#example, this.#editor.value);
      this.#example = example;
      this.#editor.value = this.#typed.get(example) ?? example.code;
      this.#about.textContent = example.about;
      this.#end("");
      this.#output.replaceChildren();
      this.#nav.replaceChildren(
        ...EXAMPLES.map(({ id, title }) =>
          h("a", { href: `#api/${id}`, "aria-current": id === example.id ? "true" : undefined }, title),
        ),
      );
    }
    return `${example.title}, API`;
  }

  /** Outside the page the frame is unloaded: it goes, with what runs in it. */
  hide() {
    if (!this.#stop.disabled) this.#end("Stopped.");
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isReady = false;
  }

  #reset() {
    this.#editor.value = this.#example.code;
    this.#output.replaceChildren();
    this.#end("");
  }

  #start() {
    this.#end("Running …");
    this.#output.replaceChildren();
    this.#stop.disabled = false;
    this.#wanted = { run: ++this.#run, code: this.#editor.value };
    this.#timer = setTimeout(() => this.#end(`Stopped after ${LIMIT / 1000} seconds.`), LIMIT);
    if (this.#frame === undefined) {
      this.#frame = h("iframe", {
        src: "sandbox.html",
        sandbox: "allow-scripts",
        title: "Where typed code runs",
        hidden: true,
      });
      this.element.append(this.#frame);
    }
    this.#send();
  }

  #send() {
    if (!this.#isReady || this.#wanted === undefined) return;
    // The frame's origin is opaque: it has no name.
    this.#frame.contentWindow.postMessage(this.#wanted, "*");
    this.#wanted = undefined;
  }

  #end(message) {
    clearTimeout(this.#timer);
    this.#run++;
    this.#wanted = undefined;
    this.#stop.disabled = true;
    this.#state.textContent = message;
    if (this.#isReady) this.#frame.contentWindow.postMessage({}, "*");
  }

  #told({ source, data }) {
    if (this.#frame === undefined || source !== this.#frame.contentWindow) return;
    if (data.ready) {
      this.#isReady = true;
      this.#send();
    } else if (data.run === this.#run) {
      if (data.done) this.#done();
      else this.#write(data);
    }
  }

  #write({ level, text }) {
    const lines = this.#output.childElementCount;
    if (lines < LINES) this.#output.append(h("div", { class: level }, text));
    else if (lines === LINES) this.#output.append(h("div", { class: "warn" }, "More lines are not shown."));
  }

  #done() {
    clearTimeout(this.#timer);
    this.#stop.disabled = true;
    this.#state.textContent = "Done.";
  }
}
