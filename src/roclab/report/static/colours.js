// What codes of 16 bits look like: greys of a window, colours of a map, and colours of labels.

const STOPS = [[12, 8, 60], [86, 16, 110], [187, 55, 84], [249, 142, 9], [252, 255, 164]]; // dark to bright, also in grey
const TWO_SIDES = [[59, 130, 246], [120, 170, 235], [230, 230, 230], [245, 160, 120], [239, 68, 68]]; // below, at, and above 0
export const LABEL_COLOURS = ["#4c9be8", "#ffd43b", "#ff5c5c", "#3ddc97", "#c77dff", "#ff9f45", "#5ce1e6", "#f78fb3"];

export const labelColour = (number) => LABEL_COLOURS[(number - 1) % LABEL_COLOURS.length];

// Greys of all codes through a window of values.
export function greysOf([low, high], { slope, intercept }) {
  const greys = new Uint8ClampedArray(65536);
  const span = high - low || 1;
  for (let code = -32768; code < 32768; code++) greys[code + 32768] = ((code * slope + intercept - low) / span) * 255;
  return greys;
}

const mixed = (stops, share) => {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(at), stops.length - 2);
  return stops[below].map((one, channel) => one + (at - below) * (stops[below + 1][channel] - one));
};

const stopsOf = ([low, high]) => (low < 0 && high > 0 ? TWO_SIDES : STOPS);

// Red, green, blue and opacity of all codes; what lies at the low end of a map from 0 shows what is below it.
export function coloursOf(window, { slope, intercept }) {
  const [low, high] = window;
  const stops = stopsOf(window);
  const colours = new Uint8ClampedArray(4 * 65536);
  for (let code = -32768; code < 32768; code++) {
    const share = (code * slope + intercept - low) / (high - low || 1);
    colours.set(mixed(stops, share), 4 * (code + 32768));
    const missing = code <= -32000;
    const faint = stops === STOPS ? Math.min(Math.max(share * 4, 0), 1) : 1;
    colours[4 * (code + 32768) + 3] = missing ? 0 : 255 * faint;
  }
  return colours;
}

// The same as a gradient for a legend.
export const gradientOf = (window) => `linear-gradient(to right, ${stopsOf(window).map((one) => `rgb(${one.join(" ")})`).join(", ")})`;

export function channels(colour) {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
