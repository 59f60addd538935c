// More: is there a tool for this question? One file per tool stands in tools/.

import { icon } from "../icons.js";
import { fill, h } from "../dom.js";
import { inWords, panel } from "../parts.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";
import { trailOf } from "./data.js";
import { TOOLS } from "./tools/all.js";

export class MoreView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    this.build();
  }

  get tool() { return Object.hasOwn(TOOLS, this.app.state.more.tool) ? this.app.state.more.tool : "multiclass"; }

  build() {
    const { app } = this;
    this.answer = h("div", { id: "more-answer" });
    const find = h("input", { type: "search", id: "find-tool", placeholder: t("Type a question or a method: kappa, power, hull …"), "aria-label": t("Find a tool"), oninput: () => {
      const sought = find.value.trim().toLowerCase();
      for (const card of cards) card.hidden = sought !== "" && !card.textContent.toLowerCase().includes(sought);
    } });
    const cards = Object.entries(TOOLS).map(([name, { title, words, sign }]) => h("button.card", {
      type: "button", id: `tool-${name}`, "aria-pressed": String(name === this.tool), onclick: () => this.choose(name),
    }, h("span.text", {}, icon(sign, "icon"), h("b", {}, t(title)), h("span.quiet", {}, t(words)))));
    const { title, needs, build } = TOOLS[this.tool];
    fill(this.host, app.data === null ? null : trailOf(app), h("div.lead", {}, h("h1", {}, t("What else should the data answer?")), h("label.field.wide-find", {}, find)),
      h("div.cards.small-cards", { role: "group", "aria-label": t("Questions") }, cards),
      panel(t(title), null, this.without(needs) ?? build(this), this.answer));
  }

  choose(name) {
    const { app } = this;
    app.session.set({ more: { tool: name } }, { quiet: true });
    app.frame.steps();
    this.build();
    document.getElementById(`tool-${name}`).focus();
    this.answer.closest(".panel").querySelector("h2").scrollIntoView({ block: "nearest" });
  }

  // What a tool waits for, in words; nothing if all is there.
  without(needs) {
    const { app } = this;
    if (needs && app.data === null) return h("p.note", {}, t("Open data first."));
    if (needs === "label" && !app.state.roles.label) return h("p.note", {}, t("Choose a label among the columns first."));
    if (needs === "scores" && !app.overview) return h("p.note", {}, t("Choose a label and a score among the columns first."));
    return null;
  }

  // Ask a question below the tool; without `show` its table and its words are the answer.
  run(question, options, roles = undefined, show = null, more = {}) {
    this.app.work(this.answer, question, options, (answer) => {
      if (show) { show(answer); return; }
      this.answer.append(tableOf(answer.table, { name: question }) ?? "", inWords(answer) ?? "");
    }, { roles, ...more });
  }

  add(...nodes) { this.answer.append(...nodes.flat().filter((one) => one !== null && one !== undefined)); }
}
