// Ways out of a refusal that are one press away: the server names them, the page does them.

import { small } from "./parts.js";
import { t } from "./text.js";

export function remedies(app, error) {
  const found = [];
  const { roles } = app.state;
  const { session, data } = app;
  const set = (changes) => session.set({ roles: changes });
  const lacking = [roles.label, ...roles.score].map((name) => data?.columns.find((one) => one.name === name)?.missing ?? 0);
  for (const { name, value } of error.ways ?? []) {
    if (name === "missing") {
      found.push([lacking.filter(Boolean).length === 1 ? t("Leave out {n} cases", { n: Math.max(...lacking) }) : t("Leave out cases that lack a value"), () => set({ missing: "drop" })]);
    } else if (name === "pos_label" && typeof value !== "object") found.push([t("{name} is positive", { name: value }), () => set({ positive: String(value) })]);
    else if (name === "direction" && roles.score.length === 1) found.push([t("Lower values of {name} mean positive", { name: roles.score[0] }), () => set({ direction: { [roles.score[0]]: value } })]);
  }
  if (error.argument === "pos_label" && roles.label) {
    const column = data.columns.find((one) => one.name === roles.label);
    for (const [value] of (column?.values ?? []).slice(0, 6)) found.push([t("{name} is positive", { name: value }), () => set({ positive: value })]);
  }
  const seen = new Set();
  return found.filter(([words]) => !seen.has(words) && seen.add(words)).map(([words, call]) => small(words, call));
}
