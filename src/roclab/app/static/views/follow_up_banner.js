// A table that looks like a follow-up: what it is, and one press to ask about it.

import { banner, button } from "../parts.js";
import { t } from "../text.js";

export function followUpBanner(app, found) {
  const followed = found?.guess?.followed;
  const { roles, answered } = app.state;
  if (!followed || roles.time !== null || answered.includes("follow-up")) return null;
  const scores = found.guess.score.filter((one) => ![followed.time, followed.event].includes(one));
  const start = () => {
    app.session.set({
      confirmed: true, roles: { time: followed.time, event: followed.event, score: scores, label: roles.label === followed.event ? null : roles.label },
      options: { time: { cause: followed.cause, competing: followed.competing, censored: followed.censored } },
    }, { quiet: true });
    app.open("time");
    app.refresh();
  };
  return banner("info", t("{time} and {event} look like a follow-up: how long each case was followed, and what ended that. Ask who has the event by when?", { time: followed.time, event: followed.event }),
    button(t("Ask over time"), start, { id: "ask-over-time", kind: "small main" }), button(t("Leave it"), () => app.session.set({ answered: [...answered, "follow-up"] }), { kind: "small" }));
}
