// Elements without a line of HTML: names and cells of a user's table are always text.

import { inDecimal } from "/report/decimal.js";
import { append, fill, h } from "/report/elements.js";
import { t } from "./text.js";

export { fill, h };

// The same for drawings.
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  append(node, children);
  return node;
}

// Fill a node anew without taking the field away that somebody types into: an answer may arrive at any moment.
export function refill(node, ...children) {
  const { id, selectionStart, selectionEnd } = node.contains(document.activeElement) ? document.activeElement : {};
  fill(node, ...children);
  const field = id ? document.getElementById(id) : null;
  if (field === null) return node;
  field.focus({ preventScroll: true });
  if (typeof selectionStart === "number" && field.setSelectionRange) field.setSelectionRange(selectionStart, selectionEnd);
  return node;
}

// A choice among few: [value, text] pairs.
export function select(label, pairs, value, changed, attributes = {}) {
  const field = h("select.pick", { ...attributes, onchange: () => changed(field.value) });
  for (const [one, text] of pairs) field.append(h("option", { value: one }, text));
  field.value = value ?? "";
  return h("label.field", {}, h("span", {}, label), field);
}

// A number as people type it; what is wrong with it stands below, and the last good value stays in force.
export function number(label, value, changed, { min = -Infinity, max = Infinity, step = null, share = false, id = null, hint = "" } = {}) {
  const wrong = h("span.wrong-here", { id: id ? `${id}-wrong` : null, role: "status" });
  const field = h("input", {
    type: "text", inputmode: "decimal", id, value: value === null || value === undefined ? "" : inDecimal(String(value)), "aria-describedby": id ? `${id}-wrong` : null,
    onchange: () => {
      const empty = field.value.trim() === "";
      const typed = empty ? null : typedNumber(field.value, { share });
      const said = empty ? "" : complaint(typed, { min, max, whole: step === 1 });
      field.setAttribute("aria-invalid", String(said !== ""));
      wrong.textContent = said;
      if (said === "") changed(typed);
    },
  });
  return h("label.field", {}, h("span", {}, label), field, wrong, hint ? h("span.quiet", {}, hint) : null);
}

// What is wrong with a number, in words; nothing if it fits.
export function complaint(value, { min = -Infinity, max = Infinity, whole = false } = {}) {
  if (Number.isNaN(value)) return t("Write a number.");
  if (whole && !Number.isInteger(value)) return t("Write a whole number.");
  if (value >= min && value <= max) return "";
  if (max === Infinity) return t("Write {low} or more.", { low: min });
  return t("Write a number from {low} to {high}.", { low: inDecimal(String(min)), high: inDecimal(String(max)) });
}

export function checkbox(label, value, changed, attributes = {}) {
  const field = h("input", { type: "checkbox", ...attributes, checked: Boolean(value), onchange: () => changed(field.checked) });
  return h("label.check", {}, field, h("span", {}, label));
}

// A number as people type it: "0,05" is 0.05, "5 %" is 0.05, and of a share 5 alone is per cent as well; NaN if it is none.
export function typedNumber(text, { share = false } = {}) {
  const [, digits, percent] = text.trim().replace(",", ".").match(/^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)$/i) ?? [];
  const value = digits === undefined ? NaN : Number(digits);
  return percent || (share && value >= 1) ? Number((value / 100).toPrecision(12)) : value;
}
