// What the server's sentences are made of: every answer brings it along for those with values in them.

const KEPT = 20_000; // sentences, the last that were said or shown
/** @type {Map<string, Made>} */
const made = new Map();

/**
 * Takes what an answer tells of its sentences, by their English text.
 * @param {Record<string, Made> | null | undefined} sentences
 */
export function learn(sentences) {
  for (const [text, of] of Object.entries(sentences ?? {})) {
    made.delete(text);
    made.set(text, of);
  }
  for (const oldest of made.keys()) {
    if (made.size <= KEPT) break;
    made.delete(oldest);
  }
}

/**
 * What a sentence is made of; undefined where it has no values, or nobody said.
 * @param {string} text
 */
export function madeOf(text) {
  const found = made.get(text);
  if (found) learn({ [text]: found });
  return found;
}
