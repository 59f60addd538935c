import { sentences } from "/static/sentences.js";
import { equal, test } from "/tests/check.js";

test("sentences are recognised as the library recognises them", async () => {
  const cases = await (await window.fetch("/tests/sentence_cases.json")).json();
  equal(cases.map(({ texts, given }) => sentences(Object.entries(texts))(given)), cases.map(({ said }) => said));
});
