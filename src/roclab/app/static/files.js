// Files for the user: made in the page, saved by the browser, nothing asked from anybody.

export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\p{L}\p{N} ._-]+/gu, "_").slice(0, 100);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const STYLED = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "font-size", "font-family", "text-anchor",
];

// A chart as a file of its own: the styles of the page are written into it.
export function svgText(svg) {
  const clone = svg.cloneNode(true);
  const [from, to] = [svg, clone].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((node, at) => {
    const style = window.getComputedStyle(node);
    for (const name of STYLED) to[at].setAttribute(name, style.getPropertyValue(name));
    to[at].removeAttribute("class");
  });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  clone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  clone.setAttribute("width", width);
  clone.setAttribute("height", height);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const colour = window.getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ width, height, fill: colour })) paper.setAttribute(name, value);
  clone.prepend(paper);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(clone)}\n`;
}

export async function savePng(svg, name, scale = 3) {
  const text = svgText(svg);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const image = new Image();
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  save(name, blob, "image/png");
}

export async function copyText(text) {
  await navigator.clipboard.writeText(text);
}
