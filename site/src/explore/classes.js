// The classes of cells, as in the legend of the standard's index visualizations.

/** Classes of characters by their form in UTF-8. No index has characters of one byte. */
export const FORMS = [
  { name: "mid", meaning: "Two bytes in UTF-8" },
  { name: "upper", meaning: "Three bytes in UTF-8" },
  { name: "pua", meaning: "Private use" },
  { name: "astral", meaning: "Four bytes in UTF-8" },
];

/** Additional classes, which a cell may have several of. */
export const MARKS = [
  { name: "duplicate", meaning: "Duplicate: an earlier pointer has the same character" },
  { name: "compatibility", meaning: "CJK compatibility ideograph" },
  { name: "ext", meaning: "CJK Unified Ideographs Extension A" },
];

/** Returns the name of a code point's form. */
export function formOf(codePoint) {
  if (codePoint >= 0xe000 && codePoint <= 0xf8ff) return "pua";
  if (codePoint <= 0x7ff) return "mid";
  return codePoint <= 0xffff ? "upper" : "astral";
}

const within = (codePoint, first, last) => codePoint >= first && codePoint <= last;

export const isCompatibility = (codePoint) => within(codePoint, 0xf900, 0xfaff) || within(codePoint, 0x2f800, 0x2fa1f);

export const isExtension = (codePoint) => within(codePoint, 0x3400, 0x4dbf);

/** A cache of classes, by index and pointer. The legend, the overview and the table use it. */
const classified = new WeakMap();

/**
 * Returns the classes of a pointer. `form` is `unmapped` if it has no character. `contiguous` says that its code point
 * is one more than the previous pointer's. `marks` are the names of additional classes.
 */
export function classify(index, pointer) {
  let classes = classified.get(index);
  if (classes === undefined) {
    classes = [];
    classified.set(index, classes);
  }
  return (classes[pointer] ??= compute(index, pointer));
}

const UNMAPPED = { form: "unmapped", contiguous: false, marks: [] };

function compute(index, pointer) {
  const codePoint = index.codePointOf(pointer);
  if (codePoint < 0) return UNMAPPED;
  const marks = [];
  if (index.pointersOf(codePoint)[0] < pointer) marks.push("duplicate");
  if (isCompatibility(codePoint)) marks.push("compatibility");
  if (isExtension(codePoint)) marks.push("ext");
  return { form: formOf(codePoint), contiguous: index.codePointOf(pointer - 1) === codePoint - 1, marks };
}

/** Describes classes in words. */
export function inWords({ form, contiguous, marks }) {
  if (form === "unmapped") return "Unmapped";
  const words = [FORMS.find(({ name }) => name === form).meaning];
  if (contiguous) words.push("consecutive with the previous cell");
  for (const mark of marks) words.push(MARKS.find(({ name }) => name === mark).meaning);
  return words.join("; ");
}

/** Counts the pointers in each class: `{ classes, meaning, among, count }`. `among` marks additional classes. */
export function tally(index) {
  const counts = new Map();
  const add = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (let pointer = 0; pointer < index.size; pointer++) {
    const { form, contiguous, marks } = classify(index, pointer);
    add(contiguous ? `${form} contiguous` : form);
    marks.forEach(add);
  }
  return [
    { classes: "unmapped", meaning: "Unmapped" },
    ...FORMS.flatMap(({ name, meaning }) => [
      { classes: name, meaning },
      { classes: `${name} contiguous`, meaning: `${meaning}, consecutive with the previous cell` },
    ]),
    ...MARKS.map(({ name, meaning }) => ({ classes: name, meaning, among: true })),
  ]
    .map((entry) => ({ ...entry, count: counts.get(entry.classes) ?? 0 }))
    .filter(({ count }) => count > 0);
}
