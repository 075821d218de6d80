// Learned tile sets: choosing the one to read with, teaching a new one, importing one from a file.
import { app } from "../state/app.js";
import { set } from "../state/settings.js";
import { emit, fetched } from "../state/signal.js";
import { download, get, post, remove } from "../api/api.js";
import { h, icon } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { troubleWords } from "../words/words.js";
import { NotShown, shrink } from "./shrink.js";
import { attempt, notice } from "../controls/notice.js";
import {
  byField,
  choiceRow,
  faultList,
  fileInput,
  fold,
  form,
  iconButton,
  submitKey,
  textField,
} from "../controls/fields.js";
import { confirmSheet } from "../controls/sheet.js";

/** The sets that the host has learned. */
export const sets = fetched("lists", async () => (await get("/sets")).sets);
/** @type {{name: string, photos: File[], faults: Fault[], busy: boolean}} */
const lesson = { name: "", photos: [], faults: [], busy: false };

// Shrunk where the browser can decode it, otherwise (HEIC) unchanged: the server accepts both.
async function small(/** @type {File} */ photo) {
  try {
    return (await shrink(photo)).blob;
  } catch (error) {
    if (error instanceof NotShown) return photo;
    throw error;
  }
}

async function learn() {
  const name = lesson.name.trim();
  lesson.faults = [];
  if (!name) lesson.faults.push({ field: "name", message: t("sets.name_needed") });
  if (!lesson.photos.length) lesson.faults.push({ field: "photo", message: t("sets.photo_needed") });
  if (lesson.faults.length) return emit("lists");
  lesson.busy = true;
  emit("lists");
  try {
    const form = new FormData();
    form.append("name", name);
    for (const photo of lesson.photos) form.append("photo", await small(photo), photo.name);
    await post("/sets", form);
    Object.assign(lesson, { name: "", photos: [] });
    set({ set: name });
    notice(t("sets.learned", { name }));
  } catch (error) {
    const field = error.field === "name" ? "name" : "photo";
    lesson.faults = [{ field, message: troubleWords(error) }];
  }
  lesson.busy = false;
  return sets.load();
}

async function importSet(/** @type {File} */ file, replace = false) {
  const form = new FormData();
  form.append("profile", file, file.name);
  if (replace) form.append("replace", "true");
  try {
    const { name } = await post("/sets/import", form);
    set({ set: name });
    notice(t("sets.learned", { name }));
    await sets.load();
  } catch (error) {
    const taken = error.code === "name_taken" && !replace;
    if (!taken) notice(troubleWords(error));
    else if (await confirmSheet(t("sets.replace"), t("sets.replace_text"), t("sets.replace"))) {
      await importSet(file, true);
    }
  }
}

async function drop(/** @type {string} */ name) {
  if (!(await confirmSheet(t("sets.delete", { name }), t("sets.delete_text"), t("delete")))) return;
  const gone = await attempt(() => remove(`/sets/${encodeURIComponent(name)}`));
  if (gone && app.settings.set === name) set({ set: null });
  await sets.load();
}

/**
 * @param {string} look
 * @param {string} sign
 * @param {string} label
 * @param {Attributes} attributes
 * @param {(files: File[]) => unknown} onpick
 */
const filePicker = (look, sign, label, attributes, onpick) =>
  h("label", { class: look }, fileInput({ class: "unseen", ...attributes }, onpick), icon(sign), label);

function learned(/** @type {Api.SetBody} */ one) {
  const file = () => attempt(() => download(`/sets/${encodeURIComponent(one.name)}/file`, `${one.name}.npz`));
  return h(
    "li",
    { key: one.name },
    h("span.grow", one.name, !one.usable && h("small.hint", t("error.set_unusable"))),
    iconButton(`set-file-${one.name}`, "download", t("sets.export", { name: one.name }), file),
    iconButton(`set-del-${one.name}`, "bin", t("sets.delete", { name: one.name }), () => drop(one.name)),
  );
}

function lessonForm() {
  const { at } = byField(lesson.faults);
  const chosen = lesson.photos.length ? t("sets.photos", { n: lesson.photos.length }) : t("sets.choose");
  return form(
    "stack",
    () => lesson.busy || learn(),
    h("p.soft", t("sets.learn_text")),
    textField("set-name", t("sets.name"), lesson.name, (text) => (lesson.name = text), {
      maxlength: 40,
      faults: at("name"),
    }),
    filePicker(
      "button",
      "picture",
      chosen,
      { "data-key": "set-photos", accept: "image/*", multiple: true },
      (photos) => {
        lesson.photos = photos.slice(0, 8);
        emit("lists");
      },
    ),
    faultList(at("photo"), "faults-set-photo"),
    submitKey(t(lesson.busy ? "sets.learning" : "sets.learn_now"), { look: "main", sign: "check", off: lesson.busy }),
    filePicker("button quiet", "book", t("sets.import"), { "data-key": "set-import" }, ([file]) => importSet(file)),
  );
}

/** The tile sets' card on the More screen. */
export function tileSets() {
  const { answer: found } = sets;
  const usable = (found ?? []).filter((s) => s.usable).map((s) => ({ value: s.name, label: s.name }));
  const choices = [{ value: null, label: t("sets.any") }, ...usable];
  return h(
    "section.card.stack",
    h("h2", t("sets.title")),
    h("p.soft", t("sets.text")),
    found === null
      ? h("p.soft", t("more.unavailable"))
      : choiceRow("set", t("sets.use"), choices, app.settings.set, (name) => set({ set: name }), { wide: true }),
    found !== null && found.length > 0 && h("ul.plain-list", found.map(learned)),
    fold("fold-set", t("teach.title"), lessonForm(), {
      open: lesson.faults.length > 0 || lesson.busy || lesson.photos.length > 0,
    }),
  );
}
