// Asking the server. The secret of this start comes behind the # of the address, which no request ever carries.

import { refusalInLanguage, t } from "./text.js";

export const GONE = "The server does not answer: was roclab stopped? Start it again and open the session file.";
const KEY = "roclab token";
const TOKEN = /^[\w-]{20,}$/; // what else stands behind the # is a view

export const page = [...window.crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(36)).join("");

export function token() {
  const given = window.location.hash.slice(1);
  if (TOKEN.test(given)) {
    window.sessionStorage.setItem(KEY, given);
    window.history.replaceState(null, "", window.location.pathname);
  }
  return window.sessionStorage.getItem(KEY);
}

// What the server refused: a sentence, the argument it is about, ways out that are a press away, and what to choose of a file.
export class Refused extends Error {
  constructor(english, { argument = "", ways = [], parts = null, refused = null } = {}) {
    super();
    Object.assign(this, { english, argument, ways, parts, file: refused });
  }

  get message() { return refusalInLanguage(this.english, this.parts); } // in the language of now, however long it stands
}

const headers = () => ({ "X-Roclab-Token": window.sessionStorage.getItem(KEY) ?? "", "X-Roclab-Page": page });

async function fetched(path, options = {}) {
  let response;
  try {
    response = await window.fetch(`/api/${path}`, { ...options, headers: { ...options.headers, ...headers() } });
  } catch {
    throw new Refused(GONE);
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Refused(t("The server answered with {status} and nothing to read.", { status: response.status }));
  }
  if (answer.error && answer.state === undefined) throw new Refused(answer.error, answer);
  return answer;
}

const posted = (path, value) => fetched(path, {
  method: "POST", body: JSON.stringify(value), headers: { "Content-Type": "application/json" },
});

export const start = () => fetched("start");
export const openPath = (path) => posted("open", { path });
export const openText = (text, called) => posted("open", { text, called });
export const readAnew = (key, reading) => posted("read", { key, reading });
export const forget = (key) => posted("close", { key });
export const adopt = (job, which, called) => posted("adopt", { job, which, called });

export const item = (key) => posted("item", { key });
export const textOf = (key) => posted("text", { key });
export const made = (job, which) => posted("made", { job, which });
export const keep = (tab, told) => posted("keep", { tab, ...told });
export const openScan = (path, series = null) => posted("scan", { path, ...(series === null ? {} : { series }) });
export const addLayer = (scan, job, which) => posted("layer", { scan, job, which });

export const addOverlay = (scan, path) => posted("overlay", { scan, path });
export const kinetic = (scan, at) => posted("kinetic", { scan, at });

// A slice of a scan as bytes: of an image, its maximum along the line of sight, or of labels.
export async function slice(scan, plane, at, what) {
  const body = JSON.stringify({ scan, plane, at, ...what });
  let response;
  try {
    response = await window.fetch("/api/slice", { method: "POST", body, headers: { "Content-Type": "application/json", ...headers() } });
  } catch {
    throw new Refused(GONE);
  }
  if (!response.ok) throw new Refused((await response.json()).error);
  return response.arrayBuffer();
}

export const kept = (tab, again) => posted("kept", { tab, again });
export const drop = (tab) => posted("drop", { tab });
export const alive = () => posted("alive", {});
export const jobAnswer = (job) => fetched(`jobs/${job}`);
export const stopJob = (job) => fetched(`jobs/${job}`, { method: "DELETE" });
// Said while the page goes, when nothing can be waited for any more.
export const leave = () => { window.fetch("/api/leave", { method: "POST", body: "{}", keepalive: true, headers: headers() }).catch(() => {}); };

export const upload = (file) => fetched("upload", {
  method: "POST", body: file, headers: { "X-Name": encodeURIComponent(file.name), "Content-Type": "application/octet-stream" },
});

// Short questions are answered at once, long ones by a worker: `onProgress` hears of those, and `signal` ends them.
export async function ask(request, { onProgress = () => {}, signal = null } = {}) {
  const found = await posted("ask", request);
  if (found.job === undefined) return found;
  return waited(found, onProgress, signal);
}

async function waited(first, onProgress, signal) {
  let told = first;
  for (let pause = 100; ; pause = Math.min(pause * 1.3, 600)) {
    if (signal?.aborted) {
      await fetched(`jobs/${first.job}`, { method: "DELETE" });
      throw new Refused("");
    }
    if (told.state === "done") return { ...told.answer, job: told.job, made: told.made };
    if (told.state === "failed") throw new Refused(told.error, told);
    if (told.state === "stopped") throw new Refused("");
    onProgress(told);
    await new Promise((done) => { setTimeout(done, pause); });
    told = await fetched(`jobs/${first.job}`);
  }
}
