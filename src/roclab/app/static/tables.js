// Tables as the library gives them: columns, and rows of plain values; the digits are those of every other face.

import { inDecimal } from "/report/decimal.js";
import { formatCount, formatNumber } from "/report/numbers.js";
import { csvText } from "/report/cutoff_rows.js";
import { h } from "./dom.js";
import { save } from "./files.js";
import { t } from "./text.js";

export function cellText(value, count = Number.isInteger(value)) {
  if (value === null || value === undefined) return "–";
  if (value === "inf") return "∞";
  if (value === "-inf") return "−∞";
  if (typeof value === "number") return inDecimal(count ? formatCount(value) : formatNumber(value));
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return String(value);
}

const isNumber = (value) => typeof value === "number" || value === "inf" || value === "-inf";

// Columns "x low" and "x high" right after x are its limits and stand in its cell; CSV keeps them apart.
const hasLimits = (columns, at) => columns[at + 1] === `${columns[at]} low` && columns[at + 2] === `${columns[at]} high`;

// With `pick`, rows are pressed: pick(row, index) gets the cells by column.
export function tableOf(table, { caption = "", name = "table", pick = null, most = 200 } = {}) {
  if (!table || table.rows.length === 0) return null;
  let { rows } = table;
  const sorted = { at: null, down: false };
  const numeric = table.columns.map((_, at) => rows.some((row) => isNumber(row[at])));
  const body = h("tbody");
  const limited = table.columns.map((_, at) => hasLimits(table.columns, at));
  const own = table.columns.map((_, at) => !limited[at - 1] && !limited[at - 2]);
  const heads = table.columns.map((column, at) => own[at] && h("th", { scope: "col", class: numeric[at] ? "number" : null },
    h("button.plain", { type: "button", onclick: () => sort(at) }, t(column))));
  let shown = most;
  const more = h("button", { type: "button", hidden: true, onclick: () => { shown = Infinity; draw(); } });

  function sort(at) {
    sorted.down = sorted.at === at ? !sorted.down : true;
    sorted.at = at;
    const size = (value) => ({ inf: Infinity, "-inf": -Infinity }[value] ?? value);
    const turn = sorted.down ? -1 : 1;
    rows = [...table.rows].sort((a, b) => {
      const [one, two] = [size(a[at]), size(b[at])];
      if (one === null || two === null) return (one === null) - (two === null);
      return turn * (typeof one === "string" || typeof two === "string" ? String(one).localeCompare(String(two)) : one - two);
    });
    draw();
  }

  function draw() {
    heads.forEach((head, at) => {
      if (!head) return;
      if (sorted.at === at) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...rows.slice(0, shown).map((row) => h("tr", {}, row.map((value, at) => {
      if (!own[at]) return null;
      const text = pick !== null && at === 0 ? t(String(value).replaceAll("_", " ")) : cellText(value, table.counts?.[at]);
      const content = pick !== null && at === 0 ? h("button.plain", { type: "button", onclick: () => pick(row) }, text) : text;
      return h("td", { class: numeric[at] ? "number" : null, dataset: isNumber(value) ? { exact: value } : {} }, content,
        limited[at] && row[at + 1] !== null ? h("small", {}, ` (${cellText(row[at + 1], false)}–${cellText(row[at + 2], false)})`) : null);
    }))));
    more.hidden = rows.length <= shown;
    more.textContent = `${t("Show all")} (${rows.length})`;
  }

  draw();
  const cells = () => [table.columns, ...rows.map((row) => row.map((value) => (value === null ? "" : String(value))))];
  return h("div.table", {},
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption || name },
      h("table", {}, caption || table.title ? h("caption", {}, caption || table.title) : null, h("thead", {}, h("tr", {}, heads.filter(Boolean))), body)),
    h("div.tools", {}, more,
      h("button.small", { type: "button", onclick: () => save(`${name}.csv`, csvText(cells()), "text/csv;charset=utf-8") }, t("Save as CSV"))));
}
