// Starts the package before its first use.

import { TextDecoder } from "textcodec";
import { nextTask, painted } from "./pause.js";

let unpacked;

/**
 * Waits until the page is shown, and the package has unpacked its module in a task of its own. The first conversion would
 * do so otherwise.
 */
export function unpack() {
  unpacked ??= painted()
    .then(() => new TextDecoder("Shift_JIS").decode(Uint8Array.of(0x82, 0xa0)))
    .then(nextTask);
  return unpacked;
}
