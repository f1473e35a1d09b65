// The same for `require`.
module.exports = require("./iconv-lite.cjs");
module.exports.enableStreamingAPI(require("node:stream"));
