// Areas by every estimator, differences between scores, and areas of groups.

import { checkbox, fill, h, select } from "../dom.js";
import { forestChart } from "../line_chart.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";

export class CompareView {
  constructor(host, app) {
    this.app = app;
    this.build(host);
    this.areas();
    this.pairs();
    this.groups();
  }

  build(host) {
    const { app } = this;
    const { desk, state } = app;
    this.areaHost = h("div", { id: "areas" });
    this.pairHost = h("div", { id: "pairs" });
    this.groupHost = h("div", { id: "groups" });
    const chosen = new Set(state.areas.estimators);
    const estimators = h("details", {}, h("summary", {}, t("Other estimators of the area")), h("div.checks", {}, desk.choices.estimators.map((name) => checkbox(name.replaceAll("_", " "), chosen.has(name), (value) => {
      if (value) chosen.add(name); else chosen.delete(name);
      app.session.set({ areas: { estimators: [...chosen] } });
      this.areas();
    }, { id: `estimator-${name}` }))));
    const columns = app.data.columns.filter((one) => one.is_class && one.name !== state.roles.label).map((one) => [one.name, one.name]);
    const several = state.roles.score.length > 1;
    fill(host, h("h2", {}, t("How well does each score tell the classes apart?")), h("p.answer", {}, app.overview.headline),
      h("ul.findings", {}, app.overview.findings.map((one) => h("li", { class: one.weight }, one.text))), estimators, app.form("areas", () => this.areas()), this.areaHost,
      h("h2", {}, t("Do they differ?")), several ? app.form("compare", () => this.pairs()) : h("p.hint", {}, t("Choose a second score to compare.")), this.pairHost,
      h("h2", {}, t("Groups of cases")), columns.length ? select(t("by"), [["", t("no groups")], ...columns], state.roles.by ?? "", (value) => { app.session.set({ roles: { by: value || null } }, { quiet: true }); this.groups(); }, { id: "by" }) : h("p.hint", {}, t("No column has few enough values to make groups.")), this.groupHost);
  }

  areas() {
    const { app } = this;
    const { estimators } = app.state.areas;
    app.work(this.areaHost, "areas", { null: 0.5, ...app.chosen("areas"), estimators, level: app.state.level }, (answer) => this.areaHost.append(tableOf(answer.table, { name: "areas" })));
  }

  pairs() {
    const { app } = this;
    if (app.state.roles.score.length < 2) return;
    app.work(this.pairHost, "compare", { ...app.chosen("compare"), level: app.state.level }, (answer) => {
      const picture = h("figure");
      this.pairHost.append(tableOf(answer.pairs, { name: "differences" }), picture);
      if (answer.equality) this.pairHost.append(h("h3", {}, t("Are all areas equal?")), tableOf(answer.equality, { name: "equality" }));
      if (answer.claims.rows.length) this.pairHost.append(h("h3", {}, t("Within the margin?")), tableOf(answer.claims, { name: "margin" }));
      if (answer.forest.length <= 40) forestChart(picture, answer.forest, { title: t("Differences of areas with intervals"), at: 0 });
    });
  }

  groups() {
    const { app } = this;
    const { by } = app.state.roles;
    if (!by) { fill(this.groupHost); return; }
    app.work(this.groupHost, "groups", { by, level: app.state.level }, (answer) => {
      const picture = h("figure");
      this.groupHost.append(picture, h("h3", {}, t("Do groups differ?")), tableOf(answer.tests, { name: "heterogeneity" }), ...answer.tables.map((one) => tableOf(one, { caption: one.title, name: `groups ${one.title}` })));
      if (answer.forest.length <= 60) forestChart(picture, answer.forest, { title: t("Areas of groups with intervals"), at: null });
    });
  }
}
