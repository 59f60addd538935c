// The list of keys.

import { h } from "./dom.js";
import { button } from "./parts.js";
import { t } from "./text.js";

const KEYS = [
  ["Alt+1 … 0", "Go to a view"], ["Ctrl+Z", "Undo"], ["Ctrl+Shift+Z", "Redo"], ["← →", "Move the threshold, or the read-out of a figure, by one step"], ["Shift+← →", "By ten steps"],
  ["Home, End", "To the first or the last threshold"], ["Esc", "Close what is open"], ["?", "This list"],
];

export function showKeys() {
  const box = h("dialog", { "aria-labelledby": "keys-title", id: "keys-list" }, h("h2", { id: "keys-title" }, t("Keyboard")),
    h("dl.keys", {}, KEYS.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(words))])), button(t("Close"), () => box.close()));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}
