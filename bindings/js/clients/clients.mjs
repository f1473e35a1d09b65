// The clients: packages with tests that use iconv-lite. Tests come from Debian's sources of the package, or from the registry.

/**
 * Tests of iconv-lite that fail with the package, by reason. They compare with GNU libiconv, and most of them cover a whole
 * encoding. docs/javascript-iconv-lite.md has all differences in bytes and characters.
 */
const ICONV_LITE = {
  "larger tables: all of GBK, with the characters of GB18030-2022, and all of Big5": ["cp936", "gbk", "cp950"].flatMap((page) => [
    `Full DBCS encoding tests Decode DBCS encoding '${page}'`,
    `Full DBCS encoding tests Encode DBCS encoding '${page}'`,
  ]),
  "two bytes: the standard's index jis0208 has the characters": ["Full DBCS encoding tests Encode DBCS encoding 'eucjp'"],
  "malformed: the standard's rule for an incomplete sequence": ["GBK tests GB18030 correctly decodes incomplete 4 byte sequences"],
  "a private function of iconv-lite": ["GBK tests GB18030 findIdx works correctly"],
};

/**
 * `debian`: the name of a source package, whose folder `test` is copied, or all of it.
 * `npm`: the name of a package in package.json, which is copied.
 * `files`: arguments of mocha, or of nodeunit.
 * `explained`: tests that pass only with iconv-lite, by reason.
 */
export const CLIENTS = [
  {
    name: "iconv-lite",
    debian: "node-iconv-lite",
    write: { "index.js": 'module.exports = require("iconv-lite");' },
    files: ["--check-leaks", "--timeout", "60000", "test/*-test.js"],
    explained: ICONV_LITE,
  },
  { name: "raw-body", debian: "node-raw-body", files: ["--check-leaks", "test/*.js"] },
  { name: "body-parser", debian: "node-body-parser", files: ["--check-leaks", "--require", "test/support/env", "test/*.js"] },
  { name: "encoding", debian: "node-encoding", nodeunit: true, files: ["test/test.js"] },
  { name: "gettext-parser", debian: "node-gettext-parser", files: ["test/*-test.js"] },
  {
    name: "external-editor",
    npm: "external-editor",
    debian: "node-external-editor",
    // The tests import the source in TypeScript, which the package does not contain.
    translate: { from: "test/spec/main.spec.ts", to: "test/spec/main.spec.cjs", replace: ["../../src", "../../main"] },
    files: ["test/spec/main.spec.cjs"],
  },
  { name: "jsdom", npm: "jsdom", debian: "node-jsdom", files: ["test/api/encoding.js"] },
  { name: "needle", npm: "needle", certificate: "test/keys", files: ["test/decoder_spec.js", "test/parsing_spec.js"] },
  { name: "imapflow", npm: "imapflow", nodeunit: true, files: ["test/imap-compiler-test.js", "test/imap-parser-test.js", "test/imapflow-test.js"] },
  { name: "autodetect-decoder-stream", npm: "autodetect-decoder-stream", files: ["tests/*.test.js"] },
];
