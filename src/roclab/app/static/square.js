// The 2 × 2 table as a tinted square: right decisions blue, wrong ones hatched, each with its share of the class.

import { counted, share } from "./digits.js";
import { h } from "./dom.js";
import { t } from "./text.js";

const CELLS = { tp: ["right", "found"], fp: ["wrong", "false alarms"], fn: ["wrong", "missed"], tn: ["right", "rightly cleared"] };

// Without `press` the cells are no buttons.
export function square({ positive, negative, press = null, chosen = null }) {
  const cells = Object.fromEntries(Object.entries(CELLS).map(([name, [kind, words]]) => {
    const number = h("b", { dataset: { value: name } });
    const part = h("span", { dataset: { share: name } });
    return [name, { number, part, node: h(`${press ? "button" : "div"}.cell.${kind}`, press ? { type: "button", dataset: { cell: name }, "aria-pressed": chosen === null ? null : String(chosen === name), title: t("List these rows"), onclick: () => press(name) } : { dataset: { cell: name } }, number, h("span", {}, t(words)), part) }];
  }));
  const sums = { pos: h("span.sum"), neg: h("span.sum"), p: h("span.sum.below"), n: h("span.sum.below"), all: h("span.sum.below") };
  const node = h("div.square", {}, h("span"), h("span.h.top", {}, t("is {name}", { name: positive })), h("span.h.top", {}, t("is {name}", { name: negative })), h("span.sum", {}, t("all")),
    h("span.h", {}, t("classified as {name}", { name: positive })), cells.tp.node, cells.fp.node, sums.pos, h("span.h", {}, t("classified as {name}", { name: negative })), cells.fn.node, cells.tn.node, sums.neg, h("span.h.below", {}, t("all")), sums.p, sums.n, sums.all);
  const paint = ({ tp, fp, fn, tn }) => {
    const of = { tp: tp + fn, fn: tp + fn, fp: fp + tn, tn: fp + tn };
    for (const [name, count] of Object.entries({ tp, fp, fn, tn })) {
      cells[name].number.textContent = counted(count);
      cells[name].number.dataset.exact = count;
      cells[name].part.textContent = of[name] > 0 ? share(count / of[name]) : "–";
    }
    Object.entries({ pos: tp + fp, neg: fn + tn, p: tp + fn, n: fp + tn, all: tp + fp + fn + tn }).forEach(([name, count]) => { sums[name].textContent = counted(count); });
  };
  return { node, paint };
}
