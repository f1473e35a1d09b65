// `npm run compare-iconv-lite`: prints how the iconv-lite entry differs from iconv-lite itself, by encoding and by
// rule, with examples. Arguments name encodings.

import original from "iconv-lite";
import { RULES } from "./support/iconv-lite-rules.js";
import { differencesIn, rootsOf } from "./support/iconv-lite-differences.js";
import ours from "../dist/iconv-lite-node.js";

const EXAMPLES = 4;
const wanted = process.argv.slice(2);

const shown = (string) =>
  JSON.stringify(string).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const short = (string) => (string.length > 40 ? `${string.slice(0, 40)}…` : string);

let unexplained = 0;
for (const encoding of rootsOf(original)) {
  if (wanted.length > 0 && !wanted.includes(encoding)) continue;
  const groups = new Map();
  for (const difference of differencesIn(encoding, ours, original)) {
    const rule = RULES.find(({ is }) => is(difference))?.name ?? "UNEXPLAINED";
    const group = `${difference.what}, ${rule}`;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(difference);
    if (rule === "UNEXPLAINED") unexplained++;
  }
  for (const [group, list] of groups) {
    const step = Math.max(Math.floor(list.length / EXAMPLES), 1);
    const examples = list.filter((_, n) => n % step === 0).slice(0, EXAMPLES);
    const texts = examples.map(
      ({ input, theirs, ours }) => `${shown(input)}: ${short(shown(theirs))} → ${short(shown(ours))}`,
    );
    console.log(`${encoding}: ${group}: ${list.length}: ${texts.join(", ")}`);
  }
}
console.log(`${unexplained} unexplained differences`);
process.exitCode = unexplained === 0 ? 0 : 1;
