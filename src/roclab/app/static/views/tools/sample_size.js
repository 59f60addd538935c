// Sample size: how many cases does a study need?

import { h, number } from "../../dom.js";
import { button } from "../../parts.js";
import { t } from "../../text.js";

export function build(view) {
  const asked = { area: 0.8, null: 0.5, other: null, correlation: null, power: 0.8, ratio: 1, n_pos: null, n_neg: null };
  const shares = ["area", "null", "other", "correlation", "power"];
  const field = (name, label) => number(t(label), asked[name], (value) => { asked[name] = value; }, { id: `plan-${name}`, ...(shares.includes(name) ? { min: name === "correlation" ? -1 : 0, max: 1 } : { min: 0 }), ...(name.startsWith("n_") ? { step: 1 } : {}) });
  return h("div.cols", {}, h("p.note", {}, t("Leave empty what is to be found: the cases, the power, or the area.")), h("div.fields", {},
    field("area", "area expected"), field("null", "against"), field("other", "or compared with another area"), field("correlation", "correlation of both areas"),
    field("power", "power"), field("ratio", "negatives per positive"), field("n_pos", "positive cases"), field("n_neg", "negative cases")),
  h("div.row", {}, button(t("Plan"), () => {
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
    if (given.other !== undefined) delete given.null; else delete given.correlation;
    if (given.n_pos !== undefined && given.n_neg !== undefined) delete given.ratio;
    view.run("plan", given, {});
  }, { kind: "main", id: "run-plan" })));
}
