// Settings: language, theme, tile sets, what is kept on the host.
import { app } from "../state/app.js";
import { set } from "../state/settings.js";
import { emit, fetched } from "../state/signal.js";
import { get, remove, served } from "../api/api.js";
import { h } from "../dom/dom.js";
import { language, LANGUAGES, moment, speak, t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { attempt, notice } from "../controls/notice.js";
import { button, choiceRow, fold, iconButton, toggle } from "../controls/fields.js";
import { showsCaptions } from "../faces/tile.js";

export const title = () => t("tab.more");
export const className = "two";

/** @type {typeof import("../camera/tilesets.js") | null} */
let tilesets = null; // what only this screen needs

const samples = fetched("lists", async () => (await get("/corrections")).corrections);

async function changeLanguage(/** @type {string} */ code) {
  try {
    await speak(code);
    emit("language", "hand", "answers", "score", "reading", "game", "settings");
  } catch {
    notice(troubleWords({ code: "offline" }));
  }
}

function looks() {
  return h(
    "section.card.stack",
    choiceRow(
      "language",
      t("more.language"),
      Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
      language(),
      changeLanguage,
    ),
    choiceRow(
      "theme",
      t("more.theme"),
      ["auto", "light", "dark"].map((value) => ({ value, label: t(`theme.${value}`) })),
      app.settings.theme,
      (theme) => set({ theme }),
    ),
    toggle(
      "captions",
      t("more.captions"),
      showsCaptions(),
      (on) => {
        set({ captions: on });
        emit("hand", "score");
      },
      t("more.captions_text"),
    ),
  );
}

function sample(/** @type {Api.SampleSummary} */ { id, tiles, saved }) {
  const when = moment(saved);
  return h(
    "li",
    h("span.grow", t("more.sample", { n: tiles, when })),
    iconButton(`sample-${id}`, "bin", t("more.sample_delete", { when }), () => dropSample(id)),
  );
}

function privacy() {
  return h(
    "section.card.stack",
    h("h2", t("more.privacy")),
    h("p.soft", t(served ? "more.privacy_text" : "more.privacy_alone")),
    served && toggle(
      "always-keep",
      t("correct.always"),
      app.settings.alwaysKeep,
      (on) => set({ alwaysKeep: on }),
      t("correct.always_text"),
    ),
    samples.answer !== null && samples.answer.length > 0 &&
      fold(
        "fold-samples",
        t("more.samples", { n: samples.answer.length }),
        h("ul.plain-list", samples.answer.map(sample)),
      ),
  );
}

async function dropSample(/** @type {string} */ id) {
  const gone = await attempt(() => remove(`/corrections/${encodeURIComponent(id)}`));
  if (gone) notice(t("more.sample_gone"));
  await samples.load();
}

function about() {
  return h(
    "section.card",
    h("h2", "hupai 胡牌"),
    h("p.soft", app.about ? t("more.version", { version: app.about.version }) : t("offline")),
    app.about?.code_needed &&
      button(null, t("more.sign_out"), async () => {
        await remove("/session").catch(() => {});
        location.reload();
      }),
  );
}

export const parts = [
  { on: ["language", "settings"], draw: looks },
  { on: ["language", "settings", "lists"], draw: () => tilesets?.tileSets() },
  { on: ["language", "settings", "lists"], draw: privacy },
  { on: ["language", "about"], draw: about },
];

export async function enter() {
  if (served) samples.load();
  tilesets ??= await import("../camera/tilesets.js").catch(() => null); // the host is away
  emit("lists");
  tilesets?.sets.load();
}
