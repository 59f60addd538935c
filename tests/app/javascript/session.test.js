import { EMPTY, Session, stateOf } from "/static/session.js";
import { equal, test } from "/tests/check.js";

test("a change is undone and done again", () => {
  const session = new Session();
  session.set({ level: 0.9 });
  session.set({ curves: { kind: "pr" } });
  session.undo();
  equal([session.state.level, session.state.curves.kind], [0.9, "roc"]);
  session.undo();
  equal(session.state.level, 0.95);
  equal(session.canUndo, false);
  session.redo();
  session.redo();
  equal([session.state.level, session.state.curves.kind], [0.9, "pr"]);
  equal(session.canRedo, false);
});

test("a change after undo forgets what was undone", () => {
  const session = new Session();
  session.set({ level: 0.9 });
  session.undo();
  session.set({ level: 0.8 });
  equal(session.canRedo, false);
});

test("steps of one kind are one step until there is a pause", () => {
  const session = new Session();
  for (const threshold of [1, 2, 3]) session.set({ point: { threshold } }, { step: "point" });
  session.pause();
  for (const threshold of [4, 5]) session.set({ point: { threshold } }, { step: "point" });
  session.undo();
  equal(session.state.point.threshold, 3);
  session.undo();
  equal(session.state.point.threshold, null);
});

test("what does not change is no step", () => {
  const session = new Session();
  const heard = [];
  session.listen((parts) => heard.push(parts));
  session.set({ level: 0.95 });
  equal([session.canUndo, heard], [false, []]);
  session.set({ level: 0.9 });
  equal(heard, [["level"]]);
});

test("a state cannot be changed from outside", () => {
  const session = new Session();
  const roles = { score: ["a"] };
  session.set({ roles });
  roles.score.push("b");
  session.set({ level: 0.9 });
  equal(EMPTY.roles.score, []);
  equal(session.past[0].roles.score, []);
});

test("a session comes back from its file exactly", () => {
  const session = new Session();
  session.set({ roles: { label: "y", score: ["a", "b"] }, point: { score: "a", threshold: 0.1 + 0.2 }, view: "point" });
  const tables = { abc: "y,s\n1,2\n" };
  equal(stateOf(session.text(tables)), { state: session.state, tables });
});

test("other files are no sessions", () => {
  const said = (text) => { try { stateOf(text); } catch (error) { return error.message; } return "none"; };
  equal(said("{"), "This is not a session file of roclab.");
  equal(said("null"), "This is not a session file of roclab.");
  equal(said("{\"format\": \"other\"}"), "This is not a session file of roclab.");
  equal(said("{\"format\": \"roclab session\", \"version\": 99, \"state\": {}}"), "This session was saved by a newer roclab; update to open it.");
});

test("parts that a session file lacks or has too many are no trouble", () => {
  const { state } = stateOf("{\"format\": \"roclab session\", \"version\": 1, \"state\": {\"level\": 0.9, \"strange\": 1}}");
  equal([state.level, state.strange === undefined, state.view], [0.9, true, "start"]);
});

test("what happens beside the steps is no step, and undo leaves the view alone", () => {
  const session = new Session();
  session.set({ level: 0.9 });
  session.set({ view: "curves" }, { aside: true });
  session.undo();
  equal([session.state.level, session.state.view, session.canUndo, session.canRedo], [0.95, "curves", false, true]);
});

test("another table is one step, and what is carried over a reload has its steps", () => {
  const session = new Session();
  session.set({ level: 0.9 });
  session.replace({ ...session.state, data: { key: "k" } });
  const other = new Session();
  other.resume(JSON.parse(JSON.stringify(session.carried())));
  equal(other.state, session.state);
  other.undo();
  equal([other.state.data, other.state.level], [null, 0.9]);
  other.undo();
  equal(other.state.level, 0.95);
});
