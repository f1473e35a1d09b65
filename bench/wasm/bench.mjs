// Measures engines that are compiled to WebAssembly, and TextDecoder, interleaved in one process:
//
//   node --no-liftoff bench.mjs CELLS PASSES NAME[@LEVEL]=MODULE…
//
// CELLS are lines of JSON that the benchmark writes (`src/emit.rs`). The interface of the modules is that of the crate
// bench-abi, whose structures have fields of four bytes here. Prints a table in Markdown.
import { readFile } from "node:fs/promises";

const [, , file, passes, ...modules] = process.argv;
const cells = (await readFile(file, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
const FAILED = 0xffffffff;
// The operations with a string as output.
const TO_UTF16 = [1, 6];
// The minimum duration of a pass in milliseconds, and the time for which an engine runs before it is measured.
const PASS = 0.5;
const WARM_UP = 20;

class Engine {
  constructor(name, exports) {
    Object.assign(this, { name, exports, table: exports.__indirect_function_table });
    const level = this.store(new TextEncoder().encode(name.split("@")[1] ?? "scalar"));
    const engine = this.room(12);
    if (!exports.bench_engine(level.at, level.length, engine)) throw new Error(`${name} does not start`);
    [this.openCall] = this.words(engine + 8, 1);
  }

  // Memory that the module's allocator does not use. It is never freed.
  room(length) {
    const memory = this.exports.memory;
    return memory.grow(Math.ceil(length / 65536)) * 65536;
  }

  store(bytes) {
    const at = this.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
    return { at, length: bytes.length };
  }

  words(at, count) {
    return new Uint32Array(this.exports.memory.buffer, at, count);
  }

  // Returns a function that converts all inputs of a cell, and one that checks the outputs.
  open(cell) {
    const encoding = this.store(new TextEncoder().encode(cell.encoding));
    const [job, call] = [this.room(24), this.room(20)];
    this.words(job, 6).set([cell.operation, 0, encoding.at, encoding.length, cell.chunk, 0]);
    if (!this.table.get(this.openCall)(job, call)) return undefined;
    const [index, , state] = this.words(call, 3);
    const run = this.table.get(index);
    const src = this.store(Buffer.concat(cell.inputs));
    const longest = Math.max(...cell.inputs.map((input) => input.length));
    const capacity = 5 * longest + 64;
    const dst = this.room(2 * capacity);
    let at = src.at;
    const parts = cell.inputs.map((input) => ({ at: (at += input.length) - input.length, length: input.length / cell.unitIn }));
    const convert = () => {
      for (const part of parts) run(state, part.at, part.length, dst, capacity);
    };
    const check = () =>
      parts.every((part, index) => {
        const written = run(state, part.at, part.length, dst, capacity) >>> 0;
        if (written === FAILED) return false;
        if (cell.name.startsWith("validate")) return written === part.length;
        const output = Buffer.from(this.exports.memory.buffer, dst, written * cell.unitOut);
        return output.equals(cell.outputs[index]);
      });
    return { convert, check };
  }
}

const textDecoder = {
  name: "TextDecoder",
  open(cell) {
    if (!TO_UTF16.includes(cell.operation)) return undefined;
    const decoder = new TextDecoder(cell.encoding || "utf-8", { ignoreBOM: true });
    // The bytes are not in a pool, as those of the other engines are not.
    const inputs = cell.inputs.map((input) => new Uint8Array(input));
    const convert = () => {
      for (const input of inputs) decoder.decode(input);
    };
    const check = () =>
      inputs.every((input, index) => Buffer.from(decoder.decode(input), "utf16le").equals(cell.outputs[index]));
    return { convert, check };
  },
};

function time(convert, repeats) {
  const start = performance.now();
  for (let count = 0; count < repeats; count++) convert();
  return performance.now() - start;
}

function median(values) {
  values.sort((a, b) => a - b);
  return values[values.length >> 1];
}

// Returns the median time of each engine for all inputs of a cell, in nanoseconds.
function measure(cell) {
  const contenders = [];
  for (const engine of engines) {
    const call = engine.open(cell);
    if (!call) continue;
    if (!call.check()) {
      console.error(`${engine.name} left out, because its output differs: ${cell.name}`);
      continue;
    }
    for (const start = performance.now(); performance.now() - start < WARM_UP; ) call.convert();
    const repeats = Math.max(1, Math.ceil(PASS / (time(call.convert, 4) / 4)));
    contenders.push({ ...call, name: engine.name, repeats, times: [] });
  }
  for (let pass = 0; pass < passes; pass++) {
    for (const { convert, repeats, times } of contenders) times.push((1e6 * time(convert, repeats)) / repeats);
  }
  return new Map(contenders.map(({ name, times }) => [name, median(times)]));
}

// Nanoseconds per call, or GB/s of input.
function speed(cell, ns) {
  if (ns === undefined) return "";
  const bytes = cell.inputs.reduce((sum, input) => sum + input.length, 0);
  return cell.name.endsWith("B") && !cell.name.endsWith("KiB") ? `${(ns / cell.inputs.length).toFixed(0)} ns` : (bytes / ns).toFixed(2);
}

const engines = [];
for (const argument of modules) {
  const [name, path] = argument.split("=");
  const { instance } = await WebAssembly.instantiate(await readFile(path));
  engines.push(new Engine(name, instance.exports));
}
engines.push(textDecoder);

const names = engines.map((engine) => engine.name);
console.log(`| cell | ${names.join(" | ")} | ratio |`);
console.log(`|---|${"---:|".repeat(names.length + 1)}`);
let product = 0;
for (const cell of cells) {
  for (const part of ["inputs", "outputs"]) cell[part] = cell[part].map((text) => Buffer.from(text, "hex"));
  const times = measure(cell);
  const [ours, ...others] = names.map((name) => times.get(name));
  if (ours === undefined) throw new Error(`the library is wrong in ${cell.name}`);
  // The second engine is the library without simd128.
  const ratio = Math.min(...others.slice(1).filter((ns) => ns !== undefined)) / ours;
  product += Math.log(ratio);
  console.log(`| \`${cell.name}\` | ${names.map((name) => speed(cell, times.get(name))).join(" | ")} | ${ratio.toFixed(2)} |`);
}
console.log(`\nThe geometric mean of the ratios is ${Math.exp(product / cells.length).toFixed(2)}.`);
