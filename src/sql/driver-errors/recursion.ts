/** Recursions that go deeper than they may: the text of the statement makes the server fail, with words of ours. */
import { QueryError } from "../words/errors.js";

// MariaDB fails in no way that takes words: a product of this number is out of range, and it names the product.
const WORDS = /rowtype recursion limit|out of range.*9223372036854770001/s;

/** The error, if a server's message is about a recursion that is too deep. */
export function recursionLimit(message: unknown, cause: unknown): QueryError | undefined {
  if (typeof message !== "string" || !WORDS.test(message)) return undefined;
  const text = "a recursion goes deeper than maxDepth: its rows may lead in a circle";
  return new QueryError("RECURSION_LIMIT", text, { cause });
}
