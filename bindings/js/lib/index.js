// The main entry: everything is there after the import.

import "./start-inline.js";

export * from "./api.js";
