// What an entry without tiles would come to: the server is asked for every state of its form.
import { currentOptions, currentRules } from "../state/rules.js";
import { post } from "../host/api.js";
import { h } from "../parts/dom.js";
import { t } from "../words/i18n.js";
import { revisionSeen } from "../play/revision.js";
import { totalWords } from "../words/words.js";
import { faultList, faultsOf } from "../controls/fields.js";
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
  return { total: scores[0].total, payments, again: again.length };
}

/**
 * Asks the server once for every entry that the form makes; the answer is delivered through `change`.
 * @param {any} entry
 * @param {any} state
 * @param {(values: any) => void} change
 * @param {any} at
 */
export function look(entry, state, change, at) {
  const question = entry && questionOf(entry, at);
  if (!entry || state.asked === question) return;
  state.asked = question;
  ask(entry, at).then(
    (found) => change({ preview: { question, ...found } }),
    (error) => change({ preview: { question, error } }),
  );
}

/** What the server has said about the entry. */
export function shown(/** @type {any} */ entry, /** @type {any} */ state, /** @type {any} */ at) {
  if (!entry) return h("p.soft", t("told.missing"));
  const { preview } = state;
  if (preview?.question !== questionOf(entry, at)) return h("p.soft", t("bar.counting"));
  const { error, total, payments, again } = preview;
  if (error) return faultList(faultsOf(error), "faults-told");
  return [
    h("p", h("b", totalWords(total))),
    netTable(payments, t("pay.title"), at ?? undefined),
    again > 0 && h("p.hint", t("mend.again", { n: again })),
  ];
}

/** The entry with the payments that were shown; null until they are there. */
export function confirmed(/** @type {any} */ entry, /** @type {any} */ { preview }, /** @type {any} */ at) {
  if (!entry || !preview?.payments || preview.error || preview.question !== questionOf(entry, at)) return null;
  return { ...entry, expected_payments: preview.payments };
}
