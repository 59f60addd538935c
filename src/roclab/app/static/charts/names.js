// A free place beside each line for its name: with its value if all names fit, else alone, else all are left to the legend.

const LETTER = 7.1; // pixels of one
const HEIGHT = 15;
const OFFSETS = [[10, 4], [10, -7.5], [null, -18], [null, -15], [-0.75, -19], [-0.5, -22], [-0.5, 7], [null, 3], [5, -18]];

export function placedNames(series, X, Y, area) {
  if (series.length > 8) return [];
  const inks = series.map((one) => spots(one.pts, X, Y));
  const long = tried(series, inks, area, true);
  const found = long.length === series.length && long.every((one) => one.good) ? long : tried(series, inks, area, false);
  return found.length === series.length && found.every((one) => one.good) ? found : [];
}

// Points along a line, some pixels apart.
function spots(points, X, Y, apart = 6) {
  const found = [];
  let [lastX, lastY] = [null, null];
  for (const point of points) {
    const [x, y] = [X(point.x), Y(point.y)];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    const far = lastX === null ? 0 : Math.hypot(x - lastX, y - lastY);
    if (lastX !== null && far < apart) continue;
    for (let at = 1; at < far / apart; at++) found.push([lastX + ((x - lastX) * at * apart) / far, lastY + ((y - lastY) * at * apart) / far]);
    found.push([x, y]);
    [lastX, lastY] = [x, y];
  }
  return found;
}

function tried(series, inks, area, values) {
  const boxes = [];
  const found = [];
  series.forEach((one, place) => {
    const width = (one.name.length + (values && one.value ? one.value.length + 1 : 0)) * LETTER + 6;
    let best = null;
    for (let at = 0; at < inks[place].length; at += 2) {
      const [x, y] = inks[place][at];
      for (const [across, dy] of OFFSETS) {
        const dx = across === null ? -width - 5 : Math.abs(across) < 1 ? across * width : across;
        const box = [x + dx, y + dy, x + dx + width, y + dy + HEIGHT];
        if (box[0] < area[0] + 4 || box[2] > area[2] - 4 || box[1] < area[1] + 4 || box[3] > area[3] - 4) continue;
        const value = judged(box, place, inks, boxes, area, dx);
        if (best === null || value.cost < best.cost) best = { ...value, box };
      }
    }
    if (best) {
      boxes.push(best.box);
      found.push({ one, value: values ? one.value : "", good: best.good, x: best.box[0], y: best.box[1] + 12 });
    }
  });
  return found;
}

function judged(box, place, inks, boxes, area, dx) {
  let clash = 0;
  for (const ink of inks) for (const [x, y] of ink) if (x > box[0] - 4 && x < box[2] + 4 && y > box[1] - 3 && y < box[3] + 3) clash++;
  for (const other of boxes) if (box[0] < other[2] + 6 && box[2] > other[0] - 6 && box[1] < other[3] + 4 && box[3] > other[1] - 4) clash += 100;
  if (clash > 3) return { cost: 1000 + clash, good: false };
  const far = (ink) => ink.reduce((least, [x, y]) => Math.min(least, Math.hypot(Math.max(box[0] - x, x - box[2], 0), Math.max(box[1] - y, y - box[3], 0))), 1e9);
  const own = far(inks[place]);
  const other = Math.min(60, ...inks.filter((_, at) => at !== place).map(far));
  const [middleX, middleY] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  // A name must not be parted from its own line by another one.
  const level = (ink) => ink.reduce((near, [x, y]) => (Math.abs(x - middleX) <= 5 && (near === null || Math.abs(y - middleY) < Math.abs(near - middleY)) ? y : near), null);
  const mine = level(inks[place]);
  const parted = mine === null || inks.some((ink, at) => {
    const y = at === place ? null : level(ink);
    return y !== null && (y - middleY) * (y - mine) < 0;
  });
  const cost = clash * 10 + (parted ? 9 : 0) + (other < own + 1 ? 3 : 0) - other / 20 + own / 6 + (dx > 0 ? 0 : 0.5) + Math.abs(middleX - (area[0] + area[2]) / 2) / 200;
  return { cost, good: clash === 0 && !parted };
}
