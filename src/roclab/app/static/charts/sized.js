// A drawing that is made anew whenever its width changes, so that text in it keeps its size.

import { h } from "../dom.js";

export function sized(draw, attributes = {}) {
  const box = h("div.plot", attributes);
  let last = 0;
  const paint = (width) => {
    if (width <= 20) return;
    last = width;
    box.replaceChildren(...[draw(width)].flat());
  };
  box.repaint = () => paint(Math.floor(box.clientWidth) || last);
  new ResizeObserver((all) => {
    const width = Math.floor(all[0].contentRect.width);
    if (width !== last) paint(width);
  }).observe(box);
  return box;
}
