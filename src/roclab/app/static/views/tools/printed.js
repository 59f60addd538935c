// Printed examples: what texts print, beside ours.

import { h } from "../../dom.js";
import { button } from "../../parts.js";
import { t } from "../../text.js";

export function build(view) {
  return h("div.row", {}, h("p", {}, t("What the texts behind these methods print or claim, beside ours.")), button(t("Run"), () => view.run("reproduce", {}, {}), { kind: "main", id: "run-reproduce" }));
}
