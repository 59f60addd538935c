// Marks of a detector and the lesions of the reference, as two tables: sensitivity by false marks per scan.

import * as api from "../../api.js";
import { lineChart } from "../../charts/lines.js";
import { fill, h, number, select } from "../../dom.js";
import { withRange } from "../../digits.js";
import { button } from "../../parts.js";
import { tableOf } from "../../tables.js";
import { t } from "../../text.js";

const TICKS = [0.125, 0.25, 0.5, 1, 2, 4, 8];

export function build(view) {
  const { app } = view;
  const columns = app.data.columns.map((one) => [one.name, one.name]);
  const like = (pattern) => app.data.columns.find((one) => pattern.test(one.name))?.name ?? "";
  const asked = { beside: null, scan: like(/^(seriesuid|scan|patient|case|image)/i), score: like(/^(probability|score|confidence)/i), reach: null, smallest: null };
  const told = h("p.note", { id: "froc-lesions", role: "status" }, t("No table of lesions yet."));
  const opened = async (open) => {
    try {
      const data = await open();
      asked.beside = data.key;
      told.textContent = t("{name}: {rows} lesions", { name: data.called, rows: data.rows_read });
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      fill(view.answer, h("p.error", { role: "alert" }, error.message));
    }
  };
  const file = h("input.unseen", { type: "file", id: "froc-file", tabindex: -1, "aria-label": t("Table of lesions"), onchange: () => file.files[0] && opened(() => api.upload(file.files[0])) });
  const run = () => {
    const { beside, ...options } = asked;
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== ""));
    view.run("froc", { ...given, level: app.state.level }, {}, (answer) => show(view, answer), { beside });
  };
  return h("div.cols", {}, h("p", {}, t("The table that is open holds the marks: scan, place (coordX, coordY, coordZ in millimetres) and score. Choose the table of lesions: scan, place and diameter_mm.")),
    h("div.row", {}, button(t("Choose the lesions"), () => file.click(), { sign: "file", id: "choose-lesions" }), button(t("Lesions of the example"), () => opened(() => api.openPath("lesions")), { id: "example-lesions" }), file, told),
    h("div.row.fields-line", {}, select(t("scan"), columns, asked.scan, (value) => { asked.scan = value; }, { id: "froc-scan" }), select(t("score"), columns, asked.score, (value) => { asked.score = value; }, { id: "froc-score" }),
      number(t("distance that counts as found, mm"), null, (value) => { asked.reach = value; }, { id: "froc-reach", min: 0, hint: t("empty: the radius of each lesion") }), number(t("smallest diameter, mm"), null, (value) => { asked.smallest = value; }, { id: "froc-smallest", min: 0 }),
      button(t("Show the FROC curve"), run, { kind: "main", id: "run-froc" })));
}

function show(view, answer) {
  const log = Math.log2;
  const x = [log(TICKS[0]), log(TICKS.at(-1))];
  const start = log(TICKS[0]) - 1;
  const points = answer.curve.x.map((rate, at) => ({ x: rate > 0 ? Math.max(log(rate), start) : start, y: answer.curve.y[at] }));
  points.push({ x: x[1], y: answer.curve.y.at(-1) }); // level beyond the last mark, as the table counts
  const chart = lineChart(() => ({
    titles: [t("false positive marks per scan"), t("Sensitivity")], label: t("FROC curve"), max: 680, x,
    xTicks: TICKS.map((one) => [log(one), one < 1 ? `1/${1 / one}` : String(one)]), lines: [{ colour: 0, pts: points, place: 0 }],
    bands: [{ colour: 0, x: answer.points.map((one) => log(one.x)), low: answer.points.map((one) => one.low), high: answer.points.map((one) => one.high) }],
    marks: answer.points.map((one) => ({ x: log(one.x), y: one.y, colour: 0 })),
  }));
  view.add(h("p.big-answer", { dataset: { exact: answer.cpm } }, t("On average {cpm} of the lesions are found (mean over seven rates of false marks)", { cpm: withRange(answer.cpm, answer.low, answer.high) })),
    h("p.note", {}, t("{scans} scans, {lesions} lesions; {missed} have no mark at any score; {marks} false marks.", { scans: answer.scans, lesions: answer.lesions, missed: answer.missed, marks: answer.false_positives })),
    chart, tableOf(answer.table, { name: "froc" }), h("h3", {}, t("Figures of merit")), tableOf(answer.areas, { name: "figures of merit" }), h("p.note", {}, t("Research use, not a medical device.")));
}
