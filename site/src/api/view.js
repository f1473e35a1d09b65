// The view "Try the API": examples that the user can change and run.
//
// The user's code runs in a frame with a separate policy and origin, so that the policy of this page can forbid
// evaluating text as code.

import { h, visible } from "../dom.js";
import { EXAMPLES } from "./examples.js";
import { LINE_LIMIT, TIME_LIMIT } from "./limits.js";

const STOPPED = "The frame with the code was removed.";

export function createApi() {
  const view = new Api();
  return { element: view.element, show: ([id]) => view.show(id), hide: () => view.hide() };
}

class Api {
  #example;
  /** The code as the user changed it, by example. */
  #edited = new Map();
  #frame;
  #isReady = false;
  /** The message to send when the frame is ready. */
  #pending;
  #run = 0;
  #timer = 0;
  #nav = h("nav", { class: "tabs", "aria-label": "Examples" });
  #about = h("p", { class: "note" });
  #editor = h("textarea", {
    class: "editor",
    id: "code",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    onkeydown: (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#start();
    },
  });
  #output = h("div", { class: "output", role: "log", "aria-label": "Console", tabindex: 0 });
  #state = h("p", { class: "status", role: "status" });
  #stop = h(
    "button",
    { type: "button", class: "quiet", disabled: true, onclick: () => this.#stopped("Stopped.") },
    "Stop",
  );

  constructor() {
    addEventListener("message", (event) => this.#onMessage(event));
    this.element = h(
      "div",
      { class: "view api" },
      h("h1", { tabindex: -1 }, "Try the API"),
      h(
        "p",
        { class: "lead" },
        "Examples of the JavaScript API, based on those in the Encoding Standard. Change them and run them: ",
        "the code runs separately from this page and has no network access.",
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
            h("button", { type: "button", class: "quiet", onclick: () => this.#reset() }, "Reset"),
          ),
          this.#editor,
          h(
            "div",
            { class: "actions" },
            h("button", { type: "button", onclick: () => this.#start() }, "Run"),
            this.#stop,
            this.#state,
            h("span", { class: "hint keys" }, "Ctrl+Enter to run"),
          ),
        ),
        h("div", {}, h("div", { class: "pane-head" }, h("h2", { class: "pane-title" }, "Console")), this.#output),
      ),
    );
  }

  show(id) {
    const example = EXAMPLES.find((example) => example.id === id) ?? EXAMPLES[0];
    if (this.#example !== example) {
      if (this.#example !== undefined) this.#edited.set(this.#example, this.#editor.value);
      this.#example = example;
      this.#editor.value = this.#edited.get(example) ?? example.code;
      this.#about.textContent = example.about;
      this.#halt();
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

  hide() {
    this.#halt();
    // Browsers load a frame again when its view returns, so that a message to it would be lost.
    this.#removeFrame();
  }

  #reset() {
    this.#editor.value = this.#example.code;
    this.#output.replaceChildren();
    this.#halt();
    this.#end("");
  }

  #start() {
    this.#halt();
    this.#end("Running …");
    this.#output.replaceChildren();
    this.#stop.disabled = false;
    this.#pending = { run: ++this.#run, code: this.#editor.value };
    this.#timer = setTimeout(() => this.#stopped(`Stopped after ${TIME_LIMIT / 1000} seconds.`), TIME_LIMIT);
    if (this.#frame === undefined) {
      this.#frame = h("iframe", {
        src: "sandbox.html",
        sandbox: "allow-scripts",
        title: "Code runner",
        hidden: true,
      });
      this.element.append(this.#frame);
    }
    this.#send();
    // On a phone, the console is below the button.
    this.#output.scrollIntoView({ block: "nearest" });
  }

  /** Ends code that is running, and says so. */
  #halt() {
    if (!this.#stop.disabled) this.#stopped("Stopped.");
  }

  #stopped(why) {
    this.#end(`${why} ${STOPPED}`);
    this.#removeFrame();
  }

  /**
   * Removes the frame, and with it the code: browsers end the workers of a frame that leaves the document, whatever the
   * code does.
   */
  #removeFrame() {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isReady = false;
  }

  #send() {
    if (!this.#isReady || this.#pending === undefined) return;
    // The frame's origin is opaque, so it cannot be named.
    this.#frame.contentWindow.postMessage(this.#pending, "*");
    this.#pending = undefined;
  }

  #end(message) {
    clearTimeout(this.#timer);
    this.#run++;
    this.#pending = undefined;
    this.#stop.disabled = true;
    this.#state.textContent = message;
  }

  #onMessage({ source, data }) {
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
    if (lines < LINE_LIMIT) this.#output.append(h("div", { class: level }, visible(text)));
    else if (lines === LINE_LIMIT) this.#output.append(h("div", { class: "warn" }, "Further lines are not shown."));
  }

  #done() {
    clearTimeout(this.#timer);
    this.#stop.disabled = true;
    this.#state.textContent = "Done.";
  }
}
