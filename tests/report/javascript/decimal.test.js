import { chooseDecimal, decimalSign, inDecimal, localDecimal, shownNumber } from "/static/decimal.js";
import { equal, test } from "/tests/check.js";

test("the sign of a locale is a point or a comma", () => {
  equal(["en", "de", "sl", "el", "ru", "it", "de-CH"].map((name) => localDecimal(name)), [".", ",", ",", ",", ",", ",", "."]);
});

test("marked numbers turn and turn back, other text stays", () => {
  const root = document.createElement("div");
  for (const [name, text] of [["n", "0.5 (0.25–0.75)"], ["", "v0.5"]]) {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    root.append(part);
  }
  const shown = () => [...root.children].map((part) => part.textContent);
  chooseDecimal(",", root);
  equal(shown(), ["0,5 (0,25–0,75)", "v0.5"]);
  equal([decimalSign(), shownNumber(0.5), shownNumber(Infinity), inDecimal("1.5. End.")], [",", "0,5000", "∞", "1,5. End."]);
  chooseDecimal(",", root);
  chooseDecimal(".", root);
  equal(shown(), ["0.5 (0.25–0.75)", "v0.5"]);
  equal([shownNumber(-Infinity), shownNumber(null)], ["−∞", "undefined"]);
});
