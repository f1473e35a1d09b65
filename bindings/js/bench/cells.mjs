// `node bench/cells.mjs '{"kind": 6, …}'`: measures one text of texts.mjs in a process of its own, so that what the
// engine has learnt from other encodings plays no part. Prints a line of JSON a cell.

import { measure } from "mitata";
import { peersFor } from "./peers.mjs";
import { SIZES, TEXTS, make } from "./texts.mjs";

const { kind: number, corpus, quick, rounds, milliseconds } = JSON.parse(process.argv[2]);
const kind = TEXTS[number];

/** Results end up here, so that they are really made. */
let sink = 0;

/** Looks at a result; a string made of parts becomes one by that. */
const touch = {
  decode: (string) => string.charCodeAt(string.length >> 1),
  encode: (bytes) => bytes[bytes.length >> 1],
};

function isEqual(a, b) {
  return typeof a === "string" ? a === b : Buffer.compare(a, b) === 0;
}

/** The outcome of a peer on this input, for comparison; one that throws differs. */
function differs(act, input, expected) {
  try {
    return !isEqual(expected, act(input));
  } catch {
    return true;
  }
}

const OPTIONS = { gc: false, min_samples: 5, batch_samples: 256, batch_threshold: 5000 };

/** Nanoseconds a call: the median of this round. */
async function time(act, touch, input) {
  const { p50 } = await measure(
    () => {
      sink ^= touch(act(input));
    },
    { ...OPTIONS, min_cpu_time: milliseconds * 1e6 },
  );
  return p50;
}

for (const [size, length] of Object.entries(SIZES)) {
  if (quick && length > 4096) continue;
  const { text, bytes } = make(kind, length, corpus);
  for (const direction of ["decode", "encode"]) {
    const [input, expected] = direction === "decode" ? [Buffer.from(bytes), text] : [text, bytes];
    const peers = peersFor(direction, kind.encoding);
    const wrong = Object.keys(peers).filter((name) => differs(peers[name], input, expected));
    const ns = {};
    // All peers in turns, and the best round of each: what else the machine does hits all of them.
    for (let round = 0; round < rounds && !quick; round++) {
      for (const [name, act] of Object.entries(peers)) {
        if (wrong.includes(name) && !isAble(act, input)) continue;
        if (ns[name] > 10 * ns.textcodec) continue; // clear enough
        ns[name] = Math.min(ns[name] ?? Infinity, await time(act, touch[direction], input));
      }
    }
    const script = kind.ascii ? "ASCII" : "";
    console.log(JSON.stringify({ encoding: kind.encoding, script, size, bytes: bytes.length, direction, wrong, ns }));
  }
}

function isAble(act, input) {
  try {
    return act(input) !== undefined;
  } catch {
    return false;
  }
}

if (sink === 0.5) console.log(sink);
