// Sentences of the server in the page's language. A pattern holds `{names}`; its translation says where they go and
// how: {x:say} is translated itself, {x:list} and {x:sum} part by part, {x:seat} is a player's name, {x:meld} a kind
// of meld, {x:element} an element's name, {x:cap} begins with a capital. {n}, {m} and
// {k} stand for numbers, {t} and {u} for tiles, {s} and {v} for seats, all others for any words.
import { app, currentRules } from "./app.js";
import { h } from "./dom.js";
import { known, language, phrases, t } from "./i18n.js";
import { seatName } from "./names.js";
import { elementName, ownWord } from "./systems.js";
import { codesOf } from "./tiles.js";
import { tilePicture } from "./ui/tile.js";

const TILES = "((?:(?:\\d+[mpsz])+|[fga][1-4]|nothing| )+)";
const NUMBER = "(−?[\\d.,]+)";
const SHORT = { n: NUMBER, m: NUMBER, k: NUMBER, t: TILES, u: TILES, s: "([ESWN])", v: "([ESWN])" };

let compiledFor = null;
let exact = new Map();
let patterns = [];

function compile() {
  compiledFor = language();
  exact = new Map();
  patterns = [];
  for (const [source, target] of phrases()) {
    if (!source.includes("{")) {
      exact.set(source, target);
      continue;
    }
    const names = [];
    const body = source.split(/\{(\w+)\}/).map((part, i) => {
      if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part);
      return SHORT[part] ?? "(.+?)";
    });
    patterns.push({ test: new RegExp(`^${body.join("")}$`, "u"), names, target });
  }
}

const SHAPES = {
  say: (x) => sentence(x),
  list: (x) =>
    x
      .split(", ")
      .map(sentence)
      .join(language() === "en" ? ", " : "、"),
  sum: (x) => x.split(" + ").map(sentence).join(" ＋ "),
  seat: (x) => (/^[ESWN]$/.test(x) ? seatName(x) : x),
  meld: (x) => (known(`meld.${x}`) ? ownWord(`meld.${x}`) : x),
  element: (x) => {
    const own = currentRules();
    const all = [own, ...app.rules].flatMap((r) => r?.elements.map((e) => [r.id, e]) ?? []);
    const found = all.find(([, e]) => e.name === x);
    return found ? elementName(...found) : x;
  },
  cap: (x) => x.charAt(0).toUpperCase() + x.slice(1),
};

/** The translation of a server's sentence, or null where no pattern knows it. */
export function translated(text) {
  if (compiledFor !== language()) compile();
  if (exact.has(text)) return exact.get(text);
  for (const { test, names, target } of patterns) {
    const found = test.exec(text);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, i) => [name, found[i + 1]]));
    return target.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name, shape) =>
      shape ? SHAPES[shape](values[name]) : values[name],
    );
  }
  return null;
}

/** A sentence of the server in the page's language; one without a pattern is shown as it came. */
export const sentence = (text) => translated(text) ?? text;

const RUN = /\b(?:\d+[mpsz])+\b|\b[fga][1-4]\b/g;

/** A text with the tiles that are written in it (234m, 5z, f1) as small pictures. */
export function rich(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(RUN)) {
    if (match.index > at) parts.push(sums(text.slice(at, match.index)));
    parts.push(codesOf(match[0]).map((code) => tilePicture(code, { className: "mini" })));
    at = match.index + match[0].length;
  }
  parts.push(sums(text.slice(at)));
  return parts;
}

// 30 x 2^(2 + 3) as people write it: a times sign, the power raised.
function sums(text) {
  const parts = text.replace(/(\d) x /g, "$1 × ").split(/\^(\([^)]*\)|\d+)/);
  return parts.map((part, i) => (i % 2 ? h("sup", {}, part.replace(/^\(|\)$/g, "")) : part));
}
