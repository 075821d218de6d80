// The link that hands house rules on. What one says is checked by hupai, and put into force by a tap.
import { app } from "../state/app.js";
import { currentRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { get, mayPass } from "../api/api.js";
import { codeAndAddress, h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { attempt, notice } from "../controls/notice.js";
import { button } from "../controls/fields.js";
import { openSheet } from "../controls/sheet.js";
import { rulesName } from "../names/systems.js";
import { houseName, inForce, ownHouse, takeHouse, usualName } from "./house.js";
import { optionField } from "./option.js";

const asked = (/** @type {string} */ id, /** @type {Record<string, string>} */ said) =>
  get(`/rules/${encodeURIComponent(id)}/link?${new URLSearchParams(said)}`);

/** Shows the link that brings the house rules in force to another phone, and a code to scan. */
export const openShare = () =>
  attempt(async () => {
    const { id } = currentRules();
    const preset = inForce(id);
    const said = {
      options: JSON.stringify(ownHouse(id)),
      ...(preset && { [preset.source ? "preset" : "name"]: preset.id ?? preset.name }),
    };
    const { url, code } = await asked(id, said);
    let copied = false;
    const hand = async () => {
      try {
        if (navigator.share) await navigator.share({ title: houseName(), url });
        else await navigator.clipboard.writeText(url);
        copied = !navigator.share;
        sheet.refresh();
      } catch {
        // dismissed, or not allowed: the address is on screen to be copied by hand
      }
    };
    const sheet = openSheet(t("presets.share"), () => [
      h("p.soft", t("presets.share_text", { name: houseName() })),
      h("div.join.stack", codeAndAddress(code, t("presets.code"), url)),
      ("share" in navigator || "clipboard" in navigator) &&
      button("preset-hand-on", t("share" in navigator ? "presets.hand_on" : "presets.copy"), hand, {
        look: "wide",
        sign: "share" in navigator ? "share" : "copy",
      }),
      h("span", { role: "status" }, copied && t("presets.copied")),
    ]);
  });

/** Shows the house rules of a link that was opened, {house, preset, options, name}, or why they are none. */
export async function offerLinked(/** @type {URLSearchParams} */ given) {
  const { house, code: _, ...said } = Object.fromEntries(given);
  const again = { action: t("retry"), act: () => offerLinked(given), lasting: true };
  let found;
  try {
    found = await asked(house || "?", said);
  } catch (error) {
    return mayPass(error) ? notice(troubleWords(error), again) : notice(`${t("presets.link_bad")} ${error.message}`);
  }
  const rules = app.rules.find(({ id }) => id === found.rules);
  const preset = rules?.presets.find(({ id }) => id === found.preset);
  if (!rules || (found.preset && !preset)) return notice(t("presets.link_bad"));
  const { options } = preset ?? found;
  const name = preset
    ? t(`preset.${preset.id}`)
    : found.name || (Object.keys(options).length ? null : usualName(rules.id));
  const use = () => {
    takeHouse(rules.id, preset ?? { name: found.name || null, options });
    set({ rules: rules.id });
    sheet.close();
    notice(t("presets.used", { name: houseName(rules.id) }));
  };
  const sheet = openSheet(t("presets.linked"), () => [
    h("p", h("b", [rulesName(rules), name].filter(Boolean).join(" · "))),
    app.game && h("p.soft", t("presets.linked_later")),
    h(
      "div.options",
      rules.options.filter((option) => option.name in options).map((option) =>
        optionField(rules, option, options[option.name], () => {}, { fixed: true })
      ),
    ),
    button("preset-take", t("presets.take"), use, { look: "main wide", sign: "check" }),
  ]);
  return sheet;
}
