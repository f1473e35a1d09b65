// The code that the main entry and the iconv-lite entry share. It is a separate file in dist/, so that the module is
// loaded once. It is not an entry itself.

import { startInline } from "./start-inline.js";

export * from "./api.js";
export * as internal from "./internal.js";

// A call, because package.json says that imports alone have no side effects.
startInline();
