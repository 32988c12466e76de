/** Recursions that go too deep: the text of the statement makes the server fail with a message of ours. */
import { QueryError } from "../words/errors.js";

// MariaDB has no error that takes a message. A product with this number is out of range, and the error shows it.
const WORDS = /rowtype recursion limit|out of range.*9223372036854770001/s;

/** The error, if a server's message is about a recursion that is too deep. */
export function recursionLimit(message: unknown, cause: unknown): QueryError | undefined {
  if (typeof message !== "string" || !WORDS.test(message)) return undefined;
  const text = "a recursion goes deeper than maxDepth: its rows may lead in a circle";
  return new QueryError("RECURSION_LIMIT", text, { cause });
}
