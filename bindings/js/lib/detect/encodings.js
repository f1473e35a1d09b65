// What detection has to know about encodings. They are called by their names.

/** The multi-byte encodings, except gb18030, which has the decoder of GBK. */
export const MULTI_BYTE = ["UTF-8", "UTF-16LE", "UTF-16BE", "ISO-2022-JP", "Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK"];

/** Returns the encoding with the same decoder. */
export const decoderOf = (name) => (name === "gb18030" ? "GBK" : name);

export const isMultiByte = (name) => MULTI_BYTE.includes(decoderOf(name));

export const isSingleByte = (name) => !isMultiByte(name) && name !== "replacement";

export const isUtf16 = (name) => name === "UTF-16LE" || name === "UTF-16BE";
