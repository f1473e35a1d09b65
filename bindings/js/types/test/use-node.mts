// Uses of the streams for Node from TypeScript. Compiled, never run.

import { Readable, Transform } from "node:stream";
import { DecoderStream, EncoderStream, type Malformed, type Unmappable } from "textcodec/node";

const errors: (Malformed | Unmappable)[] = [];
const decoder = new DecoderStream("shift_jis", { bom: "own", highWaterMark: 1024, onMalformed: ({ start }) => void start });
decoder.on("malformed", (error) => errors.push(error)).on("data", (text) => text.trim()).once("end", () => undefined);
const encoder: Transform = new EncoderStream("gbk", { unmappable: "replace", replacement: "*" }).on("unmappable", (error) => errors.push(error));
const name: string = decoder.encoding;
Readable.from([new Uint8Array(1)]).pipe(decoder).pipe(encoder);

// @ts-expect-error: an option of the encoder
new DecoderStream("gbk", { unmappable: "html" });
// @ts-expect-error: the event of the encoder has no offsets
new EncoderStream().on("unmappable", ({ start }) => start);

export { errors, name };
