// The same questions in Python and on the command line: a drawer that always belongs to what is on the screen.

import { h } from "./dom.js";
import { copyText } from "./files.js";
import { copied, small, toast } from "./parts.js";
import { t } from "./text.js";

export class Code {
  constructor(drawer) {
    this.drawer = drawer;
    this.parts = new Map(); // by the place that an answer stands in
    this.over = null; // a view that says itself how to ask for what it shows
  }

  forget() {
    this.parts.clear();
    this.over = null;
  }

  add(place, code) {
    if (!code || (!code.python && !code.command)) return;
    this.parts.set(place, code);
    this.drawer.refresh();
  }

  // Answers that are still on the page, each line once.
  now() {
    const shown = this.over ? [this.over(), ...this.standing()] : this.standing();
    const lines = (name) => [...new Set(shown.flatMap((one) => (one[name] ?? "").split("\n")).filter(Boolean))];
    const python = lines("python").filter((line) => line !== "import roclab as rl");
    return { command: lines("command").join("\n"), python: python.length ? ["import roclab as rl", "", ...python].join("\n") : "" };
  }

  standing() { return [...this.parts].filter(([place]) => place.isConnected).map(([, code]) => code); }

  body() {
    const { command, python } = this.now();
    if (!command && !python) return [h("p.note", {}, t("What is on the screen asks nothing of the data yet."))];
    return [part(t("Command line"), command), python ? part("Python", python) : null, h("p.note", {}, t("Both give the numbers on this page. They follow every change that is made here."))];
  }
}

function part(title, text) {
  const copy = small(t("Copy"), () => copyText(text).then(copied, () => toast(t("The browser does not let this page copy."))), { sign: "copy", "aria-label": `${t("Copy")}: ${title}` });
  return h("section.cols", {}, h("div.row.apart", {}, h("h3", {}, title), copy), h("pre", { tabindex: 0, "aria-label": title }, text));
}
