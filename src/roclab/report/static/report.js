// The page: panels, read-outs and controls around one store.

import { cheapest, equalCostSlope, expectedCost, matrixAt, metricsOf, predictiveValues } from "./decision.js";
import { formatCount, formatNumber, formatThreshold } from "./numbers.js";
import { CostPanel, DistributionPanel, MetricsPanel, PrecisionRecallPanel, RocPanel } from "./panels.js";
import { Store } from "./store.js";

const PANELS = {
  roc: RocPanel, precision: PrecisionRecallPanel, distribution: DistributionPanel, metrics: MetricsPanel, cost: CostPanel,
};

export function start(data) {
  const store = new Store(data);
  const panels = [];
  for (const host of document.querySelectorAll("[data-panel]")) panels.push(new PANELS[host.dataset.panel](host, store));
  if (panels.length === 0) return;
  connect(store);
  store.listen((what) => panels.forEach((panel) => panel.update(what)));
  store.listen(() => readOut(store));
  store.changed("score");
  document.documentElement.classList.add("live");
}

function connect(store) {
  const picker = document.getElementById("score");
  picker.value = store.score.name;
  picker.addEventListener("change", () => store.choose(picker.value));
  for (const name of ["prevalence", "costFp", "costFn"]) {
    const [range, number] = [`${name}-range`, name].map((id) => document.getElementById(id));
    const scale = name === "prevalence" ? { to: logit, from: expit } : { to: Math.log10, from: (v) => 10 ** v };
    const show = () => { range.value = scale.to(store.conditions[name]); };
    number.value = Number(store.conditions[name].toPrecision(4));
    show();
    range.addEventListener("input", () => {
      const value = Number(scale.from(Number(range.value)).toPrecision(3));
      number.value = value;
      store.assume({ [name]: value });
    });
    number.addEventListener("input", () => {
      const value = Number(number.value);
      const fits = name === "prevalence" ? value > 0 && value < 1 : value > 0 && value < Infinity;
      number.setAttribute("aria-invalid", String(!fits));
      if (!fits) return;
      store.assume({ [name]: value });
      show();
    });
  }
  document.getElementById("jumps").addEventListener("click", (event) => {
    const { jump } = event.target.dataset;
    if (jump === "cost") store.move(cheapest(store.score, store.conditions));
    else if (jump) store.move(store.score.jumps[jump]);
  });
}

const logit = (p) => Math.log10(p / (1 - p));
const expit = (v) => 1 / (1 + 10 ** -v);

function readOut(store) {
  const { score, at, conditions } = store;
  const matrix = matrixAt(score, at);
  const metrics = metricsOf(matrix);
  const there = predictiveValues(metrics, conditions.prevalence);
  const best = cheapest(score, conditions);
  const values = {
    ...matrix, ...metrics,
    ppv_there: there.ppv, npv_there: there.npv,
    slope: equalCostSlope(conditions),
    cost: expectedCost(metrics, conditions),
    cost_best: expectedCost(metricsOf(matrixAt(score, best)), conditions),
    threshold_best: score.thresholds[best],
  };
  for (const node of document.querySelectorAll("[data-value]")) {
    const name = node.dataset.value;
    const value = values[name];
    node.dataset.exact = value;
    if (name.startsWith("threshold")) node.textContent = formatThreshold(value);
    else node.textContent = ["tp", "fp", "fn", "tn"].includes(name) ? formatCount(value) : formatNumber(value);
  }
  for (const node of document.querySelectorAll("[data-sign]")) node.textContent = score.direction === "lower" ? "≤" : "≥";
  for (const node of document.querySelectorAll("[data-score]")) node.textContent = score.name;
}
