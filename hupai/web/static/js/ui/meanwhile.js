// Another phone wrote into the game while a hand was being scored here: what happened, and what becomes of the hand.
import { app } from "../app.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { seatName } from "../names.js";
import { known } from "../questions.js";
import { nextHand } from "../nexthand.js";
import { endCorrection } from "../recorded.js";
import { keepMine, meanwhile, movedOn } from "../seen.js";
import { changeList } from "./changes.js";

/** The choice: enter the hand after what happened, look at it again, or drop it. Null where nothing has happened. */
export function meanwhileCard({ look = true } = {}) {
  if (!movedOn()) return null;
  const changes = meanwhile();
  const { seat } = known();
  return h(
    "section",
    { class: "card stack meanwhile", role: "alert", "aria-label": t("meanwhile.title") },
    h("h2", {}, icon("people"), t("meanwhile.title")),
    changes?.length ? changeList(changes) : h("p", {}, t("meanwhile.changed")),
    h("p", {}, app.draft.correcting ? t("mend.ask", { n: app.draft.correcting.number }) : seat ? t("meanwhile.ask", { name: seatName(seat), wind: t(`seat.${seat}`) }) : t("meanwhile.ask_open")),
    h(
      "button",
      { class: "button main wide", type: "button", "data-key": "keep-mine", onclick: keepMine },
      icon("check"),
      app.draft.correcting
        ? t("mend.keep")
        : seat
          ? t("meanwhile.keep", { name: seatName(seat) })
          : t("meanwhile.keep_open"),
    ),
    h(
      "div",
      { class: "three" },
      look && h("a", { class: "button", href: "#/hand", "data-key": "look-again" }, icon("back"), t("meanwhile.look")),
      h(
        "button",
        {
          class: "button",
          type: "button",
          "data-key": "discard-mine",
          onclick: () => {
            if (app.draft.correcting) endCorrection();
            else nextHand({});
            location.hash = "#/game";
          },
        },
        icon("bin"),
        t("meanwhile.discard"),
      ),
    ),
  );
}
