// HTML pages: the prescan of the HTML Standard, section 13.2.3.2.

import { forLabel, found } from "./declaration.js";
import { Scan, isSpace, lowerAscii, untilEnd } from "./scan.js";

/** Returns all declarations that the prescan finds, of which browsers use the first. */
export function htmlDeclarations(text) {
  for (const [encoding, start] of [["UTF-16LE", "<\0?\0x\0"], ["UTF-16BE", "\0<\0?\0x"]]) {
    if (text.startsWith(start)) return [found(encoding, "wide-xml", "", 0)]; // 2
  }
  const all = [];
  untilEnd(() => prescan(new Scan(text), all));
  return all;
}

function prescan(scan, all) {
  const { text } = scan;
  for (;;) {
    const start = scan.at;
    scan.peek();
    const is = (pattern) => {
      pattern.lastIndex = start;
      return pattern.test(text);
    };
    if (is(/<!--/y)) {
      // The dashes may overlap: `<!-->` is a complete comment.
      scan.at += 2;
      scan.at = scan.find("-->") + 2;
    } else if (is(/<meta[\t\n\f\r /]/iy)) {
      scan.at += "<meta".length;
      const declaration = meta(scan, start);
      if (declaration !== undefined) all.push(declaration);
    } else if (is(/<\/?[a-z]/iy)) {
      scan.skip((char) => !isSpace(char) && char !== ">");
      while (attribute(scan) !== undefined);
    } else if (is(/<[!/?]/y)) {
      scan.skip((char) => char !== ">");
    }
    scan.at++;
  }
}

/** Reads the attributes of a `<meta>` element, and returns its declaration, if there is one. */
function meta(scan, offset) {
  const seen = new Set(); // 2
  let gotPragma = false; // 3
  let needPragma; // 4
  let charset; // 5
  for (let read = attribute(scan); read !== undefined; read = attribute(scan)) {
    const { name, value } = read;
    if (seen.has(name)) continue; // 7
    seen.add(name); // 8
    if (name === "http-equiv") {
      gotPragma ||= lowerAscii(value) === "content-type";
    } else if (name === "content" && charset === undefined) {
      const label = charsetOfContent(value);
      if (label === undefined || forLabel(label) === undefined) continue;
      charset = label;
      needPragma = true;
    } else if (name === "charset") {
      charset = value;
      needPragma = false;
    }
  }
  if (needPragma === undefined || (needPragma && !gotPragma)) return undefined; // 11, 12
  return found(forLabel(charset), needPragma ? "pragma" : "meta", charset, offset);
}

/** *Extract a character encoding from a `meta` element*: returns the label. */
function charsetOfContent(value) {
  return untilEnd(() => {
    const scan = new Scan(lowerAscii(value));
    do {
      scan.at = scan.find("charset") + "charset".length; // 2
      scan.skip(isSpace); // 3
    } while (scan.peek() !== "="); // 4
    scan.at++;
    scan.skip(isSpace); // 5
    const quote = scan.peek();
    if (quote !== '"' && quote !== "'") return /[^\t\n\f\r ;]*/y.exec(value.slice(scan.at))[0];
    scan.at++;
    return value.slice(scan.at, scan.find(quote));
  });
}

/** *Get an attribute*. The name is in lower case. The value is unchanged, because a label is shown as it is. */
function attribute(scan) {
  scan.skip((char) => isSpace(char) || char === "/"); // 1
  if (scan.peek() === ">") return undefined; // 2
  let name = "";
  for (; ; scan.at++) {
    const char = scan.peek();
    if (char === "=" && name !== "") break;
    if (isSpace(char)) {
      scan.skip(isSpace); // 6
      if (scan.peek() !== "=") return { name, value: "" }; // 7
      break;
    }
    if (char === "/" || char === ">") return { name, value: "" };
    name += lowerAscii(char);
  }
  scan.at++; // 8
  scan.skip(isSpace); // 9
  const quote = scan.peek();
  const start = scan.at;
  if (quote === '"' || quote === "'") {
    scan.at++;
    scan.at = scan.find(quote) + 1;
    return { name, value: scan.text.slice(start + 1, scan.at - 1) };
  }
  scan.skip((char) => !isSpace(char) && char !== ">"); // 11; 10 if `>` follows immediately
  return { name, value: scan.text.slice(start, scan.at) };
}
