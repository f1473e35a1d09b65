// `node bench/oem.mjs`: the speed of the oem entry, next to iconv-lite and codepage. docs/design/npm-package.md has the figures.

import { Buffer } from "node:buffer";
import codepage from "codepage";
import iconv from "iconv-lite";
import { measure } from "mitata";
import * as textcodec from "../dist/oem.js";

const LENGTH = 1 << 16;
const ROUNDS = 5;

/** Text of each kind: mostly ASCII, or letters of the upper half. */
const TEXTS = {
  IBM437: "Größe und Maß: ça va? Naïve façades ── ",
  IBM852: "Příliš žluťoučký kůň úpěl ďábelské ódy. ",
  IBM864: "ﻞﻗﺪﻨﻋ ﻢﻜﻴﻠﻋ ﻡﻼﺴﻟﺍ ",
  IBM037: "Größe und Maß: ça va? Naïve façades, $42. ",
  IBM1025: "Съешь ещё этих мягких французских булок. ",
};

let sink = 0;

async function time(act, input) {
  const options = { gc: false, min_samples: 20, min_cpu_time: 2e8, batch_samples: 256 };
  const { p50 } = await measure(() => {
    const result = act(input);
    sink ^= typeof result === "string" ? result.charCodeAt(LENGTH >> 1) : result[LENGTH >> 1];
  }, options);
  return p50;
}

console.log(`Node ${process.versions.node}, ${LENGTH} bytes, MB/s\n`);
console.log("| | textcodec | iconv-lite | codepage |\n|---|---:|---:|---:|");
for (const [name, sample] of Object.entries(TEXTS)) {
  const { codePages, characters } = textcodec.encodingForName(name);
  const number = codePages.find((number) => codepage[number] !== undefined);
  const assigned = [...sample].filter((char) => characters.includes(char)).join("");
  const text = assigned.repeat(Math.ceil(LENGTH / assigned.length)).slice(0, LENGTH);
  const bytes = Buffer.from(textcodec.encodeOrFail(text, name));
  const hasIconv = iconv.encodingExists(`cp${number}`);
  const ways = {
    decode: [bytes, text, (input) => textcodec.decode(input, name), hasIconv && ((input) => iconv.decode(input, `cp${number}`)), (input) => codepage.utils.decode(number, input)],
    encode: [text, bytes, (input) => textcodec.encode(input, name), hasIconv && ((input) => iconv.encode(input, `cp${number}`)), (input) => codepage.utils.encode(number, input)],
  };
  for (const [way, [input, expected, ...acts]] of Object.entries(ways)) {
    const best = acts.map(() => Infinity);
    for (const act of acts.filter(Boolean)) {
      const result = act(input);
      const isRight = typeof result === "string" ? result === expected : Buffer.compare(Buffer.from(result), expected) === 0;
      if (!isRight) throw new Error(`${way} ${name}: a wrong result`);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [n, act] of acts.entries()) if (act) best[n] = Math.min(best[n], await time(act, input));
    }
    console.log(`| ${way} ${name} | ${best.map((ns) => (ns === Infinity ? "" : Math.round((LENGTH / ns) * 1000))).join(" | ")} |`);
  }
}
if (sink === 0.5) console.log(sink);
