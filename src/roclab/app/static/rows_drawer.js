// The rows of the table themselves, all columns: to look at, to save, and to analyse on.

import * as api from "./api.js";
import { counted } from "./digits.js";
import { h } from "./dom.js";
import { save } from "./files.js";
import { small, toast } from "./parts.js";
import { tableOf } from "./tables.js";
import { t } from "./text.js";

// `question` answers with a table whose first column is the number of the row; `beside` adds columns to rows by their number.
export function showRows(app, { question, options, words, id, from, roles = undefined, beside = null }) {
  const place = h("div", { id });
  let numbers = [];
  const name = `${words}, ${from}`;
  const rowsText = async () => (await app.answer("rows", { rows: numbers, text: true }, { roles: {} })).text;
  const whole = (call) => async () => {
    try {
      await call(await rowsText());
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      app.say(error.message, "bad");
    }
  };
  const analyse = whole(async (text) => {
    const trail = app.trailTo(app.data.called);
    const data = await api.openText(text, `${words} (${app.data.called.replace(/\.[^.]*$/, "")}).csv`);
    const { label, positive, negative, score, direction, weight, id: subject, fold, by, missing } = app.state.roles;
    app.frame.drawer.close();
    app.take({ ...data, made: true }, { label, positive, negative, score, direction, weight, id: subject, fold, by, missing }, { trail, confirmed: true, view: "data" });
  });
  const saveAll = whole((text) => { save(`${name}.csv`, text, "text/csv;charset=utf-8"); toast(t("{n} rows saved.", { n: counted(numbers.length) })); });
  const title = h("span", {}, words);
  app.frame.drawer.open(words, [small(t("Analyse these rows"), analyse, { id: "analyse-rows" }), small(t("Save as CSV"), saveAll, { id: "save-rows" })], () => place, { low: true });
  app.frame.drawer.node.querySelector("h2").replaceChildren(title);
  app.work(place, question, options, (answer) => {
    const { columns, rows } = answer.table;
    numbers = options.rows ?? rows.map((row) => row[0]);
    title.textContent = `${counted(answer.count)} ${name}`;
    const shown = beside === null ? answer.table : { columns: [...columns, ...beside.columns], counts: [...(answer.table.counts ?? []), ...beside.columns.map(() => false)], rows: rows.map((row) => [...row, ...beside.of(row[0])]) };
    if (rows.length === 0) place.append(h("p.note", {}, t("There are none.")));
    else place.append(tableOf(shown, { caption: "", name, words: true }));
  }, { roles });
}

