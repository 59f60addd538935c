// Figures that the server drew, as they are printed.

import { h } from "../dom.js";
import { save } from "../files.js";
import { small } from "../parts.js";

// On white in light and dark, because it is the one that is printed.
export function drawing({ svg, png }, words) {
  const bytes = (text) => Uint8Array.from(window.atob(text), (one) => one.charCodeAt(0));
  const name = words.toLowerCase();
  return h("figure.drawn", {}, h("img", { src: `data:image/svg+xml;base64,${svg}`, alt: words }), h("div.row", {},
    small("SVG", () => save(`${name}.svg`, bytes(svg), "image/svg+xml"), { id: "save-svg" }), small("PNG", () => save(`${name}.png`, bytes(png), "image/png"), { id: "save-png" })));
}
