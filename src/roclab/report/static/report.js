// The page: panels, read-outs and controls around one store.

import { CutoffTable } from "./cutoff_table.js";
import { connectDecimal } from "./decimal.js";
import { cheapest } from "./decision.js";
import { connectLegend } from "./legend.js";
import { CostPanel, DistributionPanel, MetricsPanel, PrecisionRecallPanel, RocPanel } from "./panels.js";
import { readOut } from "./readout.js";
import { Store } from "./store.js";
import { speak } from "./words.js";

const PANELS = {
  roc: RocPanel, precision: PrecisionRecallPanel, distribution: DistributionPanel, metrics: MetricsPanel, cost: CostPanel,
};

// The root is the page, or the part of a page of others that the explorer has to itself.
export function start(data, root = document) {
  if (data.words) speak((text) => data.words[text] ?? text);
  const store = new Store(data);
  const panels = [];
  for (const host of root.querySelectorAll("[data-panel]")) panels.push(new PANELS[host.dataset.panel](host, store));
  if (panels.length === 0) return null;
  connect(store, root);
  store.listen((what) => panels.forEach((panel) => panel.update(what)));
  store.listen(() => readOut(store, root));
  connectLegend(root.querySelector("#legend"), store, root);
  const table = root.querySelector("#all-cutoffs");
  if (table !== null) new CutoffTable(table, store);
  const decimal = root.querySelector("#decimal");
  if (decimal !== null) connectDecimal(decimal, () => store.changed("score"));
  root.querySelector("#print")?.addEventListener("click", () => window.print());
  store.changed("score");
  if (root === document) document.documentElement.classList.add("live");
  return store;
}

function connect(store, root) {
  const pickers = root.querySelectorAll("select.pick");
  for (const picker of pickers) picker.addEventListener("change", () => store.choose(picker.value));
  store.listen(() => pickers.forEach((one) => { const picker = one; picker.value = store.score.name; }));
  for (const name of ["prevalence", "costFp", "costFn"]) {
    const [range, number] = [`${name}-range`, name].map((id) => root.querySelector(`#${id}`));
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
  root.querySelector("#jumps").addEventListener("click", (event) => {
    const { jump } = event.target.dataset;
    if (jump === "cost") store.move(cheapest(store.score, store.conditions));
    else if (jump) store.move(store.score.jumps[jump]);
  });
}

const logit = (p) => Math.log10(p / (1 - p));
const expit = (v) => 1 / (1 + 10 ** -v);
