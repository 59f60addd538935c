// A forest as a table: rows of values with intervals on one scale, and their numbers beside them.

import { pValue, withRange } from "../digits.js";
import { h } from "../dom.js";
import { t } from "../text.js";
import { intervalRow, scaleOf, scaleRow } from "./intervals.js";
import { dashOf, keyLine } from "./lines.js";

// items: { name, under, score, value, low, high, p }; `at` is the value of no difference.
export function forestTable(app, items, { at = null, title, head, value, least = null, most = null, p = t("adjusted p"), wraps = false }) {
  const scores = app.store?.scores ?? [];
  const scale = scaleOf(items.flatMap((one) => [one.value, one.low, one.high]), { at, least, most });
  const inkOf = (name) => scores.findIndex((one) => one.name === name);
  const withP = items.some((one) => one.p !== undefined);
  return h("table.stack.forest-table", { "aria-label": title }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, head), h("th", { scope: "col" }, h("span.unseen", {}, title)), h("th.num", { scope: "col" }, t("{name} ({level} interval)", { name: value, level: `${100 * app.state.level} %` })), withP ? h("th.num", { scope: "col" }, p) : null)),
    h("tbody", {}, items.map((one) => {
      const place = inkOf(one.score ?? "");
      const text = withRange(one.value, one.low, one.high);
      const [number, ...ends] = text.split(" (");
      return h("tr", {}, h("th", { scope: "row" }, place >= 0 ? [keyLine(place % 10, dashOf(place)), " "] : null, one.name, one.under ? [h("br"), h(wraps ? "span.quiet" : "span.quiet.nowrap", {}, one.under)] : null),
        h("td.plotcol.full", {}, intervalRow(scale, [{ ...one, colour: place >= 0 ? place % 10 : undefined }], { at, label: text })), h("td.num", { dataset: { exact: one.value } }, h("b", {}, number), ends.length ? h("span.ci", {}, ` (${ends.join(" (")}`) : null),
        withP ? h("td.num", { dataset: { name: "p" } }, pValue(one.p)) : null);
    }), h("tr.scale", {}, h("td.hide"), h("td.plotcol.full", {}, scaleRow(scale)), h("td.hide"), withP ? h("td.hide") : null)));
}
