// The test vectors of the oracle. `npm run vectors` writes them, and vectors/src/main.rs documents the format.

import { readJson } from "./package.js";
import { bytes } from "./tools.js";

let loaded;

/** Returns all encodings, and functions that return the string or the bytes at an index of the pool. */
export async function vectors() {
  if (loaded === undefined) {
    const { encodings, pool } = await readJson("generated/vectors.json");
    loaded = { encodings, string: (index) => pool[index], bytes: (index) => bytes(pool[index]) };
  }
  return loaded;
}

/** Yields the inputs of a grid, row by row: the bytes, the text, and the number of errors. */
export function* inputsOf({ symbols, length, rows }, string) {
  const all = symbols.map((symbol) => bytes(symbol));
  const perRow = length === 1 ? all.length : all.length ** (length - 1);
  for (let row = 0, number = 0; row < rows.length; row++) {
    const [texts, units, errors] = rows[row].map(string);
    for (let n = 0, at = 0; n < perRow; n++, number++) {
      const parts = [];
      for (let n = length - 1; n >= 0; n--) parts.push(all[Math.floor(number / all.length ** n) % all.length]);
      const input = parts.length === 1 ? parts[0] : new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      if (parts.length > 1) parts.reduce((from, part) => (input.set(part, from), from + part.length), 0);
      const end = at + parseInt(units[n], 36);
      yield { input, text: texts.slice(at, end), errors: parseInt(errors[n], 36) };
      at = end;
    }
  }
}
