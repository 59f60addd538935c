import { decimalSign } from "/report/decimal.js";
import { word } from "/report/words.js";
import { chooseLanguage, loadTexts, t } from "/static/text.js";
import { equal, test } from "/tests/check.js";

test("sentences come in the language chosen, with their numbers", async () => {
  await loadTexts();
  await chooseLanguage("it");
  equal([t("Undo"), t("{n} missing", { n: 3 }), word("sensitivity"), decimalSign()], ["Annulla", "3 mancanti", "sensibilità", ","]);
  await chooseLanguage("en");
  equal([t("Undo"), t("{n} missing", { n: 3 }), decimalSign()], ["Undo", "3 missing", "."]);
});

test("what nobody translated is said in English", async () => {
  await chooseLanguage("ru");
  equal(t("my own column"), "my own column");
  await chooseLanguage("en");
});
