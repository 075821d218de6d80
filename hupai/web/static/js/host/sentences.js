// Parts of the server's sentences: each answer includes them for the sentences that have values in them.

const KEPT = 20_000; // number of sentences kept, the most recently received or shown
/** @type {Map<string, Made>} */
const made = new Map();

/**
 * Stores the parts of an answer's sentences by their English text.
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
 * The parts of a sentence; undefined if it has no values or the server has not sent them.
 * @param {string} text
 */
export function madeOf(text) {
  const found = made.get(text);
  if (found) learn({ [text]: found });
  return found;
}
