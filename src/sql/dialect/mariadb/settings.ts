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

/** Changes the modes of the session for one statement. */
const MODES = "sql_mode = CONCAT(@@sql_mode, ',";
const STRICT = "STRICT_TRANS_TABLES";

const NO_LIMIT = "18446744073709551615";

/** A setting in which the server stores or returns something else than it was given or asked for, silently. */
export interface Unfaithful {
  readonly name: string;
  /** Whether a session has it. */
  readonly isSet: string;
  /** The setting of a statement that is not to have it. */
  readonly usual: string;
}

export const unfaithful: readonly Unfaithful[] = [
  { name: "sql_mode", isSet: "LOCATE('STRICT_', @@sql_mode) = 0", usual: `${MODES}${STRICT}')` },
  {
    name: "sql_select_limit",
    isSet: `@@sql_select_limit < ${NO_LIMIT}`,
    usual: `sql_select_limit = ${NO_LIMIT}`,
  },
  { name: "sql_auto_is_null", isSet: "@@sql_auto_is_null", usual: "sql_auto_is_null = 0" },
];

/** A statement that reads or changes rows, as it is written in a session with such settings. */
export function faithfully(settings: readonly Unfaithful[], sql: string): string {
  return /^\s*(?:SET STATEMENT|SELECT|WITH|INSERT|UPDATE|DELETE|REPLACE|\()/i.test(sql)
    ? settings.reduce(withUsual, sql)
    : sql;
}

function withUsual(sql: string, { name, usual }: Unfaithful): string {
  // A statement takes each setting once.
  const at = name === "sql_mode" && sql.startsWith(OPEN) ? sql.indexOf(MODES) : -1;
  return at === -1 || at > sql.indexOf(" FOR ")
    ? withSetting(usual, sql)
    : `${sql.slice(0, at)}${MODES}${STRICT},${sql.slice(at + MODES.length)}`;
}

/** Before an update whose assignments see each other's results: MariaDB assigns from left to right. */
export const together: string = withSetting(`${MODES}SIMULTANEOUS_ASSIGNMENT')`, "");

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
