import { cellText, tableOf } from "/static/tables.js";
import { equal, test } from "/tests/check.js";

test("cells have the digits of the library", () => {
  equal([0.123456, 3, "inf", "-inf", null, "word"].map(cellText), ["0.1235", "3", "∞", "−∞", "–", "word"]);
});

test("a rate of one is no count of one", () => {
  const node = tableOf({ columns: ["n", "rate"], counts: [true, false], rows: [[1, 1], [0, 0]] });
  equal([...node.querySelectorAll("td")].map((one) => one.textContent), ["1", "1.0000", "0", "0.0000"]);
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
  equal([node.querySelector("img"), node.querySelector("td").textContent, node.querySelector("th").textContent], [null, "<img src=x>", "<b>x</b>"]);
});

test("a long table shows its first rows and then all", () => {
  const node = tableOf({ columns: ["x"], rows: Array.from({ length: 300 }, (_, at) => [at]) }, { most: 100 });
  equal(node.querySelectorAll("tbody tr").length, 100);
  [...node.querySelectorAll("button")].find((one) => one.textContent.includes("300")).click();
  equal(node.querySelectorAll("tbody tr").length, 300);
});
