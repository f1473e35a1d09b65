// Prints the single-byte tables of iconv-lite and of SheetJS's codepage, in the form that sources.py describes.
"use strict";

const decoders = {
  "iconv-lite"(name) {
    const iconv = require("iconv-lite");
    return (byte) => iconv.decode(Buffer.from([byte]), name);
  },
  sheetjs(name) {
    const table = require("codepage")[name];
    if (table === undefined) throw new Error(`codepage has no ${name}`);
    return (byte) => table.dec[byte] ?? "";
  },
};

for (const argument of process.argv.slice(2)) {
  const [source, name] = argument.split(":");
  const decode = decoders[source](name);
  const fields = Array.from({ length: 256 }, (_, byte) => {
    const text = decode(byte);
    const isAssigned = text.length === 1 && text !== "\uFFFD";
    return isAssigned ? text.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") : "----";
  });
  console.log(`${argument}\t${fields.join(" ")}`);
}
