import { Store } from "/static/store.js";
import { close, equal, test } from "/tests/check.js";

const frame = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });

function made() {
  const one = { name: "a", direction: "higher", thresholds: ["inf", 3, 2, 1], tp: [0, 1, 2, 2], fp: [0, 0, 1, 2], nPos: 2,
    nNeg: 2, start: 1 };
  const two = { ...one, name: "b", direction: "lower", thresholds: ["-inf", 1, 2, 3], start: 2 };
  const store = new Store({ scores: [one, two], conditions: { prevalence: 0.5, costFp: 1, costFn: 1 }, active: 0 });
  const heard = [];
  store.listen((what) => heard.push(what));
  return { store, heard };
}

test("a store starts at the point and the score it was given", () => {
  const { store } = made();
  equal([store.score.name, store.at], ["a", 1]);
  equal(store.score.thresholds, [Infinity, 3, 2, 1]);
  equal(store.scores[1].thresholds[0], -Infinity);
  equal(store.scores.map((score) => score.place), [0, 1]);
  close(store.score.tpr[1], 0.5);
  close(store.score.fpr[2], 0.5);
});

test("moves end at the first and the last vertex", () => {
  const { store } = made();
  store.step(-9);
  equal(store.at, 0);
  store.move(99);
  equal(store.at, 3);
});

test("listeners hear once per frame, of the change that concerns most", async () => {
  const { store, heard } = made();
  store.move(2);
  store.move(3);
  await frame();
  equal(heard, ["point"]);
  store.assume({ prevalence: 0.1 });
  store.choose("b");
  store.step(1);
  await frame();
  equal(heard, ["point", "score"]);
  equal([store.conditions.prevalence, store.score.name, store.at], [0.1, "b", 3]);
});

test("a move to where it is tells nobody", async () => {
  const { store, heard } = made();
  store.move(1);
  await frame();
  equal(heard, []);
});

test("what was given is not changed", () => {
  const conditions = { prevalence: 0.5, costFp: 1, costFn: 1 };
  const { store } = made();
  const other = new Store({ scores: store.scores, conditions, active: 1 });
  other.assume({ costFn: 7 });
  equal([conditions.costFn, store.conditions.costFn], [1, 1]);
});

test("the point is told in words", () => {
  const { store } = made();
  equal(store.inWords(), "a at least 3: sensitivity 0.5000, specificity 1.0000");
  store.choose("b");
  equal(store.inWords(), "b at most 2: sensitivity 1.0000, specificity 0.5000");
});

test("a curve is hidden and shown, one always stays, and the point lies on one that is seen", () => {
  const { store } = made();
  store.toggle("b");
  equal([[...store.hidden], store.seen.map((one) => one.name)], [["b"], ["a"]]);
  store.toggle("a");
  equal([...store.hidden], ["b"]);
  store.toggle("b");
  store.toggle("a");
  equal([store.score.name, [...store.hidden]], ["b", ["a"]]);
  store.choose("a");
  equal([...store.hidden], []);
});

test("a threshold that no score reaches is no number, and is drawn beyond all", () => {
  const one = { name: "a", direction: "lower", thresholds: [null, "-inf", 1], tp: [0, 1, 1], fp: [0, 0, 1], nPos: 1, nNeg: 1,
    start: 0 };
  const store = new Store({ scores: [one], conditions: {}, active: 0 });
  equal(store.score.thresholds, [NaN, -Infinity, 1]);
  equal(store.score.places, [-Infinity, -Infinity, 1]);
  equal(store.inWords(), "a at most (beyond every score): sensitivity 0.0000, specificity 1.0000");
});
