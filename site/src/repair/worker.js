// What may take long, beside the page: candidates, and whole files.

import { TextDecoderStream, TextEncoderStream } from "textcodec";
import { decodings, repairs } from "./candidates.js";

/** How many bytes go by between two reports. */
const REPORT = 1 << 22;

addEventListener("message", async ({ data }) => {
  const answer = (message) => postMessage({ id: data.id, ...message });
  try {
    if (data.task === "decodings") answer({ candidates: decodings(data.bytes, data.isCut) });
    else if (data.task === "repairs") answer(repairs(data.text));
    else answer({ blob: await toUtf8(data.blob, data.encoding, (done) => answer({ done })) });
  } catch (error) {
    answer({ error: String(error) });
  }
});

/** A file's text in UTF-8: it goes through in pieces, whatever its size. */
function toUtf8(blob, encoding, report) {
  let done = 0;
  let told = 0;
  const counting = new TransformStream({
    transform(chunk, controller) {
      done += chunk.byteLength;
      if (done - told >= REPORT) {
        report(done);
        told = done;
      }
      controller.enqueue(chunk);
    },
  });
  const stream = blob
    .stream()
    .pipeThrough(counting)
    .pipeThrough(new TextDecoderStream(encoding))
    .pipeThrough(new TextEncoderStream());
  return new Response(stream, { headers: { "content-type": "text/plain;charset=utf-8" } }).blob();
}
