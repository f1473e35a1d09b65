// The digits of base64, which the oem entry and the iconv-lite entry share.

export const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Returns the value of each digit, by its byte. It is -1 for other bytes. */
export function digitValues(digits) {
  const values = new Int8Array(256).fill(-1);
  for (let n = 0; n < digits.length; n++) values[digits.charCodeAt(n)] = n;
  return values;
}
