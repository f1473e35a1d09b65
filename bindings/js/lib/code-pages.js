// The tables that the oem entry and the iconv-lite entry share. It is a separate file in dist/, so that an application has them
// once. It is not an entry itself.

export { SHARED } from "../generated/shared-pages.js";
export { unpack } from "./page-format.js";
