/** Looks at the rows of a table of Oracle, whose catalog is not read. */
import { oracle } from "../../../dialect/oracle/grammar.js";
import { type LooksAtRows, thereIf } from "../empty-tables.js";

export const oracleRows: LooksAtRows = {
  grammar: oracle,
  lookAt: (runs, table) =>
    thereIf(
      runs,
      `SELECT COUNT(*) AS "n" FROM ${table.schema === null ? "user_tables WHERE" : "all_tables WHERE owner = :schema AND"} table_name = :name`,
      table,
    ),
  oneRow: "FETCH FIRST 1 ROWS ONLY",
};
