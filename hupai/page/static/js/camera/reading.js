// A photo on its way: shrunk, sent, read; it can be cancelled, and a failed one is kept for another try.
import { app } from "../state/app.js";
import { draft, newDraft, setHand, setPhoto, setReading } from "../state/draft.js";
import { currentRules, sayWhatIsPlayed, withRules } from "../state/rules.js";
import { set } from "../state/settings.js";
import { emit, on } from "../state/signal.js";
import { served, upload } from "../api/api.js";
import { asideOf, handFromRead } from "../hand/fromread.js";
import { addTile, doubtfulTiles, emptyHand, tilesOf } from "../hand/hand.js";
import { asks, whatElseToRead } from "../hand/request.js";
import { seatsTaken } from "../hand/seats.js";
import { isBonus } from "../hand/tiles.js";
import { list, t } from "../words/i18n.js";
import { rulesName } from "../names/systems.js";
import { dropPhoto, keepPhoto, keptPhoto } from "../api/store.js";
import { NotShown, shrink, whyNotShown } from "./shrink.js";
import { notice, say } from "../controls/notice.js";

let turn = 0; // a newer photo invalidates the answers to older ones

/**
 * Reads a photo.
 * @param {Blob} file of the camera or gallery
 * @param {Partial<Draft>} keep what stays of the hand before
 */
export async function readPhoto(file, keep = {}) {
  app.reading?.cancel?.();
  const mine = ++turn;
  newDraft({ keep: { photo: true, wins: app.draft.wins, ...keep } });
  setReading({ phase: "shrinking", cancel: forget });
  let blob = file;
  try {
    const small = await shrink(file);
    if (mine !== turn) return;
    blob = small.blob;
    setPhoto({ bitmap: small.bitmap });
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    if (!served) {
      const code = await whyNotShown(file);
      if (mine === turn) setReading({ phase: "failed", error: { code, faults: [] } });
      return;
    }
    // The browser cannot show it (HEIC): it is sent unchanged, since the server knows more formats.
  }
  if (mine !== turn) return;
  setPhoto({ blob });
  if (!app.draft.correcting) keepPhoto(blob); // the stored photo belongs to the hand that was set aside
  await send(mine);
}

/** Sends the kept photo again. */
export async function retryPhoto() {
  if (app.blob) await send(++turn);
}

/** Reads the other of two hands that lie open; called again, the first one. */
export async function otherHand() {
  draft({ other: !app.draft.other });
  await retryPhoto();
}

/**
 * What was set aside is tiles: the photo is read with them, or they come into the hand if it has been changed by hand.
 * @param {Api.AsideBody[]} things
 */
export async function keepAside(things) {
  const numbers = things.map(({ number }) => number);
  if (app.blob && unmended()) {
    draft({ kept: [...app.draft.kept, ...numbers] });
    return retryPhoto();
  }
  setHand(things.reduce((hand, { tile }) => addTile(hand, tile), app.draft.hand));
  return dropAside(numbers);
}

/** What has these numbers is not, or no longer, set aside. */
export const dropAside = (/** @type {number[]} */ numbers) =>
  draft({ dropped: [...app.draft.dropped, ...numbers] }, "reading");

// Whether a reading under the rules `old` lacks what others look for in a photo: their number of sets, dora, flowers.
const lacks = (/** @type {Api.RulesBody} */ old, /** @type {Api.RulesBody} */ rules) =>
  old.sets !== rules.sets ||
  (asks(rules, "indicator") && !asks(old, "indicator")) ||
  whatElseToRead(old, rules).length > 0;

// Whether the photo is to be read again: three players have other tiles than four.
const isOutdated = (/** @type {Api.RulesBody} */ old, /** @type {Api.RulesBody} */ rules) =>
  lacks(old, rules) || app.draft.players !== seatsTaken().length;

// The rules that the hand's photo was read under, if it was read.
const readUnder = () => (app.draft.read?.tiles.length && app.rules.find((r) => r.id === app.draft.under)) || null;

// The hand is as it was read.
const unmended = () =>
  app.draft.read && JSON.stringify(app.draft.hand) === JSON.stringify(handFromRead(app.draft.read));

const readsAgain = () => Boolean(app.blob) && !app.draft.correcting && !app.reading && unmended();

// Other rules came into force: the photo is read again if they see more in it, unless its hand has been changed by hand.
on(["settings", "game"], () => {
  const [old, rules] = [readUnder(), currentRules()];
  if (old && rules && isOutdated(old, rules) && readsAgain()) retryPhoto();
});

/** @type {Record<string, string>} */
const SOUGHT = { reds: "unread.reds", dora: "zone.dora", fg: "suit.fg", a: "suit.a" };

/** What rules would have looked for in the photo, had it been read for them, in words; null if nothing. */
export function unreadWords(/** @type {Api.RulesBody | undefined} */ rules) {
  const old = readUnder();
  const what = old && rules ? whatElseToRead(old, rules) : [];
  if (!what.length) return null;
  const again = rules?.id !== currentRules().id && !app.game && readsAgain();
  return t(again ? "unread.again" : "unread", {
    name: rulesName(old),
    what: list(what.map((name) => t(SOUGHT[name]))),
  });
}

// What was read without the names of flowers is no hand: they may still come.
function dropUnnamed() {
  if (!app.draft.read?.naming) return;
  draft({ read: null });
  setHand(emptyHand());
}

// They could not be named: the hand stays, and each of them is in doubt.
function keepUnnamed() {
  if (!app.draft.read?.naming) return;
  const { naming: _, ...read } = app.draft.read;
  const flowers = [...read.tiles.keys()].filter((tile) => isBonus(read.tiles[tile].tile));
  read.doubts = [
    ...flowers.map((tile) => ({ tile, code: "low_confidence", message: "", answers: [], open: true })),
    ...read.doubts,
  ];
  draft({ read });
  setHand(handFromRead(read));
}

function failed(/** @type {Trouble} */ error, again = 0) {
  dropUnnamed();
  setReading({ phase: "failed", error, again });
}

const AGAIN = 4; // how often a photo is sent again by itself when the server is fully busy

async function send(/** @type {number} */ mine, tries = 0) {
  if (!app.blob) return;
  if (!currentRules()) {
    setReading({ phase: "loading", share: 0, cancel: forget });
    await new Promise((there) => withRules(() => there(null)));
    if (mine !== turn) return;
  }
  const form = new FormData();
  form.append("photo", app.blob, app.blob instanceof File ? app.blob.name : "photo.jpg");
  const rules = currentRules();
  sayWhatIsPlayed(form);
  form.append("keep", "true");
  if (app.settings.set) form.append("set", app.settings.set);
  if (app.draft.other) form.append("other", "true");
  if (app.draft.kept.length) form.append("aside", app.draft.kept.join());
  const first = served ? "sending" : "loading";
  /** @type {Float32Array | undefined} */
  let corners;
  const { done, cancel } = upload("/read", form, (share, found, early) => {
    corners = found ?? corners;
    if (mine !== turn) return;
    const read = early && JSON.parse(early);
    if (read?.tiles.length) draft({ read: { ...read, naming: true } });
    const seen = app.draft.read?.naming ? "naming" : "reading";
    setReading({ phase: share < 1 ? first : seen, share, corners, cancel: stop });
    if (read?.tiles.length) setHand(handFromRead(read));
  });
  const stop = () => {
    turn++;
    cancel();
    failed({ code: "cancelled", faults: [] });
  };
  draft({ under: rules?.id ?? null, players: seatsTaken().length });
  setReading({ phase: served ? first : "reading", share: 0, cancel: stop }); // most often all is loaded
  try {
    const read = await done;
    if (mine !== turn) return;
    if (rules && isOutdated(rules, currentRules())) return void (await send(++turn)); // they were changed meanwhile
    const hand = read.tiles.length ? handFromRead(read) : emptyHand();
    draft({ read, photoId: read.photo_id ?? null });
    setReading(
      read.tiles.length || asideOf(app.draft).length
        ? null
        : { phase: "failed", error: { code: "no_tile", faults: [] } },
    );
    setHand(hand);
    if (read.tiles.length) {
      say(
        [
          t("reading.done", { n: tilesOf(hand).length }),
          doubtfulTiles(hand).length ? t("tray.review", { n: doubtfulTiles(hand).length }) : "",
        ].join(" "),
      );
    }
  } catch (error) {
    if (mine !== turn || error.name === "AbortError") return;
    if (app.settings.set && (error.field === "set" || error.code?.startsWith("set_"))) {
      // Another phone deleted the learned set, or its file is of another model: read without it.
      notice(t("sets.gone", { name: app.settings.set }));
      set({ set: null });
      await send(++turn);
      return;
    }
    keepUnnamed();
    const again = error.code === "busy" && tries < AGAIN ? (error.retryAfter ?? 5) : 0;
    failed(error, again);
    if (again) setTimeout(() => mine === turn && app.blob && send(++turn, tries + 1), again * 1000);
  }
}

/** Leaves the photo and the hand and returns to the start. */
export function forget() {
  if (app.reading?.phase !== "shrinking") app.reading?.cancel?.();
  turn++;
  if (!app.draft.correcting) dropPhoto();
  newDraft({ keep: { wins: app.draft.wins } });
}

/** After a reload: restores the photo of the current hand, if the phone still has it. */
export async function restorePhoto() {
  if (!app.draft.photo) return;
  dropUnnamed();
  if (app.draft.correcting) return draft({ photo: false, read: null }, "reading"); // its photo was not stored
  const blob = app.blob ?? (await keptPhoto());
  if (!blob) return app.draft.read ? undefined : draft({ photo: false }, "reading");
  setPhoto({ blob });
  try {
    setPhoto({ bitmap: app.bitmap ?? (await createImageBitmap(blob, { imageOrientation: "from-image" })) });
  } catch {
    // not a format this browser shows
  }
  if (!app.draft.read) failed({ code: "interrupted", faults: [] });
  return emit("reading");
}
