/**
 * Settings of a PostgreSQL session with which the server writes values in other texts, or reads the text of a statement
 * in another way. A role, a database or a server may have them. Each connection is asked for them once. Where one of
 * them is another than the usual, each statement has the usual ones in front of it, in its own message and for its own
 * transaction: nothing stays set on the session, which behind a pooler is somebody else's next.
 */

interface Setting {
  readonly name: string;
  readonly usual: string;
  readonly isUsual: (value: string) => boolean;
}

const settings: readonly Setting[] = [
  // Below 1 the last digits of a double are left out.
  { name: "extra_float_digits", usual: "1", isUsual: (value) => Number(value) >= 1 },
  { name: "bytea_output", usual: "hex", isUsual: (value) => value === "hex" },
  // The order of day and month, which stands behind the style, is kept: the texts that rowtype sends do not need it.
  { name: "DateStyle", usual: "ISO", isUsual: (value) => /^ISO\b/i.test(value) },
  // Otherwise a backslash in a literal is an escape.
  { name: "standard_conforming_strings", usual: "on", isUsual: (value) => value === "on" },
];

/** What sets the usual settings of a connection that has others: nothing of most. */
export interface Corrections {
  /** In front of a statement of its own. */
  readonly alone: readonly string[];
  /** At the beginning of a transaction. It takes no snapshot, so that the transaction may still be given a level. */
  readonly inTransaction: readonly string[];
  /** For the session as a whole. */
  readonly forSession: readonly string[];
}

/** Asks for the settings. A server that does not know one of them has NULL. */
export const SETTINGS_QUERY: string = `SELECT ${settings.map(({ name }) => `current_setting('${name}', true)`).join(", ")}`;

/** What sets the usual settings where the answer to {@link SETTINGS_QUERY} has others. */
export function correctionsOf(answer: unknown): Corrections {
  const values: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const others = settings.filter(({ isUsual }, i) => {
    const value = values[i];
    return typeof value === "string" && !isUsual(value);
  });
  if (others.length === 0) return NONE;
  const set = others.map(({ name, usual }) => `set_config('${name}', '${usual}', true)`);
  return {
    alone: [`SELECT ${set.join(", ")}`],
    inTransaction: others.map(({ name, usual }) => `SET LOCAL ${name} = '${usual}'`),
    forSession: others.map(({ name, usual }) => `SET ${name} = '${usual}'`),
  };
}

/** Nothing is to be set. */
export const NONE: Corrections = { alone: [], inTransaction: [], forSession: [] };
