// Sentences of the library in another language, recognised by the words that stand still in them: see report/sentences.py.

const GAP = /\{(\d)([*#]?)\}/g;
const HELD = { "": "(.+?)", "*": "(.+?)", "#": "(-?[\\d.,]+)", end: "" };
const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function sentence([english, said]) {
  const kinds = [...english.matchAll(GAP)].map(([, number, kind]) => [number, kind]);
  const gaps = kinds.map(([number, kind]) => [number, kind === "*"]);
  const still = english.split(/\{\d[*#]?\}/);
  return { still: still.join("").length, pattern: new RegExp(`^${still.map((words, at) => plain(words) + HELD[kinds[at]?.[1] ?? "end"]).join("")}$`, "s"), gaps, said };
}

// What says a sentence in one language; one that nobody has translated stays as it is.
export function sentences(texts) {
  const whole = new Map(texts);
  const withGaps = texts.filter(([english]) => english.match(GAP)).map(sentence).sort((one, other) => other.still - one.still);
  const say = (text) => {
    if (whole.has(text)) return whole.get(text);
    for (const { pattern, gaps, said } of withGaps) {
      const found = pattern.exec(text);
      if (!found) continue;
      const inside = Object.fromEntries(gaps.map(([number, ofLibrary], at) => [number, ofLibrary ? say(found[at + 1]) : found[at + 1]]));
      return said.replace(GAP, (whole_, number) => inside[number]);
    }
    return text;
  };
  return say;
}
