// A few lines in place of a test framework: the tests run in the browser that the page is for.

const tests = new Map();

export function test(name, body) {
  if (tests.has(name)) throw new Error(`there are two tests named ${name}`);
  tests.set(name, body);
}

export const names = () => [...tests.keys()];

export async function run(name) {
  if (!tests.has(name)) throw new Error(`there is no test named ${name}`);
  await tests.get(name)();
}

export function equal(got, wanted) {
  const [one, two] = [got, wanted].map((value) => JSON.stringify(value, exact));
  if (one !== two) throw new Error(`got ${one} in place of ${two}`);
}

export function close(got, wanted, tolerance = 1e-12) {
  if (!(Math.abs(got - wanted) <= tolerance)) throw new Error(`got ${got} in place of ${wanted}`);
}

// JSON has no infinities and writes NaN as null.
function exact(_, value) {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
