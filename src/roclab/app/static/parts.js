// The parts that views are made of: buttons, messages, menus, panels.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./text.js";

const classes = (kind) => (kind ? `.${kind.trim().replaceAll(" ", ".")}` : "");

export function button(words, call, { kind = "", sign = null, ...more } = {}) {
  return h(`button.btn${classes(kind)}`, { type: "button", onclick: call, ...more }, sign && icon(sign), words);
}

export const small = (words, call, { kind = "", ...more } = {}) => button(words, call, { kind: `small ${kind}`, ...more });

export function iconButton(sign, words, call, { kind = "", ...more } = {}) {
  return h(`button.btn.icon.bare${classes(kind)}`, { type: "button", "aria-label": words, title: words, onclick: call, ...more }, icon(sign));
}

// A message where the eye is: one sentence, and the way out as buttons.
export function banner(kind, words, ...actions) {
  const sign = { good: "check", info: "info" }[kind] ?? "warn";
  return h(`div.banner${classes(kind)}`, { role: kind === "bad" ? "alert" : "status" }, icon(sign), h("p", {}, words), actions.flat().some(Boolean) ? h("div.row", {}, actions) : null);
}

export function choice(label, pairs, chosen, pick, attributes = {}) {
  return h("div.seg", { role: "group", "aria-label": label, ...attributes }, pairs.map(([key, words]) => h("button", {
    type: "button", "aria-pressed": String(key === chosen), dataset: { choice: key }, onclick: () => pick(key),
  }, words)));
}

export const panel = (title, tools, ...content) => h("section.panel", { "aria-label": typeof title === "string" ? title : null },
  h("div.head", {}, title === null ? null : h("h2", {}, title), tools), content);

export const folded = (words, open, ...content) => h("details.panel", { open }, h("summary", {}, words), h("div.cols", {}, content));

export const lead = (title, sub, more = {}) => h("div.lead", {}, h("h1", { ...more }, title), sub ? h("p.sub", {}, sub) : null);

// A button and a list that closes with Esc or a press elsewhere.
export function menu(opener, items, { full = false } = {}) {
  const list = h(`div.pop${full ? ".full" : ""}`, { hidden: true }, items);
  const box = h("div.menu", {}, opener, list);
  opener.setAttribute("aria-haspopup", "true");
  const show = (open) => {
    list.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
  };
  show(false);
  opener.addEventListener("click", () => {
    show(list.hidden);
    if (!list.hidden) list.querySelector("button, a, select")?.focus();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      show(false);
      opener.focus();
      event.stopPropagation();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...list.querySelectorAll("button, a")].filter((one) => one.offsetParent !== null);
    const at = all.indexOf(document.activeElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length].focus();
  });
  document.addEventListener("pointerdown", (event) => { if (!box.contains(event.target)) show(false); });
  list.addEventListener("click", (event) => { if (event.target.closest("button, a")) show(false); });
  box.list = list;
  box.shut = () => show(false);
  return box;
}

// A word at the foot of the page, with one thing to press.
export function toast(words, action = null, call = null) {
  document.querySelector(".toast")?.remove();
  const box = h("div.toast", { role: "status" }, words, action && h("button", { type: "button", onclick: () => { box.remove(); call(); } }, action));
  document.body.append(box);
  setTimeout(() => box.remove(), 6000);
}

// Instead of what was refused: the sentence, in the middle of the place.
export const refusal = (words, actions = [], kind = "") => h(`div.refusal${classes(kind)}`, { role: "alert" }, icon("warn"), h("p.error", {}, words), actions.length ? h("div.row", {}, actions) : null);

export const swatch = (kind, words) => h("span.nowrap", {}, h(`i.swatch.${kind}`), words, " ");

export const copied = () => toast(t("Copied."));

// The answer as the library prints it, folded.
export const inWords = ({ words }) => (words ? h("details.plain-details", {}, h("summary", {}, t("In words")), h("pre", { tabindex: 0, "aria-label": t("In words") }, words.join("\n"))) : null);
