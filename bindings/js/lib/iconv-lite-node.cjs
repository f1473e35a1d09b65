// The iconv-lite entry for `require` in Node.
module.exports = require("./iconv-lite.cjs");
module.exports.enableStreamingAPI(require("node:stream"));
