/** Rows inside rows on Oracle. */
import type { Storage } from "../../declare/declaration.js";
import { bytesFromHex, type NestedGrammar, type NestedValue, unchanged } from "../grammar/nested.js";

const NLS = "'NLS_NUMERIC_CHARACTERS=''.,'''";
const oracleDigits: NestedValue = { template: `TO_CHAR({f}, 'TM9', ${NLS})` };
const oracleDouble: NestedValue = { template: `TO_CHAR({f}, 'TME', ${NLS})` };
const oracleDate: NestedValue = {
  template: "TO_CHAR(SYS_EXTRACT_UTC({f}), 'YYYY-MM-DD HH24:MI:SS.FF3')",
};
const oracleBytes: NestedValue = { template: "RAWTOHEX({f})", read: bytesFromHex };

function oracleValue({ kind, integer, decimal }: Storage): NestedValue {
  switch (kind) {
    case "number":
      return integer === true ? unchanged : oracleDouble;
    case "bigint":
    case "decimal":
      return oracleDigits;
    case "text":
      return decimal === true ? oracleDigits : unchanged;
    case "date":
      return oracleDate;
    case "bytes":
      return oracleBytes;
    default:
      return unchanged;
  }
}

export const oracleNested: NestedGrammar = {
  value: oracleValue,
  inside: "{f} FORMAT JSON",
  insideAgain: "{f} FORMAT JSON",
  row: ["JSON_ARRAY(", " NULL ON NULL RETURNING CLOB)"],
  one: ["", ""],
  list: ["COALESCE(JSON_ARRAYAGG(", " RETURNING CLOB), TO_CLOB('[]'))"],
  orders: true,
  keepsOrder: false,
};
