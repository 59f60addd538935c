import { showAllDigits } from "/static/digits.js";
import { cellText, tableOf } from "/static/tables.js";
import { equal, test } from "/tests/check.js";

test("cells have two or three digits, p-values theirs, and all of them on demand", () => {
  equal([0.123456, 0.0123, -0.5, 3, "inf", "-inf", null, "word"].map((one) => cellText(one)), ["0.12", "0.012", "−0.50", "3", "∞", "−∞", "–", "word"]);
  equal([0.0496, 0.2, 1e-9, 0.004].map((one) => cellText(one, false, "adjusted p")), ["0.0496", "0.20", "< 0.001", "0.004"]);
  showAllDigits(true);
  equal(cellText(0.123456), "0.123456");
  showAllDigits(false);
});

test("a rate of one is no count of one", () => {
  const node = tableOf({ columns: ["n", "rate"], counts: [true, false], rows: [[1, 1], [0, 0]] });
  equal([...node.querySelectorAll("td")].map((one) => one.textContent), ["1", "1.00", "0", "0.00"]);
});

test("a table is sorted by its headers, undefined values last", () => {
  const node = tableOf({ columns: ["name", "x"], rows: [["a", 2], ["b", null], ["c", 10]] });
  const heads = node.querySelectorAll("th button");
  const shown = () => [...node.querySelectorAll("tbody tr")].map((row) => row.firstChild.textContent).join("");
  heads[1].click();
  equal([shown(), node.querySelectorAll("th")[1].getAttribute("aria-sort")], ["cab", "descending"]);
  heads[1].click();
  equal([shown(), node.querySelectorAll("th")[1].getAttribute("aria-sort")], ["acb", "ascending"]);
});

test("names of columns and cells are text", () => {
  const node = tableOf({ columns: ["<b>x</b>"], rows: [["<img src=x>"]] });
  equal([node.querySelector("img"), node.querySelector("tbody th").textContent, node.querySelector("th").textContent], [null, "<img src=x>", "<b>x</b>"]);
});

test("a long table shows its first rows and then all", () => {
  const node = tableOf({ columns: ["x"], rows: Array.from({ length: 300 }, (_, at) => [at]) }, { most: 100 });
  equal(node.querySelectorAll("tbody tr").length, 100);
  [...node.querySelectorAll("button")].find((one) => one.textContent.includes("300")).click();
  equal(node.querySelectorAll("tbody tr").length, 300);
});

test("limits stand in the cell of their estimate, and what never varies below the table", () => {
  const node = tableOf({ columns: ["score", "area", "95% low", "95% high", "method"], counts: [], rows: [["a", 0.8, 0.7, 0.9, "empirical"], ["b", 0.6, 0.5, 0.7, "empirical"]] });
  equal([...node.querySelectorAll("thead th")].map((one) => one.dataset.column), ["score", "area"]);
  equal(node.querySelector("tbody td").textContent.replaceAll("\u2060", ""), "0.80 (0.70–0.90)");
  equal(node.querySelector(".note").textContent, "method: empirical.");
});
