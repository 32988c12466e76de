/**
 * Decides whether a server's message about a statement can be repeated. The message helps the author of the statement.
 * But servers put values into some messages, even into messages about names if a value was taken for a name. Therefore
 * a message is repeated only if every word of it is in the statement's text or in the server's own vocabulary. Bound
 * values are in neither.
 */

/** The words of a server's messages. Words in capitals are SQL keywords and need not be listed. */
interface Vocabulary {
  readonly words: ReadonlySet<string>;
  /** Whether unquoted numbers in the messages are counts and limits of the server. */
  readonly counts: boolean;
}

/** Makes a vocabulary from words separated by blanks. */
export function vocabulary(words: string, counts = false): Vocabulary {
  return { words: new Set(words.split(/\s+/)), counts };
}

const LONGEST_SENTENCE = 1_000;
// The names in a batch are at its beginning.
const LONGEST_TEXT = 100_000;
const WORD = /[\p{L}\p{N}_$]+/gu;
const QUOTED = /"[^"]*"|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'/gu;
const KEYWORD = /^[A-Z]+$/;
const COUNT = /^\d+$/;

/** The message, if no word of it can come from a value. */
export function repeatable(sentence: unknown, sql: string, known: Vocabulary): string | undefined {
  if (typeof sentence !== "string" || sentence.length > LONGEST_SENTENCE) return undefined;
  const text = new Set(wordsOf(sql.slice(0, LONGEST_TEXT)).map(lower));
  const inText = (word: string) => text.has(lower(word));
  const isOwn = (word: string) =>
    known.words.has(lower(word)) || KEYWORD.test(word) || (known.counts && COUNT.test(word)) || inText(word);
  // A quoted word is never in the vocabulary.
  const names = sentence.match(QUOTED)?.flatMap(wordsOf) ?? [];
  const isFree = names.every(inText) && wordsOf(sentence.replace(QUOTED, " ")).every(isOwn);
  return isFree ? sentence : undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

function lower(word: string): string {
  return word.toLowerCase();
}
