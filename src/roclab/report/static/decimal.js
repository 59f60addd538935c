// The decimal sign of the reader, a point or a comma, wherever the page shows a number. Files keep the point.

import { formatNumber } from "./numbers.js";

let sign = ".";
const asWritten = new WeakMap();

export const decimalSign = () => sign;

export function localDecimal(locales = undefined) {
  const parts = new Intl.NumberFormat(locales).formatToParts(1.5);
  return parts.find((part) => part.type === "decimal").value === "," ? "," : ".";
}

// A text with points, in the sign chosen; only a point between two digits is one.
export function inDecimal(text) {
  return sign === "." ? text : text.replace(/(\d)\.(?=\d)/g, `$1${sign}`);
}

export function shownNumber(value) {
  if (value === Infinity) return "∞";
  return value === -Infinity ? "−∞" : inDecimal(formatNumber(value));
}

// Everything marked as a number when the page was made.
export function chooseDecimal(chosen, root = document) {
  sign = chosen === "," ? "," : ".";
  for (const node of root.querySelectorAll(".n")) {
    if (!asWritten.has(node)) asWritten.set(node, node.textContent);
    node.textContent = inDecimal(asWritten.get(node));
  }
}

// The switch of the page: starts at the sign of the browser, and tells when it is turned.
export function connectDecimal(button, changed) {
  const label = () => {
    button.setAttribute("aria-pressed", String(sign === ","));
    button.querySelectorAll("[data-decimal]").forEach((part) => part.classList.toggle("chosen", part.dataset.decimal === sign));
  };
  chooseDecimal(localDecimal());
  label();
  button.addEventListener("click", () => {
    chooseDecimal(sign === "," ? "." : ",");
    label();
    changed();
  });
}
