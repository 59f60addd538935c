// How many readers and cases a reader study needs, from a typical study or from the one that is open.

import { h, number, select } from "../../dom.js";
import { button, inWords } from "../../parts.js";
import { tableOf } from "../../tables.js";
import { t } from "../../text.js";

const TYPICAL = [["low_reader_low_case", "readers alike, cases alike"], ["low_reader_high_case", "readers alike, cases unlike"], ["high_reader_low_case", "readers unlike, cases alike"], ["high_reader_high_case", "readers unlike, cases unlike"]];
const RANDOM = [["both", "other readers and other cases"], ["readers", "other readers, these cases"], ["cases", "these readers, other cases"]];

export function build(view) {
  const asked = { kind: "high_reader_high_case", area: 0.85, difference: 0.05, readers: null, cases: null, power: 0.8, prevalence: 0.5, random: "both", margin: null };
  const run = () => {
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
    view.run("reader_plan", { ...given, level: view.app.state.level }, {}, (answer) => view.add(
      h("h3", {}, t("Fewest cases for this power")), tableOf(answer.smallest, { name: "fewest cases" }) ?? h("p.note", {}, t("No number of cases reaches this power.")),
      h("h3", {}, t("Power by readers and cases")), tableOf(answer.table, { name: "power" }), inWords(answer),
    ));
  };
  const field = (name, words, more) => number(t(words), asked[name], (value) => { asked[name] = value; }, { id: `reader-plan-${name}`, ...more });
  return h("div.cols", {}, h("p.note", {}, t("Two modalities are read by every reader in all cases. Leave readers or cases empty to see several.")),
    h("div.fields", {}, select(t("A study in which"), TYPICAL.map(([name, words]) => [name, t(words)]), asked.kind, (value) => { asked.kind = value; }, { id: "reader-plan-kind" }), select(t("It is to hold for"), RANDOM.map(([name, words]) => [name, t(words)]), asked.random, (value) => { asked.random = value; }, { id: "reader-plan-random" }),
      field("area", "area expected", { min: 0.5, max: 1 }), field("difference", "difference worth seeing", { min: 0, max: 1 }), field("margin", "margin of non-inferiority", { min: 0, max: 1 }), field("readers", "Readers", { min: 2, step: 1 }), field("cases", "cases", { min: 4, step: 1 }), field("power", "power", { min: 0, max: 1 }), field("prevalence", "share of positive cases", { min: 0, max: 1, share: true })),
    h("div.row", {}, button(t("Plan"), run, { kind: "main", id: "run-reader-plan" })));
}
