/** The words that a text begins with: by them a statement that begins or ends a transaction is known. */
import { quoted } from "../../core/errors.js";
import type { ScanGrammar } from "../dialect/grammar/grammar.js";
import { readTokens } from "../dialect/grammar/tokens.js";
import { QueryError } from "../words/errors.js";

/** The first two words of a text, which are added as they are read. */
export class OpeningWords {
  readonly #known: ReadonlySet<string>;
  readonly #words: string[] = [];

  constructor({ transactionWords }: ScanGrammar) {
    this.#known = transactionWords;
  }

  get first(): string | undefined {
    return this.#words[0];
  }

  get isComplete(): boolean {
    return this.#words.length === 2;
  }

  add(word: string): void {
    if (!this.isComplete) this.#words.push(word.toLowerCase());
  }

  /**
   * @throws {QueryError} `TRANSACTION_REQUIRED` for a statement that begins or ends a transaction or a savepoint: the
   * pool could reuse a connection with an open transaction.
   */
  check(): void {
    const [first = ""] = this.#words;
    const found = [first, this.#words.join(" ")].find((words) => this.#known.has(words));
    if (found === undefined) return;
    throw new QueryError(
      "TRANSACTION_REQUIRED",
      `${quoted(found.toUpperCase())} is not allowed here: use transaction(…), which keeps the connection until the end`,
    );
  }
}

/**
 * Refuses a text that begins or ends a transaction or a savepoint, also after comments.
 * @throws {QueryError} `TRANSACTION_REQUIRED`
 */
export function checkOpening(text: string, scan: ScanGrammar): void {
  const opening = new OpeningWords(scan);
  for (const { groups } of readTokens(text, scan)) {
    if (groups.word !== undefined) opening.add(groups.word);
    if (opening.isComplete) break;
  }
  opening.check();
}
