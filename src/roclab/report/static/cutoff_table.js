// The table of every cut-off of the chosen score: sorted by its headers, copied, and saved without asking anybody.

import { COLUMNS, csvText, cutoffCells, cutoffRows, sortedRows, tsvText } from "./cutoff_rows.js";
import { decimalSign, inDecimal, shownNumber } from "./decimal.js";
import { formatCount, formatThreshold } from "./numbers.js";
import { word } from "./words.js";

const PIECE = 200; // rows shown at first

export class CutoffTable {
  constructor(host, store) {
    this.host = host;
    this.store = store;
    this.key = "threshold";
    this.descending = true;
    this.most = PIECE;
    this.body = host.querySelector("tbody");
    this.says = host.querySelector("[data-says]");
    this.more = host.querySelector("[data-more]");
    this.heads = this.headers();
    host.addEventListener("toggle", () => this.draw());
    this.more.addEventListener("click", () => { this.most = Infinity; this.draw(); });
    host.querySelector("[data-copy]").addEventListener("click", () => this.copy());
    host.querySelector("[data-save]").addEventListener("click", () => this.save());
    store.listen((what) => { if (what !== "point") this.draw(); else this.mark(); });
  }

  headers() {
    const line = this.host.querySelector("thead tr");
    return COLUMNS.map(([key, name]) => {
      const head = document.createElement("th");
      const button = document.createElement("button");
      head.scope = "col";
      head.className = "number";
      button.type = "button";
      button.textContent = word(name);
      button.addEventListener("click", () => {
        this.descending = this.key === key ? !this.descending : true;
        this.key = key;
        this.draw();
      });
      head.append(button);
      line.append(head);
      return head;
    });
  }

  rows() {
    const { score, conditions, deviate } = this.store;
    return sortedRows(cutoffRows(score, conditions, deviate), this.key, this.descending);
  }

  draw() {
    if (!this.host.open) return;
    const { score } = this.store;
    const rows = this.rows();
    this.heads.forEach((head, at) => {
      const chosen = COLUMNS[at][0] === this.key;
      if (chosen) head.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...rows.slice(0, this.most).map((row) => this.line(row)));
    const all = score.vertices === rows.length;
    this.says.textContent = `${score.name}: ${rows.length} ${word("cut-offs")}`
      + (all ? "" : ` (${word("of those in the data, the ones that are drawn:")} ${score.vertices})`);
    this.more.hidden = rows.length <= this.most;
    this.more.textContent = `${word("Show all")} (${rows.length})`;
    this.mark();
  }

  line({ at, values, intervals }) {
    const line = document.createElement("tr");
    line.dataset.at = at;
    for (const [key] of COLUMNS) {
      const cell = document.createElement("td");
      cell.className = "number";
      cell.textContent = cellText(key, values[key]);
      if (intervals[key]) {
        const ends = document.createElement("small");
        ends.textContent = `(${intervals[key].map(shownNumber).join("–")})`;
        cell.append(" ", ends);
      }
      line.append(cell);
    }
    return line;
  }

  mark() {
    for (const line of this.body.children) line.classList.toggle("here", Number(line.dataset.at) === this.store.at);
  }

  cells() { return cutoffCells(this.rows(), this.store.percent, this.store.deviate !== null); }

  async copy() {
    const text = tsvText(this.cells(), decimalSign());
    try {
      await navigator.clipboard.writeText(text);
      this.says.textContent = word("Copied: paste it into a spreadsheet.");
    } catch { // a page opened from disk may not have the clipboard
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      this.says.textContent = done ? word("Copied: paste it into a spreadsheet.") : word("The browser does not let this page copy.");
    }
  }

  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvText(this.cells())], { type: "text/csv;charset=utf-8" }));
    link.download = `cut-offs ${this.store.score.name.replace(/[^\p{L}\p{N} _-]+/gu, "_").slice(0, 60)}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

function cellText(key, value) {
  if (key === "threshold") return inDecimal(formatThreshold(value));
  return ["tp", "fp", "fn", "tn"].includes(key) ? inDecimal(formatCount(value)) : shownNumber(value);
}
