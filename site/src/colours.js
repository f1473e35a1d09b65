// The colours of the style sheet, for canvases.

const probe = document.createElement("span");
probe.hidden = true;

/** Returns the values of custom properties in the current theme, as numbers for ImageData. */
export function colours(...names) {
  document.body.append(probe);
  const values = names.map((name) => {
    probe.style.color = `var(--${name})`;
    const [red, green, blue] = getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      .map(Number);
    // All platforms of browsers are little-endian.
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
  });
  probe.remove();
  return Object.fromEntries(names.map((name, n) => [name, values[n]]));
}
