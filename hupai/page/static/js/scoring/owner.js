// Which player this phone belongs to, as they have said in the open game.
import { app } from "../state/app.js";
import { set } from "../state/settings.js";

/**
 * The number of this phone's player in the open game; null for somebody who only watches, undefined before they say.
 */
export const ownPlayer = () => app.game ? app.settings.ownPlayer[app.game.id] : undefined;

/**
 * The name of this phone's player; null if they are not known.
 */
export const ownName = () => app.game?.players[ownPlayer() ?? -1]?.name ?? null;

/**
 * Who enters something on this phone, as far as that is known: part of what is sent.
 * @returns {{by?: string}}
 */
export function signed() {
  const by = ownName();
  return by ? { by } : {};
}

/** Remembers whose phone this is. */
export function sayOwnPlayer(/** @type {number | null} */ number) {
  if (app.game) set({ ownPlayer: { ...app.settings.ownPlayer, [app.game.id]: number } });
}

/** Asks again. */
export function forgetOwnPlayer() {
  const { [app.game?.id ?? ""]: _, ...others } = app.settings.ownPlayer;
  set({ ownPlayer: others });
}
