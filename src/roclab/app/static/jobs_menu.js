// Running work, listed in the bar of every view with its progress and an end.

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { menu, small } from "./parts.js";
import { t } from "./text.js";

const NAMES = { bench: "Train and test", stability: "Bootstrap of the cut-off", band: "Band", report: "Report", reproduce: "Printed examples", compare: "Compare", areas: "Areas" };

export class JobsMenu {
  constructor(app) {
    this.app = app;
    app.keeping.listeners.push((jobs) => this.show(jobs));
  }

  build() {
    this.badge = h("span.badge", { "aria-hidden": "true" });
    this.opener = h("button.btn.bare", { type: "button", id: "jobs" }, icon("jobs", "turning"), this.badge);
    this.box = menu(this.opener, [], { full: true });
    this.show(this.app.keeping.jobs);
    return this.box;
  }

  show(jobs) {
    if (!this.box) return;
    this.box.hidden = jobs.length === 0;
    if (jobs.length === 0) this.box.shut();
    this.badge.textContent = String(jobs.length);
    this.opener.setAttribute("aria-label", `${t("Running work")}: ${jobs.length}`);
    fill(this.box.list, h("p.quiet", {}, t("It goes on in every view, and ends when this page is closed.")), jobs.map((one) => {
      const name = t(NAMES[one.question] ?? "Question");
      const words = one.state === "waiting" ? t("waiting for other work") : `${one.doing} ${one.total ? `${one.done}/${one.total}` : ""}`;
      return h("div.job", {}, h("div", {}, h("b", {}, name), h("div.quiet", {}, words)),
        small(t("Stop"), () => api.stopJob(one.job).then(() => this.app.keeping.pulse()), { "aria-label": `${t("Stop")}: ${name}` }), h("progress", { max: 1, value: one.total ? one.done / one.total : null, "aria-label": name }));
    }));
  }
}
