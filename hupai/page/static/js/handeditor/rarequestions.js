// Questions that few hands need: the indicator tile, who is liable, who is responsible, who fed whom.
import { currentRules } from "../state/rules.js";
import { h } from "../dom/dom.js";
import { t } from "../words/i18n.js";
import { seatName } from "../names/seats.js";
import { seatsTaken } from "../hand/seats.js";
import { known } from "../scoring/questions.js";
import { button, faultList, select, stepper } from "../controls/fields.js";
import { openKeyboard } from "../controls/keyboard.js";
import { tileButton, tileName } from "../faces/tile.js";

const seats = (/** @type {Seat[]} */ list, /** @type {Seating | undefined} */ at = undefined) =>
  list.map((s) => ({ value: s, label: seatName(s, at) }));

/** Opens the sheet that asks for the Hangzhou indicator tile, or whether the fortune is permanent. */
export const openIndicator = (/** @type {Pick<Asked, "label" | "value" | "put">} */ { label, value, put }) =>
  openKeyboard(label, { red_fives: false, bonus_tiles: [] }, put, {
    current: value,
    above: (sheet) =>
      button("permanent", t("indicator.permanent"), () => {
        put("permanent");
        sheet.close();
      }, { look: "wide" }),
  });

/** The Hangzhou indicator: a tile, or the permanent fortune. */
export function indicatorField(/** @type {Asked} */ { ask, label, value, put, faults = [] }) {
  const open = () => openIndicator({ label, value, put });
  const tile = value && value !== "permanent"
    ? tileButton(value, { label: `${label}: ${tileName(value)}`, key: "indicator", onclick: open })
    : button("indicator", value === "permanent" ? t("indicator.permanent") : t("indicator.choose"), open);
  return h(
    "div.inline-field",
    { "data-field": "indicator" },
    h("span", h("b", label), h("small.soft", t(`ask.${ask.name}.hint`))),
    tile,
    faultList(faults, "faults-indicator"),
  );
}

/** Who pays for the others, and by which penalty. */
export function liableField(/** @type {Asked} */ { ask, label, value, put, faults }) {
  const others = seatsTaken().filter((s) => s !== known().seat);
  const kinds = (ask.values ?? []).map((kind) => ({
    value: kind,
    label: t(`liable.${currentRules().id}.${kind}`),
  }));
  const first = kinds[0]?.value ?? "other";
  return h(
    "div.stack",
    { "data-field": "liable" },
    select(
      "liable",
      label,
      [{ value: null, label: t("nobody") }, ...seats(others)],
      value?.seat ?? null,
      (seat) => put(seat ? { seat, kind: value?.kind ?? first } : null),
      { faults, hint: t("ask.liable.hint") },
    ),
    value?.seat &&
      kinds.length > 0 &&
      select("liable-kind", t("liable.kind"), kinds, value.kind, (kind) => put({ ...value, kind })),
  );
}

/** Zung Jung: the discarder, nobody, or a player who discarded the tile earlier in the same turn. */
export function responsibleField(/** @type {Asked} */ { label, value, put, faults }) {
  const winner = known().seat;
  const choices = [
    { value: "auto", label: t("responsible.auto") },
    ...seats(seatsTaken().filter((s) => s !== winner)),
    { value: "none", label: t("nobody") },
  ];
  return select("responsible", label, choices, value, put, { faults, hint: t("ask.responsible.hint") });
}

/** Hangzhou: how many open sets one player fed another, `at` a table. */
export function fedField(/** @type {Omit<Asked, "ask"> & {at?: Seating}} */ { label, value, put, faults = [], at }) {
  const pairs = Object.entries(value);
  /** @type {(from: string, to: string, count: number, old?: string | null) => void} */
  const change = (from, to, count, old = null) => {
    const next = { ...value };
    if (old) delete next[old];
    if (count > 0) next[`${from}>${to}`] = count;
    put(Object.keys(next).length ? next : undefined);
  };
  const free = seatsTaken().flatMap((a) => seatsTaken().filter((b) => b !== a).map((b) => `${a}>${b}`)).find(
    (pair) => !(pair in value),
  );
  return h(
    "div.stack",
    { role: "group", "aria-label": label, "data-field": "fed" },
    h("b", label),
    h("small.hint", t("ask.fed.hint")),
    pairs.map(([pair, count], i) => {
      const [from, to] = pair.split(">");
      return h(
        "div.fed-row",
        select(
          `fed-from-${i}`,
          t("fed.from"),
          seats(seatsTaken().filter((s) => s !== to), at),
          from,
          (s) => change(s, to, count, pair),
        ),
        select(
          `fed-to-${i}`,
          t("fed.to"),
          seats(seatsTaken().filter((s) => s !== from), at),
          to,
          (s) => change(from, s, count, pair),
        ),
        stepper(`fed-count-${i}`, t("fed.sets"), count, (n) => change(from, to, n, n === 0 ? pair : null), {
          low: 0,
          high: 4,
        }),
      );
    }),
    free &&
      button("fed-add", t("fed.add"), () => change(free.slice(0, 1), free.slice(2), 3), { sign: "plus" }),
    faultList(faults, "faults-fed"),
  );
}
