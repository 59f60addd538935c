// The words of the page in the language of the reader. texts.json has every sentence once, by its English words, those of the report too.

import { chooseDecimal } from "/report/decimal.js";
import { speak } from "/report/words.js";

export const LANGUAGES = { en: "English", it: "Italiano", el: "Ελληνικά", sl: "Slovenščina", ru: "Русский" };
const COMMA = ["it", "el", "sl", "ru"];
const KEY = "roclab language";

let texts = {};
let chosen = "en";

export const language = () => chosen;

// t("{n} rows", { n: 3 })
export function t(text, values = {}) {
  const said = chosen === "en" ? text : texts[text]?.[chosen] ?? text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export async function loadTexts() {
  texts = await (await window.fetch("/report/texts.json")).json();
  let kept = null;
  try {
    kept = window.localStorage.getItem(KEY);
  } catch { /* a browser that keeps nothing speaks its own language */ }
  const wanted = kept ?? (navigator.language || "en").slice(0, 2);
  chooseLanguage(wanted in LANGUAGES ? wanted : "en");
}

export function chooseLanguage(one) {
  chosen = one;
  document.documentElement.lang = one;
  speak(t);
  chooseDecimal(COMMA.includes(one) ? "," : ".");
  try {
    window.localStorage.setItem(KEY, one);
  } catch { /* see above */ }
}
