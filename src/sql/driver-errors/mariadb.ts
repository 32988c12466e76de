/** Translates the errors of mysql2: those of the server by number, those of the connection by their code. */

import type { DeclaredKeys, RefusedValue } from "../contract/driver.js";
import { ConstraintError, QueryError, type QueryErrorCode, type SqlError } from "../words/errors.js";
import { recursionLimit } from "./recursion.js";

const constraints: ReadonlyMap<unknown, ConstraintError["code"]> = new Map([
  [1062, "UNIQUE_VIOLATION"],
  [1586, "UNIQUE_VIOLATION"],
  [1216, "FOREIGN_KEY_VIOLATION"],
  [1217, "FOREIGN_KEY_VIOLATION"],
  [1451, "FOREIGN_KEY_VIOLATION"],
  [1452, "FOREIGN_KEY_VIOLATION"],
  [1048, "NOT_NULL_VIOLATION"],
  [1364, "NOT_NULL_VIOLATION"],
  [4025, "CHECK_VIOLATION"],
]);

/** Errors about a row that other rows reference. */
const OF_REFERENCED: ReadonlySet<unknown> = new Set([1217, 1451]);

const numbers: ReadonlyMap<unknown, QueryErrorCode> = new Map([
  [1213, "DEADLOCK"],
  // A row has changed since the transaction first read.
  [1020, "SERIALIZATION_FAILURE"],
  [1205, "LOCK_TIMEOUT"],
  // The server interrupts it by KILL QUERY or by `max_statement_time`.
  [1317, "ABORTED"],
  [1969, "ABORTED"],
  // Killed, shut down, too many connections, broken packets, a node that has left its cluster: all are class 08.
  [1927, "CONNECTION_LOST"],
  // The outcome of a COMMIT, or of a statement that is its own transaction, is unknown: the other nodes of the cluster
  // do not answer.
  [1180, "UNKNOWN_OUTCOME"],
  [1792, "READ_ONLY"],
  [1836, "READ_ONLY"],
  [1874, "READ_ONLY"],
]);

/** A server option forbids the statement: `--read-only`, or an unrelated option. */
const FORBIDDEN_BY_OPTION = 1290;
/** The packet was too large, or the node of a cluster does not accept statements. */
const HANGS_UP: ReadonlySet<unknown> = new Set([1153, 1047]);

/** Whether a connection must be replaced after an error. A new one may work. */
export function isSpent(error: unknown): boolean {
  const { errno } = Object(error);
  const code = codeOf(error);
  return HANGS_UP.has(errno) || code === "READ_ONLY" || code === "UNKNOWN_OUTCOME";
}

/** The code of a server error that is not a constraint violation. */
function codeOf(error: unknown): QueryErrorCode {
  const { errno, sqlState, sqlMessage, fatal } = Object(error) as Readonly<Record<string, unknown>>;
  const known = numbers.get(errno);
  if (known !== undefined) return known;
  if (errno === FORBIDDEN_BY_OPTION && /read[-_]only/i.test(String(sqlMessage))) return "READ_ONLY";
  return fatal === true || String(sqlState).startsWith("08") ? "CONNECTION_LOST" : "QUERY_FAILED";
}

/**
 * Translates an error of mysql2. The server's message may contain values. If it may, our message is made from the
 * facts.
 */
export function translateMariadbError(
  error: unknown,
  propertyOf: (column: string) => string,
  keys?: DeclaredKeys,
  sql = "",
): SqlError {
  const { errno, sqlState, sqlMessage, fatal, code, message } = Object(error) as Readonly<
    Record<string, unknown>
  >;
  const cause = { cause: error };
  // Errors of the server have positive numbers; errors of the system have negative ones.
  if (typeof errno !== "number" || errno <= 0) {
    if (message === "Pool is closed.") return new QueryError("NO_CONNECTION", "the pool is closed", cause);
    const lost = fatal === true || isOfConnection(code) || /connection|queue limit/i.test(String(message));
    if (lost) return new QueryError("CONNECTION_LOST", "the connection to the server failed", cause);
    return new QueryError("QUERY_FAILED", "the driver could not send the statement", cause);
  }
  const tooDeep = recursionLimit(sqlMessage, error);
  if (tooDeep !== undefined) return tooDeep;
  const broken = constraints.get(errno);
  if (broken !== undefined) {
    const { name, columns } = placeOf(broken, String(sqlMessage), keys, OF_REFERENCED.has(errno));
    const facts = { constraint: name, fields: columns.map(propertyOf) };
    return new ConstraintError(broken, `constraint failed: ${name ?? columns.join(", ")}`, facts, cause);
  }
  const sentence = outsideZones(errno, sqlMessage, sql) ?? ownSentence(errno, sqlMessage, sql) ?? FAILED;
  const state = typeof sqlState === "string" ? `, SQLSTATE ${sqlState}` : "";
  return new QueryError(codeOf(error), `${sentence} (error ${errno}${state})`, cause);
}

const FAILED = "the statement failed";

/** What the number of days means that our functions of dates in a time zone let overflow. */
function outsideZones(errno: number, message: unknown, sql: string): string | undefined {
  if (errno !== 1690 || !/\d \+ to_days\(/.test(String(message)) || !sql.includes("CONVERT_TZ("))
    return undefined;
  return "a date is outside the years 1971 to 2037, for which the server knows time zones, or its tables lack the zone";
}

/**
 * Errors from preparing a statement, before the server has any value: syntax, names, types, privileges, unsupported
 * features. Also errors about the server itself: resources, limits, modes.
 */
const WITHOUT_VALUES: ReadonlySet<number> = new Set([
  // Access, databases, privileges.
  1044, 1045, 1046, 1049, 1141, 1142, 1143, 1147, 1227, 1370, 1698,
  // Syntax and names.
  1050, 1051, 1052, 1054, 1059, 1060, 1061, 1063, 1064, 1065, 1066, 1068, 1069, 1070, 1071, 1072, 1073, 1074,
  1075, 1090, 1091, 1101, 1102, 1103, 1104, 1107, 1109, 1110, 1112, 1113, 1115, 1117, 1118, 1120, 1128, 1136,
  1146, 1149, 1166, 1170, 1171, 1193, 1239, 1241, 1247, 1248, 1250, 1253, 1267, 1270, 1271, 1273, 1295, 1304,
  1305, 1318, 1324, 1327, 1347, 1356, 1390, 1393, 1425, 1426, 1427, 1582, 1583, 1584, 1630, 1901, 1902, 1906,
  1907, 4078, 4161,
  // Groups, aggregates, windows, set operations.
  1055, 1056, 1057, 1058, 1111, 1140, 1221, 1222, 4015, 4016,
  // Features that are not supported, or not in this mode.
  1214, 1235, 1286, 1289, 1290, 1568, 1792, 1836,
  // Resources.
  1021, 1037, 1038, 1040, 1041, 1114, 1135, 1153, 1203, 1206, 1226, 1436, 1461, 1317, 1969,
]);

// A statement that one of these prepares may contain values, and so may an assigned variable.
const USES_VALUES_AS_NAMES = /\b(?:call|execute|prepare)\b|^[\s(]*set\b|^\s*(?:\/\*|--|#)/i;

function ownSentence(errno: number, message: unknown, sql: string): string | undefined {
  if (typeof message !== "string" || !WITHOUT_VALUES.has(errno) || USES_VALUES_AS_NAMES.test(sql))
    return undefined;
  return message;
}

// `ECONNRESET` and similar codes of the system, `PROTOCOL_CONNECTION_LOST` and similar codes of the driver.
function isOfConnection(code: unknown): boolean {
  return typeof code === "string" && /^(E[A-Z]+|PROTOCOL_\w+)$/.test(code);
}

interface Place {
  readonly name?: string | undefined;
  readonly columns: readonly string[];
}

// The names in the messages, in any language: these patterns never match a value.
function placeOf(
  code: ConstraintError["code"],
  message: string,
  keys: DeclaredKeys | undefined,
  isOfReferenced: boolean,
): Place {
  switch (code) {
    case "UNIQUE_VIOLATION": {
      // Duplicate entry '…' for key 'name'
      const name = declaredAtEnd(message, keys) ?? nameAtEnd(message);
      return { name, columns: name === undefined ? [] : columnsOfKey(name, keys) };
    }
    case "FOREIGN_KEY_VIOLATION": {
      // … (`db`.`people`, CONSTRAINT `name` FOREIGN KEY (`team_id`) REFERENCES `teams` (`id`))
      const [, name, own = "", referenced = ""] =
        /CONSTRAINT `([^`]+)` FOREIGN KEY \(([^)]+)\) REFERENCES [^(]+\(([^)]+)\)/.exec(message) ?? [];
      // If the statement changes the referenced row, the columns of the referencing row do not matter.
      const list = isOfReferenced ? referenced : own;
      return { name, columns: list.match(/[^`, ]+/g) ?? [] };
    }
    case "NOT_NULL_VIOLATION":
      // Column 'name' cannot be null
      return { columns: /'([^']+)'/.exec(message)?.slice(1) ?? [] };
    case "CHECK_VIOLATION":
      // CONSTRAINT `people_age_check` failed for `db`.`people`; without a name, `people.age`
      return checked(/`([^`]+)`/.exec(message)?.[1], keys);
  }
}

// A name may contain quotes, which the message does not escape.
function declaredAtEnd(message: string, keys: DeclaredKeys | undefined): string | undefined {
  const names = [...(keys?.named.keys() ?? [])].filter((name) => message.trimEnd().endsWith(`'${name}'`));
  return names.sort((a, b) => b.length - a.length)[0];
}

// In English the words before the name show where it begins. In other languages it is assumed to have no quote.
function nameAtEnd(message: string): string | undefined {
  const text = message.trimEnd();
  const from = text.lastIndexOf(" for key '");
  if (from >= 0 && text.endsWith("'")) return text.slice(from + " for key '".length, -1);
  return /'([^']+)'$/.exec(text)?.[1];
}

// A check of a column without a name of its own has the name of the table and the column.
function checked(name: string | undefined, keys: DeclaredKeys | undefined): Place {
  if (name === undefined) return { name, columns: [] };
  const column = /\.([^.]+)$/.exec(name)?.[1];
  return { name, columns: keys?.named.get(name) ?? (column === undefined ? [] : [column]) };
}

/**
 * A key without a given name has the name of its first column. If several keys begin with that column, the others get a
 * number: `email`, `email_2`.
 */
function columnsOfKey(name: string, keys: DeclaredKeys | undefined): readonly string[] {
  if (keys === undefined) return [];
  if (name === "PRIMARY") return keys.primary;
  const declared = keys.named.get(name);
  if (declared !== undefined) return declared;
  const beginningWith = (first: string) => keys.others.filter((key) => key[0] === first);
  const [, base = name, number = "1"] = /^(.+)_(\d+)$/.exec(name) ?? [];
  return beginningWith(name)[0] ?? beginningWith(base)[Number(number) - 1] ?? [];
}

/** Errors about a value for a column. They name the column: `Data too long for column 'name' at row 1`. */
const OF_COLUMN: ReadonlySet<unknown> = new Set([1264, 1265, 1406]);

/** Errors that show the value before the column: ``Incorrect date value: '…' for column `db`.`t`.`day` at row 1``. */
const WITH_VALUE: ReadonlySet<unknown> = new Set([1292, 1366]);

/** Comparisons of texts of several character sets: two, three, more. */
const COLLATIONS: ReadonlySet<unknown> = new Set([1267, 1270, 1271]);

/** The value of a call that caused an error; the messages are read in any language. */
export function refusedMariadbValue(error: unknown): RefusedValue | undefined {
  const { errno, sqlMessage } = Object(error) as Readonly<Record<string, unknown>>;
  const message = String(sqlMessage);
  // The parameter is the one that can be coerced: it is only where its letters are not in the other character set.
  if (COLLATIONS.has(errno) && /,COERCIBLE\)/.test(message)) return { outsideCharset: true };
  const isOfColumn = OF_COLUMN.has(errno);
  if (!isOfColumn && !WITH_VALUE.has(errno)) return undefined;
  // The text before the column may be the value.
  const [, column, row] =
    (isOfColumn ? /^[^']*'(.+)'[^']*?(\d+)\D*$/s : /`\.`[^`]*`\.`([^`]+)`[^`']*?(\d+)[^`'\d]*$/s).exec(
      message,
    ) ?? [];
  return column === undefined ? undefined : { column, row: Number(row) - 1 };
}
