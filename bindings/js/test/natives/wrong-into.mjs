// Makes only `encodeInto` wrong: it writes the first bytes of a character that does not fit.

const { encode } = TextEncoder.prototype;

TextEncoder.prototype.encodeInto = function (string, destination) {
  const bytes = encode.call(this, string).subarray(0, destination.length);
  destination.set(bytes);
  return { read: string.length, written: bytes.length };
};
