// Screening: every numeric column as a marker; those ticked become scores.

import { h, select } from "../../dom.js";
import { button, inWords } from "../../parts.js";
import { rowsOf, tableOf } from "../../tables.js";
import { t } from "../../text.js";

export function build(view) {
  const { app } = view;
  const { label, positive, negative, weight, id, missing } = app.state.roles;
  if (!label) return h("p.note", {}, t("Choose a label among the columns first."));
  const asked = { adjust: "holm", direction: "auto" };
  const shown = (answer) => {
    const ticked = new Set();
    const take = button(t("Take the ticked ones as scores"), () => {
      const rows = rowsOf(answer.table).filter((one) => ticked.has(one.marker ?? one.score));
      app.session.set({ confirmed: true, roles: { score: rows.map((one) => one.marker ?? one.score), direction: Object.fromEntries(rows.filter((one) => one.direction === "lower").map((one) => [one.marker ?? one.score, "lower"])) } });
      app.open("curves");
    }, { kind: "main", id: "take-markers", disabled: true });
    const named = answer.table.columns[0];
    const table = tableOf(answer.table, { name: "screen" });
    view.answer.append(h("div.row", {}, take), table);
    const ticks = () => {
      for (const row of table.querySelectorAll("tbody tr")) {
        const first = row.firstElementChild;
        if (first.querySelector("input")) continue;
        const name = first.dataset.exact;
        const box = h("input", { type: "checkbox", "aria-label": t("Tick {name}", { name }), checked: ticked.has(name), onchange: () => { if (box.checked) ticked.add(name); else ticked.delete(name); take.disabled = ticked.size === 0; } });
        first.prepend(box, " ");
      }
    };
    ticks();
    table.querySelector("thead").addEventListener("click", ticks);
    view.add(inWords(answer));
    return named;
  };
  return h("div.row.fields-line", {}, h("p", {}, t("Every numeric column against {label}.", { label })), select(t("many markers"), app.desk.choices.adjustments.map((one) => [one, t(one)]), asked.adjust, (value) => { asked.adjust = value; }, { id: "screen-adjust" }),
    select(t("positive means"), [["auto", t("as each marker points")], ["higher", t("higher")], ["lower", t("lower")]], asked.direction, (value) => { asked.direction = value; }, { id: "screen-direction" }),
    button(t("Screen"), () => view.run("screen", { adjust: asked.adjust, level: app.state.level }, { label, positive, negative, weight, id, missing, direction: asked.direction }, shown), { kind: "main", id: "run-screen" }));
}
