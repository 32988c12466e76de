/**
 * What both clients do without a word: they execute one of two statements, or both, and bind null for a value that is
 * missing.
 */
import type { Statement } from "rowtype/driver";

// Literals, quoted names and comments may hold anything.
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[;?]/g;
const NOTHING = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/;

/** @throws {Error} for several statements, and for another number of values than of placeholders. */
export function checkStatement({ sql, params }: Statement): void {
  let places = 0;
  for (const { 0: part, index } of sql.matchAll(PARTS)) {
    if (part === "?") places++;
    if (part === ";" && !NOTHING.test(sql.slice(index + 1)))
      throw new Error("the text holds more than one statement");
  }
  if (places !== params.length) throw new Error(`${places} values are expected, not ${params.length}`);
}
