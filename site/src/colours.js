// The style sheet's colours, for canvases.

const probe = document.createElement("span");
probe.hidden = true;

/** What custom properties stand for in the theme of now, as numbers that ImageData takes. */
export function colours(...names) {
  document.body.append(probe);
  const values = names.map((name) => {
    probe.style.color = `var(--${name})`;
    const [red, green, blue] = getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      .map(Number);
    // Little-endian on every platform that browsers run on.
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
  });
  probe.remove();
  return Object.fromEntries(names.map((name, n) => [name, values[n]]));
}
