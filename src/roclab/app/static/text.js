// The words of the page in the language of the reader. texts.json has every sentence once, by its English words, those of the
// report too; sentences.json has what the library says, with gaps where it fills in numbers and names.

import { chooseDecimal } from "/report/decimal.js";
import { speak } from "/report/words.js";
import { sentences } from "./sentences.js";

export const LANGUAGES = { en: "English", it: "Italiano", el: "Ελληνικά", sl: "Slovenščina", ru: "Русский" };
const COMMA = ["it", "el", "sl", "ru"];
const KEY = "roclab language";

let texts = null; // of no use to those who read English, and not fetched for them
let library = null;
let chosen = "en";
let saying = (text) => text;

export const language = () => chosen;

// t("{n} rows", { n: 3 })
export function t(text, values = {}) {
  const said = chosen === "en" ? text : texts?.[text]?.[chosen] ?? text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// A sentence that the library made; one that nobody has translated stays as it is.
export const inLanguage = (text) => saying(text);

// What was refused: its subject, rule and way out are said apart, since sentences of other languages are built in other ways.
// Unless both the rule and the way out are known, the whole stays English, not half of it.
export function refusalInLanguage(english, parts) {
  if (chosen === "en") return english;
  const known = parts && [parts.rule, parts.way_out].every((one) => one === "" || saying(one) !== one);
  if (!known) return saying(english);
  const received = parts.received ? `${t("received")}: ${saying(parts.received)}` : "";
  const subject = [parts.where, parts.subject].filter(Boolean).map((one) => `${saying(one)}: `).join("");
  const rest = [saying(parts.rule), received, saying(parts.way_out)].filter(Boolean).join("; ");
  return `${subject}${rest}.`;
}

async function fetched(name) {
  return (await window.fetch(`/report/${name}`)).json();
}

export async function loadTexts() {
  let kept = null;
  try {
    kept = window.localStorage.getItem(KEY);
  } catch { /* a browser that keeps nothing speaks its own language */ }
  const wanted = kept ?? (navigator.language || "en").slice(0, 2);
  await chooseLanguage(wanted in LANGUAGES ? wanted : "en");
}

export async function chooseLanguage(one) {
  if (one !== "en" && texts === null) [texts, library] = await Promise.all(["texts.json", "sentences.json"].map(fetched));
  chosen = one;
  saying = one === "en" ? (text) => text : sentences([...Object.entries(library), ...Object.entries(texts)].map(([english, others]) => [english, others[one]]));
  document.documentElement.lang = one;
  speak(t);
  chooseDecimal(COMMA.includes(one) ? "," : ".");
  try {
    window.localStorage.setItem(KEY, one);
  } catch { /* see above */ }
}
