// Prints why the package does not work here, and then uses the entry in plain JavaScript.
import * as main from "textcodec";
import * as js from "textcodec/js";
import init from "textcodec/slim";

try {
  main.encode("日", "shift_jis");
} catch (error) {
  console.log(`main: ${error.message}`);
}
await init().catch((error) => console.log(`slim: ${error.message}`));
console.log(`js: ${js.decode(js.encode("日本語", "shift_jis"), "shift_jis")}`);
