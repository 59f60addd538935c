// The explorer in a notebook: the modules of the page inside one output, and the operating point shared with Python.

import { start } from "./report.js";

function isDark(element) {
  for (let node = element; node !== null; node = node.parentElement ?? node.getRootNode().host ?? null) {
    const [red, green, blue, opacity = 1] = (getComputedStyle(node).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (opacity > 0 && red !== undefined) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110;
  }
  return false;
}

export function render({ model, el }) {
  const host = document.createElement("div");
  el.append(host);
  const root = host.attachShadow({ mode: "open" }); // the notebook's styles and the explorer's leave each other alone
  const style = document.createElement("style");
  style.textContent = model.get("_style");
  const page = document.createElement("div");
  page.className = "explorer";
  page.append(...new DOMParser().parseFromString(model.get("_page"), "text/html").body.childNodes);
  root.append(style, page);
  host.dataset.ground = isDark(el) ? "dark" : "light";
  const store = start(model.get("_data"), root);
  const told = () => {
    if (model.get("score") !== store.score.name) store.choose(model.get("score"));
    store.move(model.get("_at"));
  };
  told();
  store.listen(() => {
    if (model.get("score") === store.score.name && model.get("_at") === store.at) return;
    model.set({ score: store.score.name, _at: store.at });
    model.save_changes();
  });
  model.on("change:score", told);
  model.on("change:_at", told);
  return () => { model.off("change:score", told); model.off("change:_at", told); };
}

export default { render };
