/**
 * Settings of a PostgreSQL session that change the text of values or how the server reads a statement. They can be set
 * for a role, a database or a server. Each connection is asked for them once. If one differs from the usual value, the
 * usual values are sent before each statement, in the same message and for its transaction only. Nothing stays set on
 * the session, because a pooler may give it to another client next.
 */

interface Setting {
  readonly name: string;
  readonly usual: string;
  readonly isUsual: (value: string) => boolean;
}

const settings: readonly Setting[] = [
  // Below 1 the last digits of a double are omitted.
  { name: "extra_float_digits", usual: "1", isUsual: (value) => Number(value) >= 1 },
  { name: "bytea_output", usual: "hex", isUsual: (value) => value === "hex" },
  // The order of day and month, which follows the style, is kept: the texts that rowtype sends do not depend on it.
  { name: "DateStyle", usual: "ISO", isUsual: (value) => /^ISO\b/i.test(value) },
  // Otherwise a backslash in a literal is an escape.
  { name: "standard_conforming_strings", usual: "on", isUsual: (value) => value === "on" },
];

/** The commands that set the usual settings on a connection with different ones. Most connections need none. */
export interface Corrections {
  /** Before a statement outside a transaction. */
  readonly alone: readonly string[];
  /** At the beginning of a transaction. It takes no snapshot, so that the isolation level can still be set. */
  readonly inTransaction: readonly string[];
  /** For the session as a whole. */
  readonly forSession: readonly string[];
}

/** Asks for the settings. A server that does not know a setting returns NULL for it. */
export const SETTINGS_QUERY: string = `SELECT ${settings.map(({ name }) => `current_setting('${name}', true)`).join(", ")}`;

/** The commands that set the usual settings, if the answer to {@link SETTINGS_QUERY} has different ones. */
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

/** There is nothing to set. */
export const NONE: Corrections = { alone: [], inTransaction: [], forSession: [] };
