// The page of a scan or of a series: its images out of the page, and the viewer in its place.

import { embeddedSource } from "./embedded.js";
import { ScanViewer } from "./viewer.js";

export async function startViewerPage(facts) {
  document.documentElement.classList.add("live");
  const source = await embeddedSource(facts, [...document.querySelectorAll("[data-block]")]);
  const viewer = new ScanViewer(document.getElementById("planes"), { facts, source });
  for (const row of document.querySelectorAll("[data-place]")) {
    row.querySelector("button").addEventListener("click", () => {
      viewer.go(JSON.parse(row.dataset.place));
      document.getElementById("viewer").scrollIntoView({ block: "start", behavior: "smooth" });
    });
  }
  document.getElementById("viewer").classList.add("ready");
}
