// `node bench/cells.mjs '{"kind": 6, …}'`: measures one text of texts.mjs in a separate process, so that the engine's
// optimisations for other encodings have no influence. Prints a line of JSON per cell.

import { Buffer } from "node:buffer";
import process from "node:process";
import { measure } from "mitata";
import { peersFor } from "./peers.mjs";
import { SIZES, TEXTS, make } from "./texts.mjs";

const { kind: number, corpus, quick, rounds, milliseconds } = JSON.parse(process.argv[2]);
const kind = TEXTS[number];

/** Depends on every result, so that the engine cannot skip the work. */
let sink = 0;

/** Reads from a result. This also makes the engine flatten a string that consists of parts. */
const touch = {
  decode: (string) => string.charCodeAt(string.length >> 1),
  encode: (bytes) => bytes[bytes.length >> 1],
};

function isEqual(a, b) {
  return typeof a === "string" ? a === b : Buffer.compare(a, b) === 0;
}

/** Returns whether a peer gives a result, whether that differs from the expected one, and how long it took, in milliseconds. */
function check(act, input, expected) {
  const start = performance.now();
  let actual;
  try {
    actual = act(input);
  } catch {
    // The peer does not have all characters.
  }
  const took = performance.now() - start;
  const isAble = actual !== undefined;
  return { isAble, isWrong: !isAble || !isEqual(expected, actual), took };
}

/** Calls that take longer than this, in milliseconds, are not repeated. */
const SLOW = 250;

const OPTIONS = { gc: false, min_samples: 5, batch_samples: 256, batch_threshold: 5000 };

/** Returns the median of one round, in nanoseconds per call. */
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
    const checks = Object.fromEntries(Object.entries(peers).map(([name, act]) => [name, check(act, input, expected)]));
    const wrong = Object.keys(peers).filter((name) => checks[name].isWrong);
    const ns = {};
    // Peers are interleaved, and the best round of each counts, so that other load on the machine affects all of them.
    for (let round = 0; round < rounds && !quick; round++) {
      for (const [name, act] of Object.entries(peers)) {
        if (!checks[name].isAble) continue;
        if (ns[name] > 10 * ns.textcodec) continue; // so slow that more rounds are not needed
        if (checks[name].took > SLOW) ns[name] = checks[name].took * 1e6;
        else ns[name] = Math.min(ns[name] ?? Infinity, await time(act, touch[direction], input));
      }
    }
    const script = kind.ascii ? "ASCII" : "";
    console.log(JSON.stringify({ encoding: kind.encoding, script, size, bytes: bytes.length, direction, wrong, ns }));
  }
}

if (sink === 0.5) console.log(sink);
