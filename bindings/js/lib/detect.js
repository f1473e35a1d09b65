// The entry that finds the encoding of text. docs/design/detection.md describes how.

export { Detector, detect } from "./detect/detector.js";
