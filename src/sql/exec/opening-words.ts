/** The words that a text begins with: by them a statement that begins or ends a transaction is known. */
import { quoted } from "../../core/errors.js";
import type { ScanGrammar } from "../dialect/grammar/scan.js";
import { endOfComment, readTokens } from "../dialect/grammar/tokens.js";
import { QueryError } from "../words/errors.js";

/**
 * Refuses a text that begins or ends a transaction or a savepoint, also after comments, and one that the server would
 * read only in part.
 * @throws {QueryError} `TRANSACTION_REQUIRED`: the pool could reuse a connection with an open transaction, or a
 * transaction of the caller would end without a word; `QUERY_FAILED` for a NUL
 */
export function checkOpening(text: string, scan: ScanGrammar): void {
  if (text.includes("\0"))
    throw new QueryError(
      "QUERY_FAILED",
      "the statement has a NUL character, which no server reads in a statement",
    );
  const found = transactionWordsIn(text, scan);
  if (found === undefined) return;
  throw new QueryError(
    "TRANSACTION_REQUIRED",
    `${quoted(found.toUpperCase())} is not allowed here: use transaction(…), which keeps the connection until the end`,
  );
}

function transactionWordsIn(text: string, scan: ScanGrammar): string | undefined {
  // Whether the server executes a comment depends on its version: what follows it may be the beginning.
  const begins = new Set([0]);
  for (const begin of begins) {
    const { words, isHolding } = openingAt(text, begin, scan, (end) => begins.add(end));
    const [first = "", second] = words;
    const opening = [first, `${first} ${second}`].find((known) => scan.transactionWords.has(known));
    const found = opening ?? (isHolding ? refusedIn(words, scan) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first two words of a text, and all words of one that holds other statements. */
interface Opening {
  readonly words: readonly string[];
  readonly isHolding: boolean;
}

function openingAt(text: string, begin: number, scan: ScanGrammar, comment: (end: number) => void): Opening {
  const words: string[] = [];
  let isHolding = false;
  for (const { text: token, at, groups } of readTokens(text, scan, begin)) {
    if (scan.executed?.exec(token)?.[0] === token) comment(endOfComment(text, at));
    const word = groups.word?.toLowerCase();
    if (words.length === 1 && word === undefined && scan.holding !== undefined && LABEL.test(token))
      isHolding = true;
    if (word === undefined) continue;
    words.push(word);
    if (words.length === 1 && scan.holding?.first.has(word) === true) isHolding = true;
    if (words.length === 2 && !isHolding) break;
  }
  return { words, isHolding };
}

/** What follows the label of a block. */
const LABEL = /^:(?:$|begin$|for$|loop$|repeat$|while$)/i;

function refusedIn(words: readonly string[], { holding }: ScanGrammar): string | undefined {
  return words
    .flatMap((word, i) => [word, `${word} ${words[i + 1]}`])
    .find((known) => holding?.refused.has(known));
}
