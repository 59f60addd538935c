// Tables as the library gives them: columns, and rows of plain values; few digits on the page, all of them in files.

import { csvText } from "/report/cutoff_rows.js";
import { counted, decimalsOf, measured, pValue, range, short } from "./digits.js";
import { h } from "./dom.js";
import { copyText, save } from "./files.js";
import { copied, small } from "./parts.js";
import { inLanguage, t } from "./text.js";

const isNumber = (value) => typeof value === "number" || value === "inf" || value === "-inf";
const OF_LIBRARY = ["alternative", "answer", "component", "distribution", "hypothesis", "interval", "method", "metric", "quantity", "rule", "statistic", "test"]; // columns of words that the library chose
const P = /^p( |$)|(^| )p$|p \(/; // columns of p-values
const MEASURED = /cut-off|threshold|^(low|high)$/;
const LIMITED = ["area", "difference", "estimate", "value", "partial area", "mean", "sensitivity"]; // whose limits stand in columns "95% low" and "95% high"

export const rowsOf = ({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));

// A cell as text; `column` says what kind of number it is.
export function cellText(value, count = Number.isInteger(value), column = "") {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "number" || isNumber(value)) {
    if (count && typeof value === "number") return counted(value);
    if (P.test(column)) return pValue(value);
    if (MEASURED.test(column)) return measured(value);
    return short(value, value !== 0 && Math.abs(value) < 0.095 ? 3 : 2);
  }
  return wordOf(value, column);
}

const wordOf = (value, column) => (OF_LIBRARY.includes(column) ? inLanguage(String(value)) : String(value));

// Which columns are the limits of another: "x low" and "x high" right after x, "95% low" and "95% high" after an estimate.
function limitsOf(columns) {
  const limits = new Map();
  columns.forEach((name, at) => {
    if (columns[at + 1] === `${name} low` && columns[at + 2] === `${name} high`) limits.set(at, [at + 1, at + 2]);
  });
  const low = columns.findIndex((name) => /^[\d.]+% low$/.test(name));
  const owner = columns.findIndex((name) => LIMITED.includes(name));
  if (low > owner && owner >= 0 && /^[\d.]+% high$/.test(columns[low + 1] ?? "")) limits.set(owner, [low, low + 1]);
  return limits;
}

// Words that are the same in every row say it once, below.
function constant(table, limits) {
  const taken = new Set([...limits.values()].flat());
  if (table.rows.length < 2) return [];
  return table.columns.map((_, at) => at).filter((at) => at > 0 && !taken.has(at) && typeof table.rows[0][at] === "string" && !isNumber(table.rows[0][at]) && table.rows.every((row) => row[at] === table.rows[0][at]));
}

// With `pick`, rows are pressed: pick(row) gets the cells. `words` leaves names and cells as they are: they are the user's.
export function tableOf(table, { caption = "", name = "table", pick = null, most = 200, words = false, spoken = null } = {}) {
  if (!table || table.rows.length === 0) return null;
  let { rows } = table;
  const { columns } = table;
  const sorted = { at: null, down: false };
  const numeric = columns.map((_, at) => rows.some((row) => isNumber(row[at])));
  const limits = limitsOf(columns);
  const same = words ? [] : constant(table, limits);
  const hidden = new Set([...same, ...[...limits.values()].flat()]);
  const body = h("tbody");
  const level = columns[limits.get(columns.findIndex((one) => LIMITED.includes(one)))?.[0]]?.replace(" low", "");
  const heads = columns.map((column, at) => !hidden.has(at) && h("th", { scope: "col", class: numeric[at] ? "num" : null, dataset: { column } },
    h("button.plain", { type: "button", onclick: () => sort(at) }, words ? column : inLanguage(column), limits.has(at) && level && LIMITED.includes(column) ? ` (${t("{level} interval", { level })})` : null)));
  let shown = most;
  const more = small("", () => { shown = Infinity; draw(); }, { hidden: true });

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

  function cell(row, value, at) {
    const said = spoken?.(value, columns[at]) ?? null;
    const ends = limits.get(at);
    const decimals = ends && typeof value === "number" ? decimalsOf(value, row[ends[0]], row[ends[1]]) : 2;
    const text = words ? String(value ?? "") : said ?? (ends && !table.counts?.[at] ? short(value, decimals) : cellText(value, table.counts?.[at], columns[at]));
    const content = pick !== null && at === 0 ? h("button.plain", { type: "button", onclick: () => pick(row) }, text) : text;
    const tag = at === 0 && !numeric[0] ? "th" : "td";
    return h(tag, { scope: tag === "th" ? "row" : null, class: numeric[at] ? "num" : null, dataset: isNumber(value) ? { exact: value } : { exact: value === null || value === undefined ? "" : value } }, content,
      ends && row[ends[0]] !== null ? h("span.ci", {}, ` (${range(row[ends[0]], row[ends[1]], decimals)})`) : null);
  }

  function draw() {
    heads.forEach((head, at) => {
      if (!head) return;
      if (sorted.at === at) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...rows.slice(0, shown).map((row) => h("tr", {}, row.map((value, at) => (hidden.has(at) ? null : cell(row, value, at))))));
    more.hidden = rows.length <= shown;
    more.textContent = `${t("Show all")} (${rows.length})`;
  }

  draw();
  const cells = () => [columns, ...rows.map((row) => row.map((value) => (value === null || value === undefined ? "" : String(value))))];
  const told = same.map((at) => `${inLanguage(columns[at])}: ${spoken?.(table.rows[0][at], columns[at]) ?? wordOf(table.rows[0][at], columns[at])}`).join("; ");
  return h("div.table", {},
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption || inLanguage(name) },
      h("table", { class: columns.length > 8 ? "many" : null }, caption || table.title ? h("caption", {}, caption || table.title) : null, h("thead", {}, h("tr", {}, heads.filter(Boolean))), body)),
    h("div.row.tools.below", {}, told ? h("span.note", {}, `${told}.`) : null, more,
      small(t("Copy as table"), () => copyTable(cells()).then(copied, () => {}), { kind: "bare", sign: "copy" }),
      small(t("Save as CSV"), () => save(`${name}.csv`, csvText(cells()), "text/csv;charset=utf-8"), { kind: "bare" })));
}

// To the clipboard as a table for a spreadsheet or a text, with all digits.
export async function copyTable(cells) {
  const plain = cells.map((row) => row.map((one) => String(one).replace(/[\t\n]/g, " ")).join("\t")).join("\n");
  const table = h("table", {}, cells.map((row, at) => h("tr", {}, row.map((one) => h(at === 0 ? "th" : "td", {}, one)))));
  const markup = new XMLSerializer().serializeToString(table);
  const blob = (text, type) => new Blob([text], { type });
  if (!window.ClipboardItem) return copyText(plain);
  return navigator.clipboard.write([new window.ClipboardItem({ "text/plain": blob(plain, "text/plain"), "text/html": blob(markup, "text/html") })]);
}
