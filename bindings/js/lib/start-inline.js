// The module, which is part of this file, is there as soon as this is loaded.

import { inflateSync } from "fflate";
import { base64, length } from "../generated/inline.js";
import { initSync } from "../generated/module.js";
import { start } from "./engine.js";
import { loadLabels } from "./labels.js";

const deflated = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
start(initSync({ module: inflateSync(deflated, { out: new Uint8Array(length) }) }));
loadLabels();
