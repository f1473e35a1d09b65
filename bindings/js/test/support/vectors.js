// What the oracle says: `npm run vectors` writes it, vectors/src/main.rs says how it is laid out.

import { readJson } from "./package.js";
import { bytes } from "./tools.js";

let loaded;

/** All encodings, and functions that give the string, or the bytes, at a place of the pool. */
export async function vectors() {
  if (loaded === undefined) {
    const { encodings, pool } = await readJson("generated/vectors.json");
    loaded = { encodings, string: (place) => pool[place], bytes: (place) => bytes(pool[place]) };
  }
  return loaded;
}

/** The inputs of a grid, row by row: the bytes, the text, and the number of errors. */
export function* inputsOf({ symbols, length, rows }, string) {
  const all = symbols.map((symbol) => bytes(symbol));
  const perRow = length === 1 ? all.length : all.length ** (length - 1);
  for (let row = 0, number = 0; row < rows.length; row++) {
    const [texts, units, errors] = rows[row].map(string);
    for (let n = 0, at = 0; n < perRow; n++, number++) {
      const parts = [];
      for (let place = length - 1; place >= 0; place--) parts.push(all[Math.floor(number / all.length ** place) % all.length]);
      const input = parts.length === 1 ? parts[0] : new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      if (parts.length > 1) parts.reduce((from, part) => (input.set(part, from), from + part.length), 0);
      const end = at + parseInt(units[n], 36);
      yield { input, text: texts.slice(at, end), errors: parseInt(errors[n], 36) };
      at = end;
    }
  }
}
