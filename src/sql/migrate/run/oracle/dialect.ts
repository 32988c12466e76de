/** How migrations of Oracle are run. */
import { oracleRows } from "../../catalog/oracle/rows.js";
import { oracleText } from "../../text/oracle.js";
import type { RunDialect } from "../dialect.js";
import { afterWaiting } from "../locks.js";

export const oracleRun: RunDialect = {
  ...oracleText,
  ...oracleRows,
  catalog: undefined,
  countTables: 'SELECT COUNT(*) AS "n" FROM user_tables WHERE table_name = :name',
  // A name that was written without quotes is in upper case.
  spellings: (name) => [name, name.toUpperCase()],
  lifeOf: async () => "unknown",
  patience: afterWaiting,
  withoutWaiting: (_, work) => work(),
  alone: ({ sql }) => sql,
  // Its messages about a statement that starts with a comment are not trusted.
  tagged: (sql, tag) => `${sql}\n${tag}`,
  repeatable: /\bmodify\b|^\s*(?:analyze|comment)\b/i,
  scratch: undefined,
  reset: { feature: "reset", hint: "drop the user and make it again" },
};
