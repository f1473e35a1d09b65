// Every difference from iconv-lite in the bytes and characters of its encodings has a rule, and
// docs/javascript-iconv-lite.md lists all of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ROOTS, iconv, original } from "./support/iconv-lite.js";
import { RULES } from "./support/iconv-lite-rules.js";
import { differencesIn } from "./support/iconv-lite-differences.js";

/** The rows of the table of differences: `[rule, encodings, sequences, characters, why]`. */
const document = readFileSync(new URL("../../../docs/javascript-iconv-lite.md", import.meta.url), "utf8");
const rows = document
  .split("\n")
  .filter((line) => /^\| .* \| .* \| \d+ \| \d+ \|/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

test("all differences are listed", () => {
  const found = new Map(RULES.map(({ name }) => [name, { encodings: new Set(), decode: 0, encode: 0 }]));
  for (const encoding of ROOTS) {
    for (const difference of differencesIn(encoding, iconv, original)) {
      const rule = RULES.find(({ is }) => is(difference));
      assert.ok(rule !== undefined, JSON.stringify(difference));
      const group = found.get(rule.name);
      group.encodings.add(encoding);
      group[difference.what]++;
    }
  }
  const shown = (encodings) =>
    encodings.size > 12 ? `${encodings.size} single-byte encodings` : [...encodings].join(", ");
  const expected = [...found].map(([name, { encodings, decode, encode }]) => [
    name,
    shown(encodings),
    `${decode}`,
    `${encode}`,
  ]);
  assert.deepEqual(
    rows.map((row) => row.slice(0, 4)),
    expected,
  );
});
