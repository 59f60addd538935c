// The frame: bar, views, drawers, running work, keyboard; one view at a time, named in the address.

import { GONE } from "./api.js";
import { allDigits, showAllDigits } from "./digits.js";
import { Code } from "./code.js";
import { Drawer } from "./drawer.js";
import { fill, h } from "./dom.js";
import { icon, logo } from "./icons.js";
import { JobsMenu } from "./jobs_menu.js";
import { showKeys } from "./keys.js";
import { Opening } from "./opening.js";
import { banner, button, iconButton, menu, small } from "./parts.js";
import { LANGUAGES, chooseLanguage, language, t } from "./text.js";
import { chooseTheme, isDark } from "./theme.js";
import { VIEWS, GROUPS, TITLES } from "./views/all.js";
import { showNeeds } from "./views/needs.js";

// By the keys Alt+1 to Alt+0; a view that came later has none, so that the others keep theirs.
export const ORDER = GROUPS.flatMap(([, names]) => names).filter((name) => name !== "time");

export class Frame {
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.drawer = new Drawer();
    this.code = new Code(this.drawer);
    this.opening = new Opening(app);
    this.jobs = new JobsMenu(app);
    this.returned = false; // the session was brought back, and the page says so
    window.addEventListener("hashchange", () => this.arrive());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
    document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) document.body.classList.remove("dropping"); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const [file] = event.dataTransfer?.files ?? [];
      if (file) this.opening.upload(file);
    });
  }

  // -- the parts that stand still ----------------------------------------------------------------------------

  build() {
    const { app } = this;
    this.drawer.close();
    this.undo = iconButton("undo", `${t("Undo")} (Ctrl+Z)`, () => app.session.undo(), { id: "undo" });
    this.redo = iconButton("redo", `${t("Redo")} (Ctrl+Shift+Z)`, () => app.session.redo(), { kind: "wide", id: "redo" });
    this.file = h("b", { id: "called" });
    this.about = h("span", { id: "about" });
    this.status = h("div", { id: "status", role: "status", "aria-live": "polite" });
    this.notes = h("div", { id: "note-place" });
    this.work = h("div", { id: "tray" });
    this.place = h("div.view", { id: "place" });
    this.main = h("main", { id: "view", tabindex: -1 }, this.status, this.notes, this.work, this.place);
    this.session = h("input.unseen", { type: "file", id: "session-file", accept: ".json,.roclab", tabindex: -1, "aria-label": t("Open session"), onchange: () => app.files.openSession(this.session) });
    this.side = h("nav.side", { id: "views", "aria-label": t("Views") }, GROUPS.map(([title, names]) => h("div", {}, h("h2", {}, t(title)), h("ul", {}, names.map((name) => h("li", {},
      h("a", { href: `#/${name}`, id: `tab-${name}` }, icon(name), t(TITLES[name]))))))), h("p.foot", {}, t("Everything stays on this computer.")));
    this.views = h("button.btn.bare.viewbutton", { type: "button", id: "views-button", "aria-expanded": "false", "aria-controls": "views", onclick: () => this.unfold() }, h("span"), icon("down"));
    fill(this.root, h("a.skip", { href: "#view", onclick: (event) => { event.preventDefault(); this.main.focus(); } }, t("Skip to the content")),
      h("header.bar", {}, h("a.brand", { href: "#/start", "aria-label": `roclab, ${t("Start")}` }, logo(), h("span", {}, "roclab")), this.views, h("div.file", {}, this.file, this.about),
        h("div.end", {}, this.undo, this.redo, h("span.sep.wide"), this.jobs.build(),
          button(t("Code"), () => this.showCode(), { kind: "bare wide", sign: "code", id: "code-button" }), this.languageMenu(),
          this.themeButton = iconButton(isDark() ? "sun" : "moon", t("Light or dark"), () => this.turnTheme(), { kind: "wide", id: "theme" }),
          button(t("Report"), () => app.report(), { kind: "main wide", id: "report" }), this.allMenu(), this.session)),
      this.side, this.main);
    this.mark();
  }

  languages() {
    return Object.entries(LANGUAGES).map(([code, name]) => h("button", {
      type: "button", lang: code, dataset: { language: code }, "aria-pressed": String(language() === code), onclick: () => chooseLanguage(code).then(() => this.rebuild(), () => this.app.say(GONE, "bad")),
    }, name, language() === code ? icon("check") : null));
  }

  languageMenu() {
    return h("div.wide", {}, menu(h("button.btn.bare.small", { type: "button", id: "language", "aria-label": `${t("Language")}: ${LANGUAGES[language()]}` }, language().toUpperCase(), icon("down")), this.languages()));
  }

  allMenu() {
    const { app } = this;
    const item = (words, call, more = {}, extra = null) => h(`button${more.kind ?? ""}`, { type: "button", id: more.id ?? null, "aria-pressed": more.pressed ?? null, onclick: call }, words, extra);
    return menu(iconButton("dots", t("Menu"), null, { id: "menu" }), [
      item(t("Open data"), () => this.open("start"), { id: "menu-open" }), item(t("Save session"), () => app.files.saveSession(), { id: "save-session" }),
      item(t("Open session"), () => this.session.click(), { id: "open-session" }), item(t("Start over"), () => app.startOver(), { id: "start-over" }), h("hr"),
      item(t("All digits"), () => this.turnDigits(), { id: "all-digits", pressed: String(allDigits()) }, allDigits() ? icon("check") : null),
      item(t("Keyboard"), () => showKeys(), { id: "keys" }, h("kbd", {}, "?")),
      h("hr.narrow"), item(t("Redo"), () => app.session.redo(), { kind: ".narrow" }), item(t("Code"), () => this.showCode(), { kind: ".narrow" }), item(t("Report"), () => app.report(), { kind: ".narrow" }),
      item(t("Light or dark"), () => this.turnTheme(), { kind: ".narrow" }), h("hr.narrow"), h("div.narrow", {}, this.languages()),
    ], { full: true });
  }

  rebuild() {
    this.build();
    this.show();
    if (this.app.store) this.app.store.changed("score");
  }

  turnTheme() {
    chooseTheme(isDark() ? "light" : "dark");
    this.themeButton.replaceChildren(icon(isDark() ? "sun" : "moon"));
  }

  turnDigits() {
    showAllDigits(!allDigits());
    this.rebuild();
  }

  unfold() {
    const open = this.side.classList.toggle("open");
    this.views.setAttribute("aria-expanded", String(open));
    if (open) this.side.querySelector("[aria-current]")?.focus();
  }

  // -- views -------------------------------------------------------------------------------------------------

  open(view) {
    if (window.location.hash === `#/${view}`) this.arrive();
    else window.location.hash = `/${view}`;
  }

  // The address of a view that the state already has.
  address(view) {
    if (window.location.hash !== `#/${view}`) window.history.pushState(null, "", `#/${view}`);
    this.app.session.set({ view }, { aside: true, quiet: true });
    this.mark();
  }

  named() {
    const name = window.location.hash.replace(/^#\//, "");
    return Object.hasOwn(VIEWS, name) ? name : null;
  }

  arrive() {
    const view = this.named() ?? "start";
    const { app } = this;
    this.drawer.close();
    this.side.classList.remove("open");
    this.views.setAttribute("aria-expanded", "false");
    this.say("");
    if (app.state.view === view) this.show();
    else app.session.set({ view }, { aside: true });
    window.scrollTo(0, 0);
    this.main.focus({ preventScroll: true });
  }

  mark() {
    const { app } = this;
    const view = Object.hasOwn(VIEWS, app.state.view) ? app.state.view : "start"; // a session may name any other
    for (const one of this.side.querySelectorAll("a")) {
      if (one.id === `tab-${view}`) one.setAttribute("aria-current", "page");
      else one.removeAttribute("aria-current");
    }
    this.views.firstChild.textContent = t(TITLES[view]);
    this.file.textContent = app.data === null ? "" : app.data.called;
    if (!this.busy) this.about.textContent = app.sampleInWords();
    document.title = [t(TITLES[view]), app.data?.called, "roclab"].filter(Boolean).join(" · ");
    this.steps();
    return view;
  }

  steps() {
    if (!this.undo) return;
    this.undo.disabled = !this.app.session.canUndo;
    this.redo.disabled = !this.app.session.canRedo;
  }

  show() {
    const { app } = this;
    const view = this.mark();
    const held = this.place.contains(document.activeElement) ? document.activeElement.id : "";
    if (app.store) app.store.listeners = [app.keepPoint]; // a view that is left hears nothing more
    this.code.forget();
    fill(this.notes, this.returned && view !== "start" ? this.welcome() : null);
    const { View, needs } = VIEWS[view];
    if ((needs === "data" && app.data === null) || (needs === "label" && (app.data === null || app.state.roles.label === null)) || (needs === "overview" && app.overview === null)) showNeeds(this.place, app);
    else app.current = new View(this.place, app);
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
    this.drawer.refresh();
  }

  welcome() {
    const done = (call) => () => { this.returned = false; fill(this.notes); call(); };
    return banner("good", t("Your work in this tab is back, with every step to undo."), small(t("Start over"), done(() => this.app.startOver())), small(t("Dismiss"), done(() => {})));
  }

  // A sentence about what was just done: what goes on in the bar, what is wrong or to be known above the view.
  say(text, kind = "note") {
    this.busy = kind === "busy" && text !== "";
    if (!this.status) return;
    if (this.busy) {
      this.about.textContent = text;
      fill(this.status);
      return;
    }
    this.about.textContent = this.app.sampleInWords();
    this.status.className = text ? kind : "";
    fill(this.status, text ? banner({ note: "info" }[kind] ?? kind, text, small(t("Dismiss"), () => this.say(""))) : null);
  }

  // Where work stands that belongs to no view.
  tray() {
    const place = h("div", {});
    fill(this.work, place);
    return place;
  }

  showCode() { this.drawer.open(t("Code"), null, () => this.code.body(), { id: "code" }); }

  key(event) {
    const typing = event.target.matches?.("input:not([type=checkbox],[type=radio],[type=range]), select, textarea");
    const { session } = this.app;
    const pressed = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !typing && (pressed === "z" || pressed === "y")) {
      event.preventDefault();
      if (pressed === "y" || event.shiftKey) session.redo();
      else session.undo();
    } else if (event.altKey && /^[0-9]$/.test(event.key)) {
      const view = ORDER[(Number(event.key) + 9) % 10];
      if (view) { event.preventDefault(); this.open(view); }
    } else if (event.key === "Escape" && this.drawer.isOpen) this.drawer.close();
    else if (event.key === "?" && !typing) showKeys();
  }
}
