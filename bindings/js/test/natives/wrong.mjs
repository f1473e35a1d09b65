// Makes each native class wrong in some cases before the package is loaded.

const { Buffer, TextDecoder, TextEncoder } = globalThis;

globalThis.TextDecoder = class extends TextDecoder {
  decode(...args) {
    // Too many U+FFFD, and U+FFFF is replaced.
    return super.decode(...args).replace(/\ufffd/g, "\ufffd\ufffd").replaceAll("\uffff", "\ufffd");
  }
};

globalThis.TextEncoder = class extends TextEncoder {
  // Unpaired surrogates become "???".
  encode(string = "") {
    return super.encode(String(string).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "???"));
  }

  encodeInto(string, destination) {
    return super.encodeInto(String(string).toWellFormed?.().replaceAll("\ufffd", "?") ?? string, destination);
  }
};

if (Buffer !== undefined) {
  const { latin1Slice, ucs2Slice } = Buffer.prototype;
  const wrong = class extends Uint8Array {
    latin1Slice(...args) {
      return latin1Slice.apply(this, args).replaceAll("\u0080", "\u20ac");
    }
    ucs2Slice(...args) {
      return ucs2Slice.apply(this, args).replaceAll("\ufeff", "");
    }
    ucs2Write(string, at, length) {
      return Buffer.prototype.ucs2Write.call(this, string.replaceAll("\u0000", " "), at, length);
    }
  };
  globalThis.Buffer = new Proxy(Buffer, { get: (target, key) => (key === "from" ? (...args) => (args[0] instanceof ArrayBuffer ? new wrong(...args) : Buffer.from(...args)) : target[key]) });
}
