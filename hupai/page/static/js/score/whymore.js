// "Why not more?": elements that are met but not counted, other readings, the next step, other tiles and house rules.
import { currentRules } from "../state/rules.js";
import { post } from "../api/api.js";
import { lost, withoutOwnStick } from "../scoring/live.js";
import { openPrompts, valueOf } from "../scoring/questions.js";
import { h, icon } from "../dom/dom.js";
import { language, number, signed, t, worded } from "../words/i18n.js";
import { rich } from "../faces/rich.js";
import { troubleWords } from "../words/words.js";
import { askLabel, elementName } from "../names/systems.js";
import { askedFold } from "../controls/fields.js";
import { optionLabel, valueWords } from "../rules/option.js";

const SHOWN = 6; // how many house rules are shown, those with the greatest effect
const NEAREST = 3; // how many other tiles, those that pay most

/** @type {ReturnType<typeof askedFold<Api.ScoreBody>>} */
const card = askedFold("why");

const part = (/** @type {string} */ title, /** @type {any[]} */ items) =>
  items.length > 0 &&
  [
    h("h3.minor", t(title)),
    h("ul.why-list", items.map((item) => h("li", item))),
  ];

// What an answer or a house rule changes, and what the winner gains then.
/** @type {(found: {change: Money, income: Money}, laid: number) => string} */
const changeWords = ({ change, income }, laid) =>
  t("why.change", { change: signed(change), income: number(laid ? Number(income) - laid : income) });

/** @type {(rule: Api.OtherRule, laid: number) => any[]} */
function ruleWords(rule, laid) {
  const { option: name, value, legal } = rule;
  const rules = currentRules();
  const option = rules.options.find((one) => one.name === name);
  if (!option) return [name];
  const words = t("label", { name: optionLabel(rules, option) }) + valueWords(rules, option, value);
  return [
    words,
    " · ",
    h("b", legal ? changeWords(rule, laid) : t("score.no_win")),
  ];
}

/** @type {(other: Api.OtherTile, laid: number) => any[]} */
const nearestWords = (other, laid) => {
  const { id, unit } = currentRules();
  const { drop, take, elements } = other;
  const gained = elements.map((
    line,
  ) => [" · ", h("b", elementName(id, line), " ", unit === "factor" ? `× ${number(line.value)}` : signed(line.value))]);
  return [
    rich(t(other.winning ? "why.won_with" : "why.other_tile", { drop, take })),
    gained,
    " · ",
    changeWords(other, laid),
  ];
};

// What nobody has said, with what an answer would change.
/** @type {(answer: Api.ScoreBody, laid: number) => any[]} */
function openWords(answer, laid) {
  const rules = currentRules();
  return openPrompts(answer).filter((ask) => valueOf(ask) !== true).map((ask) => {
    const found = answer.open?.find(({ name, change }) => name === ask.name && Number(change) !== 0);
    const hint = worded(`ask.${ask.name}.open`, "");
    return [
      askLabel(rules, ask),
      hint && ` (${hint})`,
      found && [" · ", h("b", changeWords(found, laid))],
    ];
  });
}

/** @type {(answer: Api.ScoreBody, why: Api.WhyBody, laid: number) => any} */
function whyList(answer, why, laid) {
  const counted = why.not_counted.map((left) => [
    h("b", elementName(currentRules().id, left)),
    " · ",
    rich(left.why),
  ]);
  const parts = [
    part("why.open", openWords(answer, laid)),
    part("why.not_counted", counted),
    part("why.else", why.second_best ? [rich(why.second_best)] : []),
    part("why.next", laid ? [] : why.next_steps.map((step) => rich(step.sentence))),
    part("why.nearest", why.nearest.slice(0, NEAREST).map((other) => nearestWords(other, laid))),
    part("why.house", why.house_rules.slice(0, SHOWN).map((rule) => ruleWords(rule, laid))),
  ];
  return parts.some(Boolean) ? parts : h("p.soft", t("why.nothing"));
}

/** The fold; the server is asked when it is opened. */
export function whyMore(/** @type {Scored} */ score) {
  const asked = withoutOwnStick(score.request);
  const about = JSON.stringify([language(), asked]);
  const ask = () => post("/score", { ...asked, why: true, open: true });
  return card("fold-why", t("why.title"), { about, ask }, ({ answer, error }) => {
    const inside = answer?.why
      ? whyList(answer, answer.why, lost(score))
      : error
      ? h("p.caution", icon("warn"), troubleWords(error))
      : h("p.soft", t("bar.counting"));
    return h("div.stack", { role: "status" }, inside);
  }, "why-more");
}
