// The view "Repair": bytes or mojibake in, what they may have meant out.

import { encode } from "textcodec";
import { count, field, h, size } from "../dom.js";
import { card, nameOf } from "./card.js";
import { KINDS, guess, toBytes } from "./input.js";
import { SAMPLE } from "./limits.js";
import { Tasks } from "./tasks.js";

/** Candidates that are shown at first. */
const FIRST = 6;

const EXAMPLES = [
  { title: "Shift_JIS in hex", text: "93FA 967B 8CEA 82CC 8365 834C 8358 8367 8142" },
  { title: "mojibake", text: "ÐŸÑ€Ð¸Ð²ÐµÑ‚, Ð¼Ð¸Ñ€! ZoÃ«, cafÃ©, æ—¥æœ¬èªž" },
  { title: "a broken URL", text: "%CF%F0%E8%E2%E5%F2%2C%20%EC%E8%F0%21" },
  { title: "base64 with an error", text: "xOO6w6OsysC956OhIP/E47rD" },
];

export function createRepair() {
  const view = new Repair();
  return { element: view.element, show: () => undefined };
}

class Repair {
  #tasks = new Tasks();
  #text = h("textarea", {
    name: "pasted",
    rows: 5,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "93 FA 96 7B …   or   %93%FA%96%7B   or   k/qWew==   or   æ—¥æœ¬",
    oninput: () => this.#soon(),
  });
  #kind = h(
    "select",
    { name: "kind", onchange: () => this.#text.value.trim() !== "" && this.#try(this.#pasted()) },
    h("option", { value: "" }, "guess"),
    ...Object.entries(KINDS).map(([value, title]) => h("option", { value }, title)),
  );
  #file = h("input", {
    type: "file",
    class: "visually-hidden",
    id: "file",
    onchange: () => {
      const [file] = this.#file.files;
      // So that the same file can be opened again.
      this.#file.value = "";
      if (file !== undefined) this.#try(this.#opened(file));
    },
  });
  #status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  #results = h("div", { class: "candidates" });
  #timer = 0;
  /** Which answer is still wanted: later ones make earlier ones void. */
  #run = 0;

  constructor() {
    const drop = h(
      "div",
      { class: "drop" },
      field("Paste bytes or text", this.#text, { class: "field tall" }),
      h(
        "div",
        { class: "toolbar" },
        field("It is", this.#kind),
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
        "See bytes by every encoding of the web at once, or turn mojibake back into what it was. ",
        h("strong", {}, "Everything stays in your browser"),
        ": nothing is sent, and the page’s policy forbids it.",
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
    this.#try(this.#pasted());
  }

  /** Tells of a failure, unless something else is wanted meanwhile. */
  async #try(promise) {
    const run = this.#run;
    try {
      await promise;
    } catch (error) {
      if (run === this.#run) this.#status.textContent = error.message;
    }
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#run++;
    this.#text.value = "";
    this.#status.textContent = "";
    this.#results.replaceChildren();
    this.#text.focus();
  }

  #dropped(transfer) {
    const [file] = transfer.files;
    if (file !== undefined) this.#try(this.#opened(file));
    else this.#fill(transfer.getData("text/plain"));
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#try(this.#pasted()), 250);
  }

  async #opened(file) {
    clearTimeout(this.#timer);
    this.#text.value = "";
    this.#results.replaceChildren();
    const isCut = file.size > SAMPLE;
    const what = `${file.name}, ${size(file.size)}${isCut ? ": the first MiB of it" : ""}`;
    const run = this.#start(what);
    const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer());
    if (run !== this.#run) return;
    await this.#decode(run, bytes, isCut, what, file, file.name.replace(/\.[^.]*$/, "") || "text");
  }

  async #pasted() {
    clearTimeout(this.#timer);
    const pasted = this.#text.value;
    if (pasted.trim() === "") {
      this.#clear();
      return;
    }
    const kind = this.#kind.value || guess(pasted);
    const guessed = this.#kind.value === "" ? ", by a guess" : "";
    if (kind === "text") {
      await this.#repair(pasted, guessed);
      return;
    }
    const bytes = toBytes(pasted, kind);
    if (bytes === null) {
      this.#run++;
      this.#results.replaceChildren();
      this.#status.textContent = `This is not ${KINDS[kind]}.`;
      return;
    }
    const what = `${count(bytes.length, "byte")}, read as ${KINDS[kind]}${guessed}`;
    await this.#decode(this.#start(what), bytes, false, what, new Blob([bytes]), "text");
  }

  #start(what) {
    this.#status.textContent = `${what} …`;
    return ++this.#run;
  }

  async #decode(run, bytes, isCut, what, blob, name) {
    const { candidates } = await this.#tasks.run({ task: "decodings", bytes, isCut });
    if (run !== this.#run) return;
    this.#status.textContent = `${what}: ${count(candidates.length, "different text")}. ${best(candidates)}`;
    this.#show(candidates, (candidate) => ({
      bytes,
      isCut,
      onDownload: () => this.#try(this.#download(blob, candidate.encodings[0], name)),
      onCopy:
        candidate.length <= candidate.text.length && !isCut
          ? () => this.#try(this.#copy(candidate.text))
          : undefined,
    }));
  }

  async #repair(text, guessed) {
    const what = `Text${guessed}`;
    const run = this.#start(what);
    const { own, candidates } = await this.#tasks.run({ task: "repairs", text });
    if (run !== this.#run) return;
    if (candidates.length === 0) {
      const lost = text.includes("\ufffd") ? " It has U+FFFD: there, bytes are lost for good." : "";
      const reason =
        own.characters === 0 ? "it is ASCII, which no encoding of the web spoils." : "no repair looks better than it.";
      this.#status.textContent = `${what}: ${reason}${lost}`;
    } else {
      this.#status.textContent = `${what}, score ${own.score}: ${count(candidates.length, "repair")}. ${best(candidates)}`;
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
    this.#results.replaceChildren(...cards(candidates.slice(0, FIRST)));
    const others = candidates.slice(FIRST);
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
      `Show ${others.length} less likely ones`,
    );
    this.#results.append(more);
  }

  async #copy(text) {
    if (navigator.clipboard === undefined) throw new Error("This browser does not let the page copy.");
    await navigator.clipboard.writeText(text);
    this.#status.textContent = "Copied.";
  }

  async #download(blob, encoding, name) {
    this.#status.textContent = `${encoding} to UTF-8 …`;
    const task = { task: "utf-8", blob, encoding };
    const answer = await this.#tasks.run(task, (done) => {
      this.#status.textContent = `${encoding} to UTF-8: ${size(done)} of ${size(blob.size)}`;
    });
    save(answer.blob, `${name}.utf-8.txt`);
    this.#status.textContent = `${encoding} to UTF-8: ${size(answer.blob.size)} saved.`;
  }
}

const best = (candidates) => `Best: ${nameOf(candidates[0])}.`;

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function explanation() {
  const terms = [
    ["Byte order mark", "Where the bytes start with one, its encoding comes first."],
    [
      "Errors",
      "Malformed bytes, each of which is U+FFFD in the text: 2 points off for each per cent, and 5 if there are any.",
    ],
    ["Common", "Characters that are frequent in some language: 0.6 points for each per cent."],
    [
      "Odd neighbours",
      "Two scripts or a symbol in a word, accents side by side, uppercase behind lowercase: 1.5 points off.",
    ],
    ["Controls, private, unassigned", "What people seldom write: 3 points off."],
    ["Structure", "Bytes are well-formed UTF-8 or ISO-2022-JP hardly ever by chance: 35 points if they are."],
  ];
  return h(
    "details",
    { class: "how" },
    h("summary", {}, "How texts are ranked"),
    h(
      "p",
      {},
      "A score from 0 to 100 says how much the result looks like text. It starts from 40, and goes by the characters ",
      "beyond ASCII; text in ASCII alone has 100. It is a guess: your eyes are better.",
    ),
    h("dl", {}, ...terms.flatMap(([term, meaning]) => [h("dt", {}, term), h("dd", {}, meaning)])),
  );
}
