// The legend: one button per score. A press hides or shows its curve, pointing at it or focusing it lifts the curve out.

export function connectLegend(list, store, root = document) {
  const buttons = [...list.querySelectorAll("[data-legend]")];
  const nameOf = (button) => store.scores[Number(button.dataset.legend)].name;
  let lit = null;
  const light = () => {
    for (const line of root.querySelectorAll("[data-curve]")) {
      line.classList.toggle("lit", lit !== null && line.dataset.curve === lit);
      line.classList.toggle("dim", lit !== null && line.dataset.curve !== lit);
    }
  };
  const lightOf = (button) => { lit = button === null ? null : button.dataset.legend; light(); };
  for (const button of buttons) {
    button.addEventListener("click", () => store.toggle(nameOf(button)));
    button.addEventListener("pointerenter", () => lightOf(button));
    button.addEventListener("pointerleave", () => lightOf(null));
    button.addEventListener("focus", () => lightOf(button));
    button.addEventListener("blur", () => lightOf(null));
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = buttons[buttons.indexOf(root.activeElement) + step];
    if (step === undefined || next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  store.listen(() => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(!store.hidden.has(nameOf(button))));
      button.classList.toggle("active", nameOf(button) === store.score.name);
    }
    light(); // panels may have been drawn anew
  });
}
