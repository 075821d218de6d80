// Corrected photos teach the set they show, and may be kept on the host as labelled samples with the user's consent.
import { app } from "../state/app.js";
import { draft } from "../state/draft.js";
import { set } from "../state/settings.js";
import { emit } from "../state/signal.js";
import { post, served } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { correctedTiles, mendedCount } from "../hand/fromread.js";
import { tilesOf } from "../hand/hand.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { attempt, notice } from "../controls/notice.js";
import { button, textField, toggle } from "../controls/fields.js";
import { openForm } from "../controls/sheet.js";

/** How many tiles of the photo were corrected, or kept though the reading had set them aside. */
export const mended = () =>
  app.draft.read && (app.blob || app.draft.photoId)
    ? mendedCount(app.draft.read, tilesOf(app.draft.hand)) + app.draft.kept.length
    : 0;

// The fields beside the photo, which is sent as its id, or as the file if the host has dropped it.
function ready(/** @type {string} */ path, /** @type {Record<string, string>} */ fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (app.draft.photoId) form.append("photo_id", app.draft.photoId);
  else if (app.blob) form.append("photo", app.blob, "photo.jpg");
  return { path, form, blob: app.blob };
}

async function send(/** @type {ReturnType<typeof ready>} */ { path, form, blob }) {
  try {
    return await post(path, form);
  } catch (error) {
    if (error.code !== "photo_gone" || !blob) throw error;
    form.delete("photo_id");
    form.append("photo", blob, "photo.jpg");
    return post(path, form);
  }
}

const labels = () => (app.draft.read ? correctedTiles(app.draft.read, tilesOf(app.draft.hand)) : []);

const correction = () =>
  ready("/corrections", {
    consent: "true",
    annotation: JSON.stringify({ tiles: labels(), rules: app.game?.rules ?? app.settings.rules }),
  });

// The corrected tiles teach how this set looks; the user is asked for a name.
function teach() {
  let name = app.settings.set ?? "";
  const learn = async () => {
    const seen = labels().filter((x) => x.label !== "back");
    const learned = await send(ready("/sets", { name: name.trim(), labels: JSON.stringify([seen]) }));
    set({ set: learned.name });
    notice(t("sets.learned", { name: learned.name }));
  };
  openForm(
    t("teach.title"),
    (faults) => textField("teach-name", t("sets.name"), name, (text) => (name = text), { maxlength: 40, faults }),
    learn,
    { text: h("p.soft", t("teach.text")), verb: t("sets.learn_now"), look: "main wide", sign: "check" },
  );
}

/** If the player always keeps corrections: what must be sent once the hand is in the ledger, otherwise null. */
export function offerCorrection() {
  if (!app.settings.alwaysKeep || app.draft.keptAs || !mended()) return null;
  const sample = correction();
  return () =>
    attempt(async () => {
      await send(sample);
      notice(t("correct.kept"));
    });
}

/** @type {{of: Api.ReadBody | null, words: string} | null} */
let refused = null; // {of, words}: the reading whose photo the host refused, and why

async function keep() {
  const of = app.draft.read;
  refused = null;
  try {
    const { id } = await send(correction());
    draft({ keptAs: id });
  } catch (error) {
    refused = { of, words: troubleWords(error) };
  }
  emit("record");
}

/** The question whether this photo may teach its set or, on a host, be kept; nothing is sent before it is answered. */
export function correctionCard() {
  const count = mended();
  if (!count) return null;
  const key = button("teach", t("teach.title"), teach, { sign: "book" });
  return h(
    "section.card.stack",
    { "aria-label": t("correct.title") },
    h("h2", t("correct.title")),
    !served
      ? [h("p.soft", t("teach.text")), key]
      : app.draft.keptAs
      ? h("p.kept", { role: "status" }, icon("check"), h("span", t("correct.kept")))
      : [
        h("p.soft", t("correct.text", { n: count })),
        button("keep-correction", t("correct.keep"), keep, { sign: "download" }),
        toggle("always-keep", t("correct.always"), app.settings.alwaysKeep, (on) => set({ alwaysKeep: on })),
        key,
        refused?.of === app.draft.read && h("p.caution", { role: "alert" }, icon("warn"), refused.words),
      ],
  );
}
