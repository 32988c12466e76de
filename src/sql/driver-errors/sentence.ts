/**
 * A server's own sentence about a statement, as far as it can be repeated: it helps whoever wrote the statement, but
 * servers quote values in some of them, also in sentences about names where a value was taken for a name. So a sentence
 * is repeated only where every word of it is one of the statement's text or of the server's own vocabulary; values are
 * bound, and stand in neither.
 */

/** What a server says in its own words. Words with capitals only are keywords of SQL and need not be listed. */
export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  /** Whether numbers outside of quotes are counts and limits of the server's. */
  readonly counts: boolean;
}

/** A vocabulary from its words, separated by blanks. */
export function vocabulary(words: string, counts = false): Vocabulary {
  return { words: new Set(words.split(/\s+/)), counts };
}

const LONGEST_SENTENCE = 1_000;
// The names of a batch stand at its head.
const LONGEST_TEXT = 100_000;
const WORD = /[\p{L}\p{N}_$]+/gu;
const QUOTED = /"[^"]*"|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'/gu;
const KEYWORD = /^[A-Z]+$/;
const COUNT = /^\d+$/;

/** The sentence, where no word of it can be of a value. */
export function repeatable(sentence: unknown, sql: string, known: Vocabulary): string | undefined {
  if (typeof sentence !== "string" || sentence.length > LONGEST_SENTENCE) return undefined;
  const text = new Set(wordsOf(sql.slice(0, LONGEST_TEXT)).map(lower));
  const inText = (word: string) => text.has(lower(word));
  const isOwn = (word: string) =>
    known.words.has(lower(word)) || KEYWORD.test(word) || (known.counts && COUNT.test(word)) || inText(word);
  // What is quoted is never of the vocabulary.
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
