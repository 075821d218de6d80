// The hand and its score as a picture to share.
import { signed, t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { accountsOf, netOf } from "./payments.js";
import { elementName, rulesName } from "../names/systems.js";
import { totalWords } from "../words/words.js";
import { howWords } from "../handeditor/who.js";
import { account, handBlocks, room, sharePicture, words } from "./picture.js";

/** Shares a score. */
export async function share(/** @type {Scored} */ score) {
  const { answer, request } = score;
  const units = [...answer.arrangement, ...(request.bonus?.length ? [{ tiles: request.bonus }] : [])];
  const net = netOf(score);
  const [how, total] = [howWords(request.context), totalWords(answer.total)];
  const blocks = [
    words(96, rulesName(), { size: 34, soft: true }),
    words(88, total, { size: 84, family: "serif", weight: 600 }),
    words(60, how, { size: 36, soft: true }),
    room(56),
    ...await handBlocks(units, answer.elements.map((line) => elementName(answer.rules, line))),
    room(8),
    ...(net ? accountsOf(net).map((seat) => account(seatName(seat), signed(net[seat] ?? 0), net[seat] ?? 0)) : []),
  ];
  await sharePicture(blocks, t("label", { name: how }) + total);
}
