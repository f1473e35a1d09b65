// The view "Repair": takes bytes or garbled text, and shows what the text may have been.

import { encode } from "textcodec";
import { count, field, h, shown, size, withoutControls } from "../dom.js";
import { card, nameOf } from "./card.js";
import { KINDS, guess, toBytes, toText } from "./input.js";
import { SAMPLE } from "./limits.js";
import { Tasks } from "./tasks.js";
import { explanation } from "./words.js";

/** The number of candidates that are shown at first. */
const FIRST_COUNT = 6;

const EXAMPLES = [
  { title: "Shift_JIS in hexadecimal", text: "93FA 967B 8CEA 82CC 8365 834C 8358 8367 8142" },
  { title: "garbled text", text: "ÐŸÑ€Ð¸Ð²ÐµÑ‚, Ð¼Ð¸Ñ€! ZoÃ«, cafÃ©, æ—¥æœ¬èªž" },
  { title: "part of a URL", text: "%CF%F0%E8%E2%E5%F2%2C%20%EC%E8%F0%21" },
  { title: "base64 with an error", text: "xOO6w6OsysC956OhIP/E47rD" },
  { title: "half garbled text", text: "Müller – MÃ¼ller, voilÃ  la cafÃ© 😀" },
  { title: "the subject of a mail", text: "=?windows-1251?B?z/Do4uXyLCDs6PAh?=" },
  { title: "a hexdump", text: "00000000: 5a6f c3ab 2c20 6e61 c3af 7665 0a        Zo.., na..ve." },
];

export function createRepair() {
  const view = new Repair();
  return { element: view.element, show: () => undefined };
}

class Repair {
  /** Finds candidates. Downloads have another worker, because later input ends the search but no download. */
  #search = new Tasks();
  #downloads = new Tasks();
  #text = h("textarea", {
    name: "pasted",
    rows: 5,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "cafÃ©   or   93 FA 96 7B   or   %93%FA   or   caf=C3=A9   or   &#233;",
    oninput: () => this.#schedule(),
  });
  #kind = h(
    "select",
    { name: "kind", onchange: () => this.#text.value.trim() !== "" && this.#try(this.#pasted()) },
    h("option", { value: "" }, "detected automatically"),
    ...Object.entries(KINDS).map(([value, title]) => h("option", { value }, title)),
  );
  #file = h("input", {
    type: "file",
    class: "visually-hidden",
    id: "file",
    onchange: () => {
      const [file] = this.#file.files;
      // Otherwise choosing the same file again would not cause an event.
      this.#file.value = "";
      if (file !== undefined) this.#try(this.#opened(file));
    },
  });
  #status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  #results = h("div", { class: "candidates" });
  #timer = 0;
  /** The number of the latest run. Results of earlier runs are ignored. */
  #run = 0;

  constructor() {
    const drop = h(
      "div",
      { class: "drop" },
      field("Paste bytes or text", this.#text, { class: "field tall" }),
      h(
        "div",
        { class: "toolbar" },
        field("Input is", this.#kind),
        this.#file,
        h("label", { for: "file", class: "button" }, "Open a file"),
        h("span", { class: "hint" }, "or drop one here"),
        h("button", { type: "button", class: "quiet", onclick: () => this.#clear() }, "Clear"),
      ),
    );
    this.element = h(
      "div",
      {
        class: "view repair",
        ondragover: (event) => {
          event.preventDefault();
          drop.classList.add("over");
        },
        ondragleave: (event) => event.relatedTarget === null && drop.classList.remove("over"),
        ondrop: (event) => {
          event.preventDefault();
          drop.classList.remove("over");
          this.#dropped(event.dataTransfer);
        },
      },
      h("h1", { tabindex: -1 }, "Repair text"),
      h(
        "p",
        { class: "lead" },
        "An encoding says which bytes mean which characters. Text looks garbled when it is read in a different ",
        "encoding from the one it was written in: “café” becomes “cafÃ©”. Paste garbled text, bytes, or escapes such as ",
        "&#233;, or open a file. The page tries every encoding of the web and shows the most likely results first. ",
        h("strong", {}, "Everything stays in your browser"),
        ": the page sends nothing, and its security policy does not allow it to.",
      ),
      drop,
      h(
        "p",
        { class: "examples" },
        "Try: ",
        ...EXAMPLES.flatMap(({ title, text }) => [
          h("button", { type: "button", class: "link", onclick: () => this.#fill(text) }, title),
          " ",
        ]),
      ),
      this.#status,
      this.#results,
      explanation(),
    );
    this.element.addEventListener("paste", (event) => {
      const [file] = event.clipboardData.files;
      if (file === undefined) return;
      event.preventDefault();
      this.#try(this.#opened(file));
    });
  }

  #fill(text) {
    this.#text.value = text;
    this.#kind.value = "";
    this.#try(this.#pasted().then(() => this.#reveal()));
  }

  /** Scrolls to the best result after a tap, if it is out of sight. */
  #reveal() {
    this.#results.querySelector(".preview")?.scrollIntoView({ block: "nearest" });
  }

  #say(...parts) {
    this.#status.replaceChildren(...parts);
  }

  /** Shows the error of a failed promise, unless a later run has started. */
  async #try(promise) {
    const run = this.#run;
    try {
      await promise;
    } catch (error) {
      if (run === this.#run) this.#say(shown(error.message));
    }
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#next();
    this.#text.value = "";
    this.#say();
    this.#results.replaceChildren();
    this.#text.focus();
  }

  #dropped(transfer) {
    const [file] = transfer.files;
    if (file !== undefined) this.#try(this.#opened(file));
    else this.#fill(transfer.getData("text/plain"));
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#try(this.#pasted()), 250);
  }

  async #opened(file) {
    clearTimeout(this.#timer);
    this.#text.value = "";
    this.#results.replaceChildren();
    const isCut = file.size > SAMPLE;
    const what = [shown(file.name), `, ${size(file.size)}${isCut ? ", of which the first MiB is shown" : ""}`];
    const run = this.#start(what);
    const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer());
    if (run !== this.#run) return;
    await this.#decode(run, bytes, isCut, what, file, withoutControls(file.name).replace(/\.[^.]*$/, "") || "text");
    this.#reveal();
  }

  async #pasted() {
    clearTimeout(this.#timer);
    const pasted = this.#text.value;
    if (pasted.trim() === "") {
      this.#clear();
      return;
    }
    const kind = this.#kind.value || guess(pasted);
    const guessed = this.#kind.value === "" ? " (detected automatically)" : "";
    const text = toText(pasted, kind);
    if (text !== undefined) {
      await this.#repair(text, kind === "text" ? undefined : KINDS[kind], guessed);
      return;
    }
    const bytes = toBytes(pasted, kind);
    if (bytes === null) {
      this.#next();
      this.#results.replaceChildren();
      this.#say(`The input cannot be read as ${KINDS[kind]}. Choose another kind at “Input is”.`);
      return;
    }
    const what = [`${count(bytes.length, "byte")}, read as ${KINDS[kind]}${guessed}`];
    await this.#decode(this.#start(what), bytes, false, what, new Blob([bytes]), "text");
  }

  #start(what) {
    this.#say(...what, " …");
    return this.#next();
  }

  #next() {
    this.#search.stop();
    return ++this.#run;
  }

  async #decode(run, bytes, isCut, what, blob, name) {
    const { candidates } = await this.#search.run({ task: "decodings", bytes, isCut });
    if (run !== this.#run) return;
    this.#say(...what, `: ${count(candidates.length, "different result")}. ${best(candidates)}`);
    this.#show(candidates, (candidate) => ({
      bytes,
      isCut,
      onDownload: () => this.#try(this.#download(blob, candidate.encodings[0], name)),
      onCopy:
        candidate.length <= candidate.text.length && !isCut ? () => this.#try(this.#copy(candidate.text)) : undefined,
    }));
  }

  /** Repairs text. `notation` is what it was written in, if that is not text. */
  async #repair(text, notation, guessed) {
    const what = `Read as ${notation ?? "text"}${guessed}`;
    const run = this.#start([what]);
    const { own, candidates } = await this.#search.run({ task: "repairs", text });
    if (run !== this.#run) return;
    const found = count(candidates.length, "repair");
    // Without the notation, the text may be right.
    if (notation !== undefined) candidates.push({ plain: notation, text, errors: [], errorCount: 0, ...own });
    if (candidates.length === 0) {
      const lost = text.includes("\ufffd") ? " Each \ufffd replaces bytes that are lost and cannot be recovered." : "";
      const reason =
        own.characters === 0
          ? "all characters are ASCII, so there is nothing to repair."
          : "no repair looks better than the input.";
      this.#say(`${what}: ${reason}${lost}`);
    } else {
      this.#say(`${what}: ${found}. ${best(candidates)}`);
    }
    this.#show(candidates, (candidate) => ({
      bytes: null,
      isCut: false,
      onDownload: () => save(new Blob([encode(candidate.text)]), "text.utf-8.txt"),
      onCopy: () => this.#try(this.#copy(candidate.text)),
    }));
  }

  #show(candidates, contextOf) {
    const cards = (some) =>
      some.map((candidate) => card(candidate, { isBest: candidate === candidates[0], ...contextOf(candidate) }));
    this.#results.replaceChildren(...cards(candidates.slice(0, FIRST_COUNT)));
    const others = candidates.slice(FIRST_COUNT);
    if (others.length === 0) return;
    const more = h(
      "button",
      {
        type: "button",
        class: "quiet more",
        onclick: () => {
          const added = cards(others);
          more.replaceWith(...added);
          added[0].querySelector("pre").focus();
        },
      },
      `Show ${count(others.length, "less likely result")}`,
    );
    this.#results.append(more);
  }

  async #copy(text) {
    if (navigator.clipboard === undefined) throw new Error("This browser does not allow the page to copy text.");
    await navigator.clipboard.writeText(text);
    this.#say("Copied.");
  }

  async #download(blob, encoding, name) {
    this.#say(`Converting ${encoding} to UTF-8 …`);
    const task = { task: "utf-8", blob, encoding };
    const result = await this.#downloads.run(task, (done) => {
      this.#say(`Converting ${encoding} to UTF-8: ${size(done)} of ${size(blob.size)}`);
    });
    save(result.blob, `${name}.utf-8.txt`);
    this.#say(`Converted ${encoding} to UTF-8: ${size(result.blob.size)} saved.`);
  }
}

const best = (candidates) => `Best: ${nameOf(candidates[0])}.`;

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
