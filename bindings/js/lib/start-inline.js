// The module, which is part of this file, is there as soon as this is loaded.

import base64 from "../generated/inline.js";
import { initSync } from "../generated/module.js";
import { start } from "./engine.js";
import { loadLabels } from "./labels.js";

const binary = atob(base64);
const bytes = new Uint8Array(binary.length);
for (let n = 0; n < binary.length; n++) bytes[n] = binary.charCodeAt(n);

start(initSync({ module: bytes }));
loadLabels();
