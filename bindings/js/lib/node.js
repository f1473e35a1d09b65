// The entry with streams for Node: `stream.Transform`s that decode and encode, with an event for each error.

import { Buffer } from "node:buffer";
import { Transform } from "node:stream";
import { Decoder, Encoder, internal } from "./core.js";

const { toOptions } = internal;

/** The options of Node's streams that have an effect here. Others would replace methods of the classes below. */
const STREAM_OPTIONS = [
  "allowHalfOpen",
  "autoDestroy",
  "emitClose",
  "highWaterMark",
  "readableHighWaterMark",
  "signal",
  "writableHighWaterMark",
];

/** Encodings of Node that do not change what a string is. With others, such as "hex", it stands for bytes. */
const TEXT = /^(utf-?8|ucs-?2|utf-?16le)$/i;

function streamOptions(options) {
  const values = STREAM_OPTIONS.map((name) => [name, options[name]]);
  const given = values.filter(([, value]) => value !== undefined);
  // Without `decodeStrings: false`, Node converts strings to bytes before they arrive here.
  return { ...Object.fromEntries(given), decodeStrings: false };
}

/** The maximum length of a part of a chunk. The reports of its errors are kept until it is converted. */
const PART = 1 << 18;

/** Passes a chunk to a coder in parts, and ends the call of a stream. */
function write(stream, coder, chunk, errors, done) {
  let failure;
  for (let from = 0; from < chunk.length && failure === undefined && !stream.destroyed; from += PART) {
    const part = chunk.length <= PART ? chunk : chunk.slice(from, from + PART);
    failure = convert(stream, () => coder.write(part), errors);
  }
  done(failure);
}

/**
 * Calls a function of a coder, and pushes its result. Returns the error if it throws. The reports of errors that it adds to
 * `reports` become events before that. Listeners are called outside of `try`, so that what they throw is not taken for an error of
 * the text.
 */
function convert(stream, call, { event, reports }) {
  let result;
  let failure;
  try {
    result = call();
  } catch (error) {
    failure = error;
  }
  for (const report of reports.splice(0)) stream.emit(event, report);
  if (failure !== undefined) return failure;
  if (typeof result === "string") stream.push(result, "utf8");
  else if (result.length > 0) stream.push(Buffer.from(result.buffer, result.byteOffset, result.length));
  return undefined;
}

/** Decodes bytes to strings. The event "malformed" has the offsets of each malformed sequence that was replaced. */
export class DecoderStream extends Transform {
  #decoder;
  #errors = { event: "malformed", reports: [] };

  constructor(label = "utf-8", options = undefined) {
    const given = toOptions(options);
    // The encoding of the readable side: with it, strings reach the consumer as they are.
    super({ ...streamOptions(given), encoding: "utf8" });
    const { bom, fatal, onMalformed } = given;
    const { reports } = this.#errors;
    this.#decoder = new Decoder(label, { bom, fatal, onMalformed: (report) => reports.push(report) });
    if (onMalformed !== undefined) this.on("malformed", onMalformed);
  }

  /** The name of the encoding: that of the byte order mark, once one was found. */
  get encoding() {
    return this.#decoder.encoding;
  }

  _transform(chunk, encoding, done) {
    if (typeof chunk === "string") {
      return done(new TypeError("A decoder needs bytes, not strings. Does its source have an encoding, which decodes them?"));
    }
    write(this, this.#decoder, chunk, this.#errors, done);
  }

  _flush(done) {
    done(convert(this, () => this.#decoder.end(), this.#errors));
  }
}

/** Encodes strings to bytes. The event "unmappable" has each character that was replaced or omitted, and its index. */
export class EncoderStream extends Transform {
  #encoder;
  #errors = { event: "unmappable", reports: [] };

  constructor(label = "utf-8", options = undefined) {
    const given = toOptions(options);
    super(streamOptions(given));
    const { unmappable, replacement, surrogates, bom, onUnmappable } = given;
    const { reports } = this.#errors;
    const report = (character) => reports.push(character);
    this.#encoder = new Encoder(label, { unmappable, replacement, surrogates, bom, onUnmappable: report });
    if (onUnmappable !== undefined) this.on("unmappable", onUnmappable);
  }

  get encoding() {
    return this.#encoder.encoding;
  }

  _transform(chunk, encoding, done) {
    if (typeof chunk !== "string" || !TEXT.test(encoding)) {
      const what = typeof chunk === "string" ? `strings in ${encoding}` : "bytes";
      return done(new TypeError(`An encoder needs text, not ${what}. Decode it first, for example with a DecoderStream.`));
    }
    write(this, this.#encoder, chunk, this.#errors, done);
  }

  _flush(done) {
    done(convert(this, () => this.#encoder.end(), this.#errors));
  }
}
