/**
 * MariaDB settings for a single statement, written before it: the session does not change, and no further statement is
 * sent. A statement takes only one such list, so a second setting is added to the first.
 */
import type { Storage } from "../../declare/declaration.js";
import { textFor } from "../grammar/declared.js";
import type { UtcForm } from "../grammar/grammar.js";

const OPEN = "SET STATEMENT ";

/** Adds a setting, `name = value`, to a statement. */
export function withSetting(setting: string, sql: string): string {
  return sql.startsWith(OPEN)
    ? `${OPEN}${setting}, ${sql.slice(OPEN.length)}`
    : `${OPEN}${setting} FOR ${sql}`;
}

/** Before an update whose assignments see each other's results: MariaDB assigns from left to right. */
export const together: string = withSetting("sql_mode = CONCAT(@@sql_mode, ',SIMULTANEOUS_ASSIGNMENT')", "");

/** Before a statement that gathers texts: the server silently cuts them at a length, a million by default. */
export function allowingLongText(sql: string): string {
  return withSetting("group_concat_max_len = 1073741824", sql);
}

/** The server reads and writes a `timestamp`, which is an instant, in the time zone of the session. */
export const utcStatement: UtcForm = {
  appliesTo: (storage) => {
    if (storage.kind !== "date") return undefined;
    if (isTimestamp(storage)) return "always";
    return textFor(storage.type, "mariadb") === undefined ? "in other zones" : undefined;
  },
  statement: (sql) => withSetting("time_zone = '+00:00'", sql),
};

/** Whether a column is declared as an instant. */
export function isTimestamp({ type }: Storage): boolean {
  return /^\s*timestamp\b/i.test(textFor(type, "mariadb") ?? "");
}
