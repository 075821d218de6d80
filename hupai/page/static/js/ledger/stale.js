// Shown in every sheet that writes into a game: that the table has changed meanwhile, and why nothing was written.
import { h, icon } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { faultList, faultsOf, mainKey } from "../controls/fields.js";

/**
 * Another phone was faster: the content of the sheet (`inside`) waits until its owner has looked again.
 * @type {(text: string, onlooked: () => unknown, inside: any) => Child}
 */
export const lookAgain = (text, onlooked, inside) => [
  h("p.caution", { role: "alert" }, icon("people"), h("span", text)),
  mainKey("looked", "check", t("meanwhile.go_on"), onlooked),
  h("div.stack", { inert: true }, inside),
];

const reveal = (/** @type {Element | null} */ shown) => shown?.scrollIntoView({ block: "nearest" });

/** Whether an entry is being sent, and why the last one was refused; `fault` is null if it was not. */
export function sendingState(/** @type {unknown} */ sending, /** @type {any} */ fault, /** @type {string} */ id) {
  return [
    sending && h("p.soft", { role: "status" }, t("record.sending")),
    h("div", { role: "alert" }, fault && h("div", { ref: reveal }, faultList(faultsOf(fault), id))),
  ];
}
