// The worker, which runs long tasks: it finds candidates, and converts whole files.

import { TextDecoderStream, TextEncoderStream } from "textcodec";
import { decodings } from "./decodings.js";
import { repairs } from "./repairs.js";

/** The number of bytes between two progress reports. */
const REPORT_INTERVAL = 1 << 22;

addEventListener("message", async ({ data }) => {
  const reply = (message) => postMessage({ id: data.id, ...message });
  try {
    if (data.task === "decodings") reply({ candidates: decodings(data.bytes, data.isCut) });
    else if (data.task === "repairs") reply(repairs(data.text));
    else reply({ blob: await toUtf8(data.blob, data.encoding, (done) => reply({ done })) });
  } catch (error) {
    reply({ error: String(error) });
  }
});

/** Converts a file to UTF-8 in chunks, so that files of any size can be converted. */
function toUtf8(blob, encoding, report) {
  let done = 0;
  let reported = 0;
  const counting = new TransformStream({
    transform(chunk, controller) {
      done += chunk.byteLength;
      if (done - reported >= REPORT_INTERVAL) {
        report(done);
        reported = done;
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
