// The signs of the page, drawn as lines in the colour of the text around them.

import { svg } from "./dom.js";

const PATHS = {
  start: "M3 11l9-7 9 7M5 10v10h5v-6h4v6h5V10", data: "M3 5h18v14H3zM3 10h18M9 10v9", curves: "M4 4v16h16M4 20C5 9 9 6 20 5",
  point: "M12 3v18M3 12h18M12 8a4 4 0 100 8 4 4 0 000-8z", compare: "M4 7h10M9 5v4M8 13h12M14 11v4M5 19h8M9 17v4", rates: "M4 6h16M4 12h16M4 18h16M9 4v4M14 10v4M7 16v4", cutoffs: "M12 3v18M4 20v-6M8 20v-10M16 20v-7M20 20v-3",
  time: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l4 2",
  train: "M12 4a2 2 0 100 4 2 2 0 000-4zM5 16a2 2 0 100 4 2 2 0 000-4zM19 16a2 2 0 100 4 2 2 0 000-4zM11 8l-5 8M13 8l5 8", readers: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6S2 12 2 12zM12 9a3 3 0 100 6 3 3 0 000-6z",
  images: "M3 4h18v16H3zM3 16l5-5 4 4 3-3 6 6M15 8h.01", more: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z", undo: "M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3", redo: "M15 14l5-5-5-5M20 9H10a6 6 0 000 12h3",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5", sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5", moon: "M20 14A8 8 0 0110 4a8 8 0 1010 10z",
  menu: "M4 7h16M4 12h16M4 17h16", dots: "M5 12h.01M12 12h.01M19 12h.01", close: "M6 6l12 12M18 6L6 18", down: "M6 9l6 6 6-6", check: "M4 12.5l5 5L20 6.5", info: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v5M12 8h.01",
  warn: "M12 4L2.5 20h19zM12 10v4M12 17h.01", file: "M6 3h8l4 4v14H6zM14 3v4h4", save: "M12 4v11M7 10l5 5 5-5M4 20h16", jobs: "M12 3a9 9 0 109 9", copy: "M8 8h12v12H8zM16 8V4H4v12h4", back: "M15 5l-7 7 7 7", report: "M6 3h8l4 4v14H6zM9 12h6M9 16h6", tour: "M8 5l11 7-11 7z", keys: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8", users: "M9 5a3 3 0 100 6 3 3 0 000-6zM3 19c0-4 3-6 6-6s6 2 6 6M16 5a3 3 0 010 6M18 13c2 1 3 3 3 6", rank: "M5 20V10M12 20V4M19 20v-7", mix: "M4 6h4l8 12h4M4 18h4l8-12h4", dice: "M4 4h16v16H4zM8.5 8.5h.01M15.5 15.5h.01M12 12h.01", hull: "M4 20L6 9l6-5h8", size: "M4 12h16M4 12l3-3M4 12l3 3M20 12l-3-3M20 12l-3 3",
};

export const icon = (name, kind = null) => svg("svg", {
  viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true", class: kind,
}, svg("path", { d: PATHS[name] ?? PATHS.more }));

export const logo = () => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", fill: "none" },
  svg("path", { d: "M3 3v18h18", stroke: "currentColor", "stroke-width": 2 }), svg("path", { d: "M3 21C4 9 9 4 21 3", stroke: "var(--accent)", "stroke-width": 2.6 }));
