// HTML pages: the prescan of the HTML Standard, section 13.2.3.2.

import { PRESCAN, forLabel, found } from "./declaration.js";
import { Scan, isSpace, lowerAscii, untilEnd } from "./scan.js";

/** Returns whether a text starts with a tag. Other text, such as Markdown, may show a `<meta>` element. */
export const isPage = (text) => /^[\t\n\f\r ]*</.test(text);

/**
 * Returns the declarations that browsers follow: those that the prescan finds, and those in the head that only a parser finds. If there
 * is none in the head, the first one in the body counts. Text that does not start with a tag is no page, and has only the former.
 */
export function htmlDeclarations(text) {
  const all = prescanned(text.slice(0, PRESCAN));
  if (!isPage(text)) return all;
  const parsed = [];
  untilEnd(() => prescan(new Scan(text), parsed, true));
  return [...all, ...parsed.filter(({ offset }) => all.every((other) => other.offset !== offset))];
}

function prescanned(text) {
  for (const [encoding, start] of [["UTF-16LE", "<\0?\0x\0"], ["UTF-16BE", "\0<\0?\0x"]]) {
    if (text.startsWith(start)) return [found(encoding, "wide-xml", "", 0)]; // 2
  }
  const all = [];
  untilEnd(() => prescan(new Scan(text), all, false));
  return all;
}

/** Elements whose content is not markup. `noscript` is one where scripts run. */
const RAW = ["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"];

/** Adds the declarations of `<meta>` elements. `isParsed` says to skip what is not markup for a parser. */
function prescan(scan, all, isParsed) {
  const { text } = scan;
  let isBody = false;
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
      if (isBody && all.length > 0) return;
    } else if (is(/<\/?[a-z]/iy)) {
      scan.skip((char) => !isSpace(char) && char !== ">");
      const name = lowerAscii(text.slice(start + 1, scan.at));
      while (attribute(scan) !== undefined);
      if (isParsed && name === "body") {
        if (all.length > 0) return;
        isBody = true;
      }
      if (isParsed && RAW.includes(name)) {
        const end = new RegExp(`</${name}`, "gi");
        end.lastIndex = scan.at;
        if (!end.test(text)) return;
        scan.at = end.lastIndex - `</${name}`.length;
        continue;
      }
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
  let unknown; // in `content`, which the standard ignores
  for (let read = attribute(scan); read !== undefined; read = attribute(scan)) {
    const { name, value } = read;
    if (seen.has(name)) continue; // 7
    seen.add(name); // 8
    if (name === "http-equiv") {
      gotPragma ||= lowerAscii(value) === "content-type";
    } else if (name === "content" && charset === undefined) {
      const label = charsetOfContent(value);
      if (label === undefined) continue;
      if (forLabel(label) === undefined) {
        unknown = label;
        continue;
      }
      charset = label;
      needPragma = true;
    } else if (name === "charset") {
      charset = value;
      needPragma = false;
    }
  }
  const label = charset ?? unknown;
  if ((needPragma !== false && !gotPragma) || label === undefined) return undefined; // 11, 12
  return found(forLabel(label), needPragma === false ? "meta" : "pragma", label, offset);
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
