// Sections 7.5 and 7.6: TextDecoderStream and TextEncoderStream.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoderStream, TextEncoderStream } from "./support/package.js";
import { bytes, detach, hex, rejects } from "./support/tools.js";

/** Writes chunks to a stream and returns the chunks that it produces. */
async function through(stream, chunks) {
  const writer = stream.writable.getWriter();
  const writing = (async () => {
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  })();
  writing.catch(() => {});
  const all = [];
  for (const reader = stream.readable.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    all.push(value);
  }
  await writing;
  return all;
}

const decoded = (label, options, chunks) => through(new TextDecoderStream(label, options), chunks.map((chunk) => bytes(chunk)));
const encoded = async (chunks) => (await through(new TextEncoderStream(), chunks)).map(hex);

/** Writes a chunk, or closes the stream, and fails unless both sides are errored with the same TypeError. */
async function endsBothSides(stream, chunk) {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const written = chunk === undefined ? writer.close() : writer.write(chunk);
  const errors = await Promise.all([
    rejects(reader.read(), TypeError, "read"),
    rejects(written, TypeError, "write"),
    rejects(reader.closed, TypeError, "closed of the readable side"),
    rejects(writer.closed, TypeError, "closed of the writable side"),
  ]);
  for (const error of errors) assert.equal(error, errors[0]);
  assert.equal(errors[0].constructor, TypeError);
}

for (const Stream of [TextDecoderStream, TextEncoderStream]) {
  describe(`${Stream.name}: readable and writable`, () => {
    test("are the platform's streams, and the same object each time", () => {
      const stream = new Stream();
      assert.instanceOf(stream.readable, ReadableStream);
      assert.instanceOf(stream.writable, WritableStream);
      assert.equal(stream.readable, stream.readable);
      assert.equal(stream.writable, stream.writable);
      assert.notEqual(stream.readable, new Stream().readable);
    });

    test("backpressure: writes wait for reads", async () => {
      const stream = new Stream();
      const writer = stream.writable.getWriter();
      const reader = stream.readable.getReader();
      const chunk = Stream === TextDecoderStream ? bytes("61") : "a";
      assert.equal(writer.desiredSize, 1);
      let written = 0;
      const writes = [1, 2, 3].map(() => writer.write(chunk).then(() => written++));
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.isAtMost(writer.desiredSize, 0);
      assert.equal(written, 0);
      await reader.read();
      await writes[0];
      assert.isAtMost(written, 2);
      await reader.read();
      await reader.read();
      await Promise.all(writes);
      assert.equal(written, 3);
    });

    test("abort and cancel propagate to the other side", async () => {
      const one = new Stream();
      const reason = new RangeError("enough");
      const reader = one.readable.getReader();
      await one.writable.abort(reason);
      assert.equal(await rejects(reader.read(), RangeError), reason);
      const two = new Stream();
      const writer = two.writable.getWriter();
      await two.readable.cancel(reason);
      assert.equal(await rejects(writer.write(""), RangeError), reason);
    });
  });
}

describe("TextDecoderStream", () => {
  test("pipeThrough, and the example of the standard", async () => {
    const source = new ReadableStream({
      start(controller) {
        for (const chunk of ["82", "a0", "41 82", "a2"]) controller.enqueue(bytes(chunk));
        controller.close();
      },
    });
    let text = "";
    await source.pipeThrough(new TextDecoderStream("shift_jis")).pipeTo(new WritableStream({ write: (chunk) => void (text += chunk) }));
    assert.equal(text, "\u3042A\u3044");
  });

  test("a chunk that decodes to no text produces no chunk", async () => {
    assert.deepEqual(await decoded("utf-8", {}, ["61 e6", "97", "", "a5 62", "c3"]), ["a", "\u65e5b", "\ufffd"]);
    assert.deepEqual(await decoded("utf-8", {}, []), []);
    assert.deepEqual(await decoded("utf-8", {}, ["", ""]), []);
    assert.deepEqual(await decoded("iso-2022-jp", {}, ["1b 24 42", "1b 28 42"]), ["\ufffd"]);
    assert.deepEqual(await decoded("iso-2022-jp", {}, ["1b 24 42", "24 22 1b 28 42", "41"]), ["\u3042", "A"]);
  });

  test("incomplete input at the end becomes U+FFFD", async () => {
    for (const [label, chunks] of [["utf-8", ["f0 9f 98"]], ["gb18030", ["81 30", "81"]], ["utf-16be", ["d8 3d"]], ["big5", ["a4"]]]) {
      assert.deepEqual(await decoded(label, {}, chunks), ["\ufffd"], label);
    }
    assert.deepEqual(await decoded("utf-16le", {}, ["3d d8", "00 de"]), ["\u{1f600}"]);
  });

  test("with fatal, incomplete input at the end errors both sides with a TypeError", async () => {
    for (const [label, chunk] of [["utf-8", "61 f0 9f 98"], ["gb18030", "41 81 30 81"], ["utf-16be", "00 41 d8 3d"], ["iso-2022-jp", "41 1b"]]) {
      const stream = new TextDecoderStream(label, { fatal: true });
      const writer = stream.writable.getWriter();
      const reader = stream.readable.getReader();
      writer.write(bytes(chunk));
      assert.equal((await reader.read()).value.length, 1, label);
      writer.releaseLock();
      reader.releaseLock();
      await endsBothSides(stream);
    }
  });

  test("with fatal, malformed input errors both sides with a TypeError, and its chunk produces no text", async () => {
    for (const [label, chunk] of [["utf-8", "61 ff 62"], ["gbk", "41 ff"], ["utf-16le", "41 00 00 dc"], ["windows-1253", "d2"]]) {
      await endsBothSides(new TextDecoderStream(label, { fatal: true }), bytes(chunk));
    }
    const stream = new TextDecoderStream("utf-8", { fatal: true });
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    writer.write(bytes("61 e6")).catch(() => {});
    assert.equal((await reader.read()).value, "a");
    const write = writer.write(bytes("41"));
    await rejects(reader.read(), TypeError);
    await rejects(write, TypeError);
    await rejects(writer.write(bytes("42")), TypeError);
  });

  test("without fatal, errors become U+FFFD", async () => {
    assert.deepEqual(await decoded("utf-8", {}, ["ff", "e6", "41"]), ["\ufffd", "\ufffdA"]);
  });

  test("a chunk that is not a buffer source errors both sides with a TypeError", async () => {
    for (const chunk of ["a", 1, null, {}, [1], Symbol(), { buffer: new ArrayBuffer(1) }]) {
      await endsBothSides(new TextDecoderStream(), chunk);
    }
    const stream = new TextDecoderStream();
    const writer = stream.writable.getWriter();
    writer.closed.catch(() => {});
    const reader = stream.readable.getReader();
    reader.closed.catch(() => {});
    const write = writer.write(undefined);
    await rejects(reader.read(), TypeError, "undefined");
    await rejects(write, TypeError, "undefined");
    const resizable = new ArrayBuffer(1, { maxByteLength: 2 });
    if (resizable.resizable) await endsBothSides(new TextDecoderStream(), resizable);
  });

  test("chunks of every type of buffer source", async () => {
    const euro = bytes("e2 82 ac 0a").buffer;
    const chunks = [euro, new DataView(euro), new Uint16Array(euro), new Uint8Array(euro, 0, 3), new Int32Array(euro)];
    if (globalThis.SharedArrayBuffer) {
      const shared = new SharedArrayBuffer(4);
      new Uint8Array(shared).set(new Uint8Array(euro));
      chunks.push(shared, new Uint8Array(shared, 0, 3), new DataView(shared));
    }
    const text = (await through(new TextDecoderStream(), chunks)).join("");
    assert.equal(text.replaceAll("\n", ""), "\u20ac".repeat(chunks.length));
  });

  test("a detached chunk produces no text", async () => {
    const chunk = bytes("61");
    detach(chunk.buffer);
    assert.deepEqual(await through(new TextDecoderStream(), [chunk, bytes("62")]), ["b"]);
  });

  test("a byte order mark split across chunks", async () => {
    assert.deepEqual(await decoded("utf-8", {}, ["ef", "bb", "bf", "ef bb bf", "61"]), ["\ufeff", "a"]);
    assert.deepEqual(await decoded("utf-8", { ignoreBOM: true }, ["ef", "bb", "bf", "61"]), ["\ufeff", "a"]);
    assert.deepEqual(await decoded("utf-16le", {}, ["ff", "fe 61", "00"]), ["a"]);
    assert.deepEqual(await decoded("utf-16be", {}, ["fe ff 00", "61", "fe", "ff"]), ["a", "\ufeff"]);
    assert.deepEqual(await decoded("utf-8", {}, ["61", "ef bb bf"]), ["a", "\ufeff"]);
  });

  test("attributes", () => {
    const stream = new TextDecoderStream("UTF-16", { fatal: true });
    assert.deepEqual([stream.encoding, stream.fatal, stream.ignoreBOM], ["utf-16le", true, false]);
  });

  test("long chunks", async () => {
    const chunk = new Uint8Array(3 << 20).fill(0x61);
    chunk.set(bytes("e6 97 a5"), (1 << 20) - 1);
    const text = (await through(new TextDecoderStream(), [chunk, bytes("62")])).join("");
    assert.equal(text.length, (3 << 20) - 2 + 1);
    assert.equal(text.indexOf("\u65e5"), (1 << 20) - 1);
  });
});

describe("TextEncoderStream", () => {
  test("attributes", () => assert.equal(new TextEncoderStream().encoding, "utf-8"));

  test("chunks are Uint8Arrays with separate buffers", async () => {
    const [chunk] = await through(new TextEncoderStream(), ["a\u00e9"]);
    assert.equal(Object.getPrototypeOf(chunk), Uint8Array.prototype);
    assert.equal(chunk.buffer.byteLength, 3);
  });

  test("surrogate pairs split across chunks", async () => {
    for (const [chunks, expected] of [
      [["\ud83d", "\ude00"], ["f09f9880"]],
      [["a\ud83d", "\ude00b"], ["61", "f09f988062"]],
      [["\ud83d", "", "\ude00"], ["f09f9880"]],
      [["\ud83d", "", "", "a"], ["efbfbd61"]],
      [["\ud83d", "a"], ["efbfbd61"]],
      [["\ud83d", "\ud83d"], ["efbfbd", "efbfbd"]],
      [["\ud83d", "\ud83d", "\ude00"], ["efbfbd", "f09f9880"]],
      [["\ud83d\ude00"], ["f09f9880"]],
      [["\ude00"], ["efbfbd"]],
      [["\ude00", "\ud83d"], ["efbfbd", "efbfbd"]],
      [["\ud83d"], ["efbfbd"]],
      [["a\ud83d"], ["61", "efbfbd"]],
      [["\ud83d", "\udbff\udfff"], ["efbfbdf48fbfbf"]],
      [["\udbff", "\udfff\udbff", "\udfff"], ["f48fbfbf", "f48fbfbf"]],
      [["", "a", ""], ["61"]],
      [[""], []],
      [[], []],
    ]) {
      assert.deepEqual(await encoded(chunks), expected, JSON.stringify(chunks));
    }
  });

  test("chunks are converted to DOMStrings", async () => {
    const own = { toString: () => "\ud83d" };
    assert.deepEqual(await encoded([null, 1.5, undefined, {}, [1, 2], own, "\ude00"]), [
      hex([..."null"].map((c) => c.charCodeAt(0))), "312e35", "756e646566696e6564", "5b6f626a656374204f626a6563745d", "312c32", "f09f9880",
    ]);
  });

  test("a symbol errors both sides with a TypeError", async () => {
    await endsBothSides(new TextEncoderStream(), Symbol("a"));
    await endsBothSides(new TextEncoderStream(), Object.create(null));
  });

  test("an exception in a conversion errors both sides", async () => {
    const stream = new TextEncoderStream();
    const error = new RangeError("own");
    const reader = stream.readable.getReader();
    const write = stream.writable.getWriter().write({ toString() { throw error; } });
    assert.equal(await rejects(reader.read(), RangeError), error);
    assert.equal(await rejects(write, RangeError), error);
  });

  test("pipeThrough an encoder and a decoder gives the same text", async () => {
    const text = "a\u00e9\u65e5\u{1f600}\ud800".repeat(50);
    const source = new ReadableStream({
      start(controller) {
        for (const unit of text.split("")) controller.enqueue(unit);
        controller.close();
      },
    });
    let back = "";
    await source
      .pipeThrough(new TextEncoderStream())
      .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
      .pipeTo(new WritableStream({ write: (chunk) => void (back += chunk) }));
    assert.equal(back, text.replaceAll("\ud800", "\ufffd"));
  });
});
