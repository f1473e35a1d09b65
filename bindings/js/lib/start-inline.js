// Provides the module, which is inlined. It is compiled when it is first used.

import { base64, length } from "../generated/inline.js";
import { compileNow } from "./engine/compile.js";
import { provide } from "./engine/module.js";
import { inflate } from "./inflate.js";

export function startInline() {
  provide(() => compileNow(inflate(base64, length)));
}
