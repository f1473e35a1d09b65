// Loaded before each suite: `require("iconv-lite")` anywhere in the process returns the implementation that is being tested.

const { writeFileSync } = require("node:fs");
const Module = require("node:module");

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  if (request !== "iconv-lite") return resolve.call(this, request, ...rest);
  writeFileSync(process.env.CLIENTS_USED, "");
  return process.env.CLIENTS_ICONV_LITE;
};
