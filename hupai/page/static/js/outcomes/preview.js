// What an entry without tiles would come to, below its form: the host is asked for every state of it.
import { currentOptions, currentRules } from "../state/rules.js";
import { mayPass, post } from "../api/api.js";
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { revisionSeen, takeRefusal } from "../scoring/revision.js";
import { totalWords } from "../words/words.js";
import { button, faultList, faultsOf } from "../controls/fields.js";
import { netTable } from "../score/payments.js";

const questionOf = (/** @type {any} */ entry, /** @type {any} */ at) =>
  JSON.stringify([entry, at?.id, at?.number, at?.revision, currentRules().id]);

async function ask(/** @type {any} */ entry, /** @type {any} */ at) {
  if (!at) {
    const rules = currentRules();
    const [win] = entry.wins;
    const score = await post("/score", { rules: rules.id, options: currentOptions(rules.id), ...win });
    return score.legal ? score : { error: { faults: [{ message: score.reason?.message ?? "" }] } };
  }
  const path = `/games/${encodeURIComponent(at.id)}/hands/${at.number ? `${at.number}/` : ""}try?last=0`;
  const { scores, payments, settled_again: again = [] } = await post(path, { ...entry, seen: revisionSeen() });
  return { total: scores[0]?.total, payments, again: again.length };
}

/**
 * A sheet's preview: the question asked last, and its answer. The host may be asked again once its answer is gone.
 * @returns {Preview}
 */
export const newPreview = () => ({ asked: null, answer: null });

// Asks the host once for every entry that the form makes.
/** @type {(entry: any, preview: Preview, sheet: Sheet, at: any) => void} */
function look(entry, preview, sheet, at) {
  const question = questionOf(entry, at);
  if (preview.asked === question) return;
  preview.asked = question;
  const tell = (/** @type {object} */ found) => {
    if (preview.asked !== question) return;
    preview.answer = { question, ...found };
    if (sheet.element.isConnected) sheet.refresh();
  };
  ask(entry, at).then(tell, (error) => takeRefusal(error) || tell({ error }));
}

/**
 * What the players of a sheet gain and pay by an entry, or why it cannot be entered.
 * @param {any} entry null while something is missing
 * @param {Preview} preview
 * @param {Sheet} sheet
 * @param {any} at the table where they sit; null without a game
 */
export function previewOf(entry, preview, sheet, at) {
  if (entry) look(entry, preview, sheet, at);
  const again = () => {
    Object.assign(preview, newPreview());
    sheet.refresh();
  };
  return [
    h("div.told", { role: "status" }, shown(entry, preview, at)),
    entry && mayPass(preview.answer?.error) && button("preview-again", t("retry"), again, { sign: "retry" }),
  ];
}

function shown(/** @type {any} */ entry, /** @type {Preview} */ { answer }, /** @type {any} */ at) {
  if (!entry) return h("p.soft", t("told.missing"));
  if (answer?.question !== questionOf(entry, at)) return h("p.soft", t("bar.counting"));
  const { error, total, payments, again } = answer;
  if (error) return faultList(faultsOf(error), "faults-told");
  return [
    total && h("p", h("b", totalWords(total))),
    netTable(payments, t("pay.title"), at ?? undefined),
    again > 0 && h("p.hint", t("mend.again", { n: again })),
  ];
}

/** The entry with the payments that were shown; null until they are there. */
export function confirmed(/** @type {any} */ entry, /** @type {Preview} */ { answer }, /** @type {any} */ at) {
  if (!entry || !answer?.payments || answer.question !== questionOf(entry, at)) return null;
  return { ...entry, expected_payments: answer.payments };
}
