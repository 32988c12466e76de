/**
 * Which values of a column MariaDB knows to be decodable: by the type of the column, as far as a function tells it, and by
 * the text of the value.
 */
import type { Storage } from "../../declare/declaration.js";
import { textFor } from "../grammar/declared.js";
import { type GuardForm, membersOf, SAFE } from "../grammar/guard.js";
import { mariadbDdl } from "./ddl.js";

/**
 * ER_DATA_OUT_OF_RANGE; and ER_TRUNCATED_WRONG_VALUE and ER_ILLEGAL_PARAMETER_DATA_TYPE…, of conditions that the type of a
 * column does not take.
 */
const FAILURES: ReadonlySet<unknown> = new Set([1690, 1292, 4078, 4079]);

export const mariadbGuard: GuardForm = {
  decodable,
  failure: "~0 + IF({f} IS NULL, 1, 1)",
  isFailure: (error) => FAILURES.has(Object(error).errno),
};

function decodable(storage: Storage): string | undefined {
  const { kind, integer, values } = storage;
  if (values !== undefined) {
    const members = membersOf(storage, mariadbDdl.text);
    return members && `${IS_TEXT} AND CAST({f} AS BINARY) IN (${members})`;
  }
  switch (kind) {
    case "text":
      return IS_TEXT;
    case "number":
      return integer === true
        ? `${IS_WHOLE} AND {f} ${SAFE}`
        : `${IS_NUMERIC} AND CONCAT({f}) = CONCAT({f} + 0)`;
    case "bigint":
      return IS_WHOLE;
    case "boolean":
      return `${IS_NUMERIC} AND CONCAT({f}) IN ('0', '1')`;
    case "bytes":
      return "COERCIBILITY({f}) = 2 AND CHARSET({f}) = 'binary'";
    case "date":
      return textFor(storage.type, "mariadb") === undefined
        ? `${IS_DAY} AND MICROSECOND({f}) MOD 1000 = 0`
        : IS_DAY;
    // The text of a double may be that of a decimal.
    default:
      return undefined;
  }
}

const IS_TEXT = "CHARSET({f}) <> 'binary'";
// Or a date, whose text is not that of its number.
const IS_NUMERIC = "COERCIBILITY({f}) = 5";
const IS_WHOLE = `${IS_NUMERIC} AND CONCAT({f}) = CONCAT(CAST({f} AS SIGNED))`;
// A date may have no month or no day, and a month more days than it has.
const IS_DAY =
  "COERCIBILITY({f}) = 5 AND {f} LIKE '____-__-__%' AND {f} >= '0001-01-01' AND DAY({f}) BETWEEN 1 AND DAY(LAST_DAY({f}))";
