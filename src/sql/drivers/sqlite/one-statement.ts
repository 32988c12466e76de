/** Texts of one statement: `node:sqlite` and `bun:sqlite` execute the first of several and leave the others out. */

// Blanks, comments and the signs that end a statement.
const BLANK = "(?:[\\s;]|--[^\\n]*|/\\*(?:(?!\\*/)[\\s\\S])*(?:\\*/|$))*";
const NOTHING = new RegExp(`^${BLANK}$`);
const FIRST = new RegExp(`^${BLANK}(\\w*)`);

/** The first word of a text, in lower case; empty if it begins with another sign. */
export function firstWordOf(sql: string): string {
  return FIRST.exec(sql)?.[1]?.toLowerCase() ?? "";
}

/**
 * Refuses what holds no statement.
 * @throws {RangeError} in the words of better-sqlite3
 */
export function checkSomeStatement(sql: string): void {
  if (NOTHING.test(sql)) throw new RangeError("The supplied SQL string contains no statements");
}

/**
 * Refuses a second statement.
 * @param end where the first statement of the text ends, as the client says it
 * @throws {RangeError} in the words of better-sqlite3
 */
export function checkOneStatement(sql: string, end: number): void {
  if (end < sql.length && !NOTHING.test(sql.slice(end)))
    throw new RangeError("The supplied SQL string contains more than one statement");
}
