// Data: was the table understood? One guess to confirm, and every column with its values and its role.

import * as api from "../api.js";
import { tiny } from "../charts/thumbs.js";
import { counted, measured } from "../digits.js";
import { h, number, refill, select } from "../dom.js";
import { icon } from "../icons.js";
import { banner, button, lead, panel, small, swatch, toast } from "../parts.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";
import { followUpBanner } from "./follow_up_banner.js";

const ROLES = [["score", "Score"], ["label", "Label"], ["id", "Subject"], ["by", "Group"], ["fold", "Fold"], ["weight", "Weight"], ["time", "Follow-up"], ["event", "What ended it"]];
const SINGLE = ["label", "weight", "fold", "id", "by", "time", "event"];
const MOST = 200; // columns that are listed at once

export class DataView {
  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.ticked = app.ticked?.key === app.data.key ? app.ticked : { key: app.data.key, names: new Set() };
    app.ticked = this.ticked;
    this.found = app.known("doctor", {}, this.asked());
    this.draw();
    this.ask();
  }

  // What the guess is asked with: nothing at first; a label that was chosen is no guess.
  asked() {
    const { label, positive } = this.app.state.roles;
    return this.app.state.confirmed ? { label, positive } : {};
  }

  async ask() {
    if (this.found || this.app.data.elsewhere) return;
    try {
      this.found = await this.app.answer("doctor", {}, { roles: this.asked() });
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      return; // a guess that fails is none
    }
    if (this.app.current === this || this.host.contains(this.head)) this.draw();
  }

  column(name) { return this.app.data.columns.find((one) => one.name === name); }

  draw() {
    const { data } = this.app;
    this.head = lead(this.title(), h("span", {}, this.wayOfReading(), " ", h("a", { href: "#/data", id: "read-differently", onclick: (event) => { event.preventDefault(); this.unfoldReading(); } }, t("Read it differently"))));
    refill(this.host, this.trail(), this.head, this.readingForm(), this.doctor(), this.remarks(), this.columns(), this.label(), data.head.length ? this.preview() : null);
    this.host.querySelector("#rule")?.dispatchEvent(new Event("restored"));
  }

  title() {
    const { data } = this.app;
    const gaps = data.columns.reduce((sum, one) => sum + one.missing, 0);
    const size = { rows: counted(data.rows_read), columns: data.columns.length, n: gaps };
    if (data.elsewhere) return t("{rows} rows, {columns} columns, counted where they are", size);
    return gaps ? t("{rows} rows, {columns} columns, {n} values missing", size) : t("{rows} rows, {columns} columns, nothing missing", size);
  }

  wayOfReading() {
    const { data } = this.app;
    const reading = Object.entries(data.reading ?? {}).filter(([, one]) => one !== null && one !== "" && String(one) !== "");
    const said = reading.map(([name, one]) => `${t({ header_row: "row of the names", delimiter: "cells are separated by", decimal: "decimal sign", sheet: "sheet", na: "codes of missing values" }[name] ?? name)}: ${one === "\t" ? t("tab") : [one].flat().join(" ")}`);
    return said.length ? `${data.called} (${said.join("; ")}).` : `${data.called}.`;
  }

  trail() { return trailOf(this.app); }

  // -- the guess ---------------------------------------------------------------------------------------------

  doctor() {
    const { app } = this;
    const { roles, confirmed } = app.state;
    const { overview } = app;
    if (confirmed || overview || app.refusedOverview) {
      const ready = overview !== null;
      return h("section.doctor", { id: "doctor", class: ready ? "doctor done" : "doctor", "aria-label": t("How the columns are understood") },
        h("div.cols", {}, h("b", { id: ready ? "headline" : null }, ready ? app.answerInWords() : app.ready ? t("There is no answer yet") : this.followed(roles) ? t("Asked is who has the event by when.") : t("Choose a label and a score among the columns.")), app.refusedOverview ? app.refusal(app.refusedOverview, "compact") : null, this.guessed(roles)),
        ready ? h("div.row", {}, button(t("Show the curves"), () => app.open("curves"), { kind: "main", id: "to-curves" })) : this.followed(roles) ? h("div.row", {}, button(t("Over time"), () => app.open("time"), { kind: "main", id: "to-time" })) : null);
    }
    const guess = this.found?.guess;
    if (!guess) return h("section.doctor", { id: "doctor" }, h("b", {}, app.data.elsewhere ? t("Say what the columns are: one label and at least one score.") : t("Looking through the columns …")));
    if (!guess.label || guess.score.length === 0) return h("section.doctor", { id: "doctor" }, h("b", {}, guess.label ? t("No column looks like a score: choose one below.") : guess.followed ? t("These look like cases that were followed.") : t("No column looks like a label: choose one below.")), null);
    const { rivals } = guess;
    return h("section.doctor", { id: "doctor", "aria-label": t("How the columns are understood") },
      h("div.cols", {}, h("b", {}, t("The columns look like this. Is it right?")), this.guessed(guess), rivals.length ? h("div.row", {}, h("span.quiet", {}, t("Or is the label")), rivals.slice(0, 4).map((one) => small(one, () => this.confirm({ label: one })))) : null),
      h("div.row", {}, h("button.btn.main", { type: "button", id: "confirm", onclick: () => this.confirm() }, icon("check"), t("Yes, use this")), button(t("Change"), () => this.host.querySelector(".chip")?.focus())));
  }

  followed(roles) { return roles.time !== null && roles.event !== null && roles.score.length > 0; }

  guessed(parts) {
    const lines = [["Label", parts.label], ["Positive", parts.positive ? [parts.positive].flat().join(", ") : null], ["Scores", (parts.score ?? []).slice(0, 6).join(", ") + ((parts.score ?? []).length > 6 ? " …" : "")], ["Subject", parts.id], ["Fold", parts.fold], ["Group", parts.by ?? parts.group ?? null], ["Follow-up", parts.time ?? null], ["What ended it", parts.event ?? null]];
    return h("dl.guess", {}, lines.filter(([, one]) => one).map(([name, one]) => h("div", {}, h("dt", {}, t(name)), h("dd", {}, one))));
  }

  // One step: all roles of the guess.
  confirm({ label = null } = {}) {
    const { app } = this;
    const { guess } = this.found;
    const chosen = label ?? guess.label;
    const several = this.column(chosen).values.length > 2;
    app.session.set({
      confirmed: true,
      roles: {
        label: chosen, positive: label ? defaultPositive(this.column(label)) : several ? null : guess.positive, negative: null, score: guess.score.filter((one) => one !== chosen),
        id: this.repeated(guess.id) ? guess.id : null, fold: guess.fold, by: guess.group,
      },
    });
  }

  // A key that every row has once says nothing about the sampling.
  repeated(name) { return name !== null && !this.column(name).is_key; }

  // -- remarks, each with its remedy ---------------------------------------------------------------------------

  remarks() {
    const { app } = this;
    const { roles, answered, confirmed } = app.state;
    const used = new Set([roles.label, ...roles.score, roles.id, roles.fold, roles.weight].filter(Boolean));
    const settled = (name) => app.session.set({ answered: [...answered, name] }, {});
    const found = [];
    for (const one of app.data.columns.filter((column) => column.code && !answered.includes(`code ${column.name}`)).slice(0, 5)) {
      found.push(banner("warn", t("{code} stands {count} times in {name} and is far from all others. What does it mean?", { code: measured(one.code[0]), count: one.code[1], name: one.name }),
        small(t("A missing value"), () => this.missingCode(one), { id: `code-missing-${app.data.columns.indexOf(one)}` }), small(t("A measurement"), () => settled(`code ${one.name}`))));
    }
    for (const trap of this.found?.traps ?? []) {
      if (trap.keyword === "na" && !this.column(trap.column)?.code && !answered.includes(`code ${trap.column}`)) {
        found.push(banner("warn", t("{name} holds words among its numbers, such as {value}.", { name: trap.column, value: trap.value }), small(t("They are missing values"), () => this.readWith([trap.value])), small(t("Leave it"), () => settled(`code ${trap.column}`))));
      }
      if (trap.keyword === "direction" && roles.direction[trap.column] !== "lower" && (!confirmed || roles.score.includes(trap.column)) && !answered.includes(`direction ${trap.column}`)) {
        found.push(banner("warn", t("Low values of {name} go with {positive}.", { name: trap.column, positive: [roles.positive ?? this.found.guess.positive].flat().join(", ") }),
          small(t("Turn {name} round", { name: trap.column }), () => app.session.set({ roles: { direction: { ...roles.direction, [trap.column]: "lower" } } }), { dataset: { turn: trap.column } }), small(t("Leave it"), () => settled(`direction ${trap.column}`))));
      }
      if (trap.keyword === "ids" && confirmed && roles.id !== trap.column && !answered.includes(`ids ${trap.column}`)) {
        found.push(banner("info", t("Rows of one {name} belong together: {n} of them in {rows} rows.", { name: trap.column, n: this.column(trap.column).distinct, rows: app.data.rows_read }), small(t("Count subjects"), () => this.assign([trap.column], "id")), small(t("Leave it"), () => settled(`ids ${trap.column}`))));
      }
    }
    const gaps = [...used].map((name) => this.column(name)).filter((one) => one?.missing > 0);
    if (roles.missing === "drop") found.push(banner("good", t("Cases that lack a value are left out and counted in every answer."), small(t("Keep them"), () => app.session.set({ roles: { missing: "error" } }), { id: "keep-missing" })));
    else if (gaps.length) {
      const most = gaps.reduce((sum, one) => sum + one.missing, 0);
      found.push(banner("warn", t("Values are missing: {list}.", { list: gaps.map((one) => `${one.name} ${one.missing}`).join(", ") }),
        small(gaps.length === 1 ? t("Leave out {n} cases", { n: most }) : t("Leave out cases that lack a value"), () => app.session.set({ roles: { missing: "drop" } }), { id: "drop-missing" })));
    }
    found.unshift(followUpBanner(app, this.found));
    return found.some(Boolean) ? h("div.cols", { id: "remarks" }, found) : null;
  }

  missingCode(one) {
    const known = [...this.app.state.answered, `code ${one.name}`];
    this.readWith([one.code[0]], known);
  }

  async readWith(codes, answered = this.app.state.answered) {
    const { app } = this;
    try {
      const data = await api.readAnew(app.data.key, { ...app.data.reading, na: [...(app.data.reading.na ?? []), ...codes] });
      app.session.set({ answered }, { aside: true, quiet: true });
      app.readDifferently(data, { roles: { missing: "drop" } });
      toast(t("Cases that lack a value are left out and counted in every answer."));
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      app.say(error.message, "bad");
    }
  }

  // -- columns and their parts ------------------------------------------------------------------------------

  roleOf(name) {
    const { roles } = this.app.state;
    if (roles.score.includes(name)) return "score";
    return SINGLE.find((part) => roles[part] === name) ?? "";
  }

  // One step, however many columns.
  assign(names, part) {
    const { roles } = this.app.state;
    const next = { score: roles.score.filter((one) => !names.includes(one)), direction: { ...roles.direction } };
    for (const one of SINGLE) if (names.includes(roles[one])) next[one] = null;
    if (names.includes(roles.label) && part !== "label") Object.assign(next, { positive: null, negative: null });
    for (const name of names) {
      if (part === "score") next.score.push(name);
      else {
        if (part !== "") next[part] = name;
        delete next.direction[name];
      }
    }
    if (part === "label") Object.assign(next, { positive: defaultPositive(this.column(names[0])), negative: null });
    this.app.session.set({ confirmed: true, roles: next });
  }

  // The roles that are usual for such a column; the others are one press further.
  fits(one) {
    if (one.kind === "unread") return ROLES.map(([part]) => part);
    if (one.is_key && one.kind !== "number") return ["id"];
    if (one.kind === "number") return one.is_class ? ["score", "label"] : ["score"];
    return one.is_class ? ["label", "by", "fold"] : ["id"];
  }

  columns() {
    const { app } = this;
    const all = app.data.columns;
    const { positive } = app.state.confirmed ? app.state.roles : this.found?.guess ?? {};
    const bulk = this.bulk = h("div.row", {});
    this.drawBulk();
    const find = all.length > 20 ? h("input", { type: "search", id: "find-column", placeholder: t("Find a column"), "aria-label": t("Find a column"), value: this.ticked.find ?? "", oninput: () => { this.ticked.find = find.value; this.drawRows(); } }) : null;
    this.body = h("tbody");
    this.drawRows();
    return panel(t("Columns"), [find ? h("label.field", {}, find) : null, bulk, positive ? h("span.quiet", {}, swatch("pos", [positive].flat().join(", ")), swatch("neg", t("others"))) : null],
      h("table.columns.stack.wide", { id: "columns" }, h("thead", {}, h("tr", {}, h("td", {}, h("span.unseen", {}, t("Ticked"))), ["Column", "Distribution", "Values", "Role"].map((one) => h("th", { scope: "col" }, t(one))))), this.body));
  }

  drawRows() {
    const sought = (this.ticked.find ?? "").toLowerCase();
    const shown = this.app.data.columns.map((one, at) => [one, at]).filter(([one]) => one.name.toLowerCase().includes(sought));
    this.body.replaceChildren(...shown.slice(0, MOST).map(([one, at]) => this.row(one, at)));
    if (shown.length > MOST) this.body.append(h("tr", {}, h("td", { colspan: 5 }, t("{n} more: find them by name.", { n: shown.length - MOST }))));
  }

  row(one, at) {
    const role = this.roleOf(one.name);
    const bins = this.found?.bars?.[one.name];
    const tick = h("input", { type: "checkbox", id: `tick-${at}`, "aria-label": t("Tick {name}", { name: one.name }), checked: this.ticked.names.has(one.name), onchange: () => {
      if (tick.checked) this.ticked.names.add(one.name); else this.ticked.names.delete(one.name);
      this.drawBulk();
    } });
    const chip = (part, words) => h("button.chip", { type: "button", id: `role-${at}-${part || "none"}`, "aria-pressed": String(role === part), onclick: () => this.assign([one.name], part) }, t(words));
    const fits = this.fits(one);
    return h("tr", { class: role === "label" ? "is-label" : null, dataset: { column: one.name } }, h("td.hide", {}, tick), h("th.full", { scope: "row" }, h("span.name", {}, h("span", { dataset: { name: "" } }, one.name), h("span.quiet", {}, kindOf(one)))),
      h("td", {}, bins ? tiny(bins) : h("span.quiet", {}, "–")), h("td.quiet.full.values", {}, valuesOf(one), one.missing ? h("span.warn-text", {}, ` · ${t("{n} missing", { n: one.missing })}`) : null),
      h("td.full", {}, h("div.roles", { role: "group", "aria-label": t("Role of {name}", { name: one.name }) }, ROLES.filter(([part]) => fits.includes(part) || role === part || this.ticked.wide === one.name).map(([part, words]) => chip(part, words)), chip("", "Leave out"),
        this.ticked.wide === one.name ? null : h("button.chip", { type: "button", id: `role-${at}-more`, "aria-label": t("More roles of {name}", { name: one.name }), onclick: () => { this.ticked.wide = one.name; this.drawRows(); document.getElementById(`role-${at}-score`)?.focus(); } }, "…")),
        role === "score" ? this.direction(one, at) : null));
  }

  direction(one, at) {
    const side = this.app.state.roles.direction[one.name] ?? "higher";
    const positive = this.app.state.roles.positive === null ? t("positive") : [this.app.state.roles.positive].flat().join(", ");
    return h("button.link", { type: "button", id: `direction-${at}`, dataset: { side }, onclick: () => this.app.session.set({ roles: { direction: { ...this.app.state.roles.direction, [one.name]: side === "lower" ? "higher" : "lower" } } }) },
      t(side === "lower" ? "low values mean {positive}" : "high values mean {positive}", { positive }));
  }

  // Ticked columns get a role together.
  drawBulk() {
    const names = [...this.ticked.names];
    this.bulk.replaceChildren();
    if (names.length === 0) return;
    const all = (part) => () => { this.ticked.names.clear(); this.assign(names, part); };
    const scores = names.filter((one) => this.fits(this.column(one)).includes("score"));
    this.bulk.append(h("b", {}, t("{n} ticked:", { n: names.length })), small(t("Make scores"), () => { this.ticked.names.clear(); this.assign(scores, "score"); }, { id: "make-scores", disabled: scores.length === 0 }), small(t("Leave out"), all(""), { id: "leave-out" }));
  }

  // -- the classes ---------------------------------------------------------------------------------------------

  label() {
    const { app } = this;
    const { roles } = app.state;
    if (roles.label === null) return null;
    const column = this.column(roles.label);
    if (!column) return null;
    const choose = (changes) => {
      app.typedRule = null;
      app.session.set({ roles: changes });
    };
    const several = column.values.length > 2;
    const ticked = [roles.positive ?? []].flat();
    const join = (value, on) => {
      const next = column.values.map(([one]) => one).filter((one) => (one === value ? on : ticked.includes(one)));
      choose({ positive: next.length > 1 ? next : next[0] ?? null, negative: next.includes(roles.negative) ? null : roles.negative });
    };
    const classes = several ? column.values.map(([value, count]) => {
      const box = h("input", { type: "checkbox", id: `positive-${value}`, value, checked: ticked.includes(value), onchange: () => join(value, box.checked) });
      return h("label.check", {}, box, h("span", {}, `${value} (${counted(count)})`));
    }) : column.values.map(([value, count]) => h("label.check", {}, h("input", { type: "radio", name: "positive", id: `positive-${value}`, value, checked: roles.positive === value, onchange: () => choose({ positive: value }) }), h("span", {}, `${value} (${counted(count)})`)));
    const against = several && ticked.length > 0 && column.values.length > ticked.length + 1 && column.values.some(([value]) => ticked.includes(value)) ? h("fieldset", { id: "against" }, h("legend", {}, t("Against which classes?")), h("label.check", {}, h("input", { type: "radio", name: "negative", checked: roles.negative === null, onchange: () => choose({ negative: null }) }), h("span", {}, t("all the rest"))),
      column.values.filter(([value]) => !ticked.includes(value)).map(([value, count]) => h("label.check", {}, h("input", { type: "radio", name: "negative", id: `negative-${value}`, checked: roles.negative === value, onchange: () => choose({ negative: value }) }), h("span", {}, t("only {name}", { name: `${value} (${counted(count)})` }))))) : null;
    // What is being typed outlives an answer that arrives meanwhile and draws the view anew.
    const typed = app.typedRule?.label === roles.label ? app.typedRule.text : null;
    const rule = h("input", { type: "text", id: "rule", size: 10, placeholder: "> 6.5", value: typed ?? (/^[<>≤≥]/.test(String(roles.positive ?? "")) ? roles.positive : ""), oninput: () => { app.typedRule = { label: roles.label, text: rule.value }; } });
    const ruled = column.kind === "word" || column.kind === "truth" ? null : h("form.row", { onsubmit: (event) => { event.preventDefault(); choose({ positive: rule.value.trim() || null }); } }, h("label.field", {}, h("span", {}, t("or a threshold on the number")), rule), h("button.btn", { type: "submit", id: "use-rule" }, t("Use")));
    return panel(t("Which class of {name} is positive?", { name: roles.label }), null, h("div.row", { id: "positive" }, classes), ruled, against);
  }

  // -- how the file is read --------------------------------------------------------------------------------------

  unfoldReading() {
    this.form.hidden = !this.form.hidden;
    if (!this.form.hidden) this.form.querySelector("select, input")?.focus();
  }

  readingForm() {
    const { app } = this;
    const { reading } = app.data;
    const wanted = { ...reading };
    const set = (name) => (value) => { wanted[name] = value === "" ? null : value; };
    const field = (label, value, changed, id) => {
      const box = h("input", { type: "text", id, value, onchange: () => changed(box.value) });
      return h("label.field", {}, h("span", {}, label), box);
    };
    this.form = h("form.panel", { id: "reading", hidden: true, onsubmit: (event) => { event.preventDefault(); this.readAgain(wanted); } }, h("h2", {}, t("How the file is read")), h("div.fields", {},
      select(t("cells are separated by"), [["", t("as found")], [",", ","], [";", ";"], ["\t", t("tab")], ["|", "|"]], reading.delimiter ?? "", set("delimiter"), { id: "read-delimiter" }),
      select(t("decimal sign"), [["", t("as found")], [".", "."], [",", ","]], reading.decimal ?? "", set("decimal"), { id: "read-decimal" }),
      number(t("row of the names"), reading.header_row ?? null, set("header_row"), { min: 1, step: 1, id: "read-header" }), field(t("sheet"), reading.sheet ?? "", set("sheet"), "read-sheet"),
      field(t("codes of missing values"), (reading.na ?? []).join(" "), (value) => { wanted.na = value.split(/\s+/).filter(Boolean); }, "read-na")), h("div.row", {}, h("button.btn", { type: "submit" }, t("Read again"))));
    return app.data.elsewhere ? null : this.form;
  }

  async readAgain(reading) {
    try {
      await this.app.readAnew(reading);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.app.say(error.message, "bad");
    }
  }

  preview() {
    const { data } = this.app;
    const columns = data.columns.slice(0, 30).map((one) => one.name);
    return panel(t("First rows"), null, tableOf({ columns, rows: data.head.slice(0, 8).map((row) => columns.map((name) => row[name])) }, { name: t("First rows"), words: true }));
  }
}

// Where the data came from, each step a link back.
export function trailOf(app, more = []) {
  const { trail } = app.state;
  if (trail.length === 0 && more.length === 0) return null;
  return h("nav", { "aria-label": t("Trail") }, h("ol.crumbs", {}, trail.map((one, at) => h("li", {}, h("a", { href: "#/data", dataset: { trail: at }, onclick: (event) => { event.preventDefault(); app.goBack(at); } }, one.words))), h("li", {}, h("span", { "aria-current": more.length ? null : "page" }, app.data.called)), more));
}

// 1 and true need no mention; of other classes none is guessed.
function defaultPositive(column) {
  const values = column.values.map(([value]) => value);
  if (values.length !== 2) return null;
  return ["1", "true", "True"].find((one) => values.includes(one)) ?? null;
}

function kindOf(one) {
  if (one.kind === "unread") return t("unread");
  if (one.is_key) return t("each value once");
  return one.kind === "number" ? t("number") : t("{n} different values", { n: counted(one.distinct) });
}

function valuesOf(one) {
  if (one.kind === "unread") return "";
  if (one.values.length > 0 && one.values.length <= 6) return one.values.map(([value, count]) => `${value} (${counted(count)})`).join(", ");
  if (one.low !== null) return `${measured(one.low)} – ${measured(one.high)}`;
  return "";
}
