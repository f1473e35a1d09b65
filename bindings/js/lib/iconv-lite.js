// The package with the interface of iconv-lite: its users change one import. docs/javascript-iconv-lite.md lists the
// differences in what is decoded and encoded.

export * from "./iconv-lite/interface.js";
export { default } from "./iconv-lite/interface.js";
