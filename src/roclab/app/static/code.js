// The same question in Python and on the command line, always in view, to be copied.

import { fill, h } from "./dom.js";
import { copyText } from "./files.js";
import { t } from "./text.js";

export function codePanel(host, { python, command }) {
  const open = host.querySelector("details")?.open ?? false;
  const line = command.split("\n")[0];
  fill(host, h("details.code", { open }, h("summary", {}, `${t("The same elsewhere:")} `, h("code", {}, line)),
    part(t("Command line"), command), python ? part("Python", python) : null));
}

function part(title, text) {
  const said = h("span.quiet", { role: "status" });
  const copy = h("button.small", {
    type: "button", "aria-label": `${t("Copy")}: ${title}`,
    onclick: async () => {
      try {
        await copyText(text);
        said.textContent = ` ${t("copied")}`;
      } catch {
        said.textContent = ` ${t("The browser does not let this page copy.")}`;
      }
    },
  }, t("Copy"));
  return h("section", {}, h("h3", {}, title, " ", copy, said), h("pre", { tabindex: 0, "aria-label": title }, text));
}
