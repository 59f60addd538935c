// What floats over the page: a drawer at the side or below, which takes the focus and gives it back.

import { fill, h } from "./dom.js";
import { iconButton } from "./parts.js";
import { t } from "./text.js";

export class Drawer {
  constructor() {
    this.node = null;
    this.from = null;
    this.body = null; // makes the content anew
  }

  get isOpen() { return this.node !== null; }

  open(title, tools, body, { low = false, id = null } = {}) {
    const from = this.node?.contains(document.activeElement) ? this.from : document.activeElement;
    this.node?.remove();
    this.from = from;
    this.body = body;
    this.content = h("div.body", { tabindex: 0 });
    this.node = h(`aside.drawer${low ? ".low" : ""}`, { "aria-label": title, id }, h("header", {}, h("h2", {}, title), h("div.row", {}, tools, iconButton("close", `${t("Close")} (Esc)`, () => this.close()))), this.content);
    document.body.append(this.node);
    this.refresh();
    this.node.querySelector(".btn.icon").focus();
  }

  refresh() { if (this.node) fill(this.content, this.body()); }

  close() {
    this.node?.remove();
    this.node = null;
    this.from?.focus?.();
    this.from = null;
  }
}
