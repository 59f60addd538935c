// Light or dark: the system decides until somebody does.

const KEY = "roclab theme";

export function chooseTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  try {
    if (theme) window.localStorage.setItem(KEY, theme);
  } catch { /* a browser that keeps nothing follows the system */ }
}

export function loadTheme() {
  try {
    const kept = window.localStorage.getItem(KEY);
    if (["light", "dark"].includes(kept)) chooseTheme(kept);
  } catch { /* see above */ }
}

export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}
