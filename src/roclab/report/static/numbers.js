// Numbers as the library prints them, so that a page and a table show the same digits.

export const UNDEFINED = "undefined";

export function formatNumber(value, digits = 4) {
  if (value === null || Number.isNaN(value)) return UNDEFINED;
  if (value === Infinity) return "inf";
  if (value === -Infinity) return "-inf";
  const size = Math.abs(value);
  if (value === 0 || (size >= 10 ** -digits && size < 1e7)) return fixed(value, digits);
  return shortExponent(value, size < 1 ? 2 : digits + 3);
}

export function formatCount(value) {
  return Number.isInteger(value) ? String(value) : formatNumber(value);
}

export function formatThreshold(value) {
  if (Number.isNaN(value)) return "(beyond every score)"; // infinite scores leave no number above them
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  return String(Number(value.toPrecision(6)));
}

// toFixed rounds a half up and the library to the even digit: 1/32 is 0.0312. A half is an exact one only if the value has
// no more binary places than decimals plus one.
function fixed(value, digits) {
  const scaled = Math.abs(value) * 10 ** digits;
  const half = Number.isInteger(value * 2 ** (digits + 1)) && scaled % 1 === 0.5;
  if (!half) return value.toFixed(digits);
  return ((Math.sign(value) * 2 * Math.round(scaled / 2)) / 10 ** digits).toFixed(digits);
}

function shortExponent(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const sign = exponent.startsWith("-") ? "-" : "+";
  return `${trimmed}e${sign}${exponent.replace(/[+-]/, "").padStart(2, "0")}`;
}

// Round numbers from low to high, about so many.
export function niceTicks(low, high, about = 5) {
  const rough = (high - low) / about;
  if (!(rough > 1e-300) || !Number.isFinite(rough)) return [low]; // below that powers of ten have few digits or none
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough * 0.999);
  const found = [];
  const first = Math.ceil(low / step - 1e-9);
  const steps = Math.floor(high / step + 1e-9) - first; // counted from 0: beyond 2**53 adding 1 changes nothing
  for (let k = 0; k <= steps; k++) found.push(Number(((first + k) * step).toPrecision(12)));
  return found;
}

// Powers of ten and, if those are few, their doubles and fives.
export function logTicks(low, high) {
  const factors = Math.log10(high / low) < 4 ? [1, 2, 5] : [1];
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of factors) {
      const value = Number(`${factor}e${power}`);
      if (value >= low * (1 - 1e-12) && value <= high * (1 + 1e-12)) found.push(value);
    }
  }
  return found;
}
