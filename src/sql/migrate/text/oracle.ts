/** The texts of Oracle: blocks of PL/SQL, and a change of the schema commits every transaction. */
import type { TextDialect } from "./dialect.js";
import { concatenated } from "./one-line-literals.js";
import { postgresRules } from "./sql-cursor.js";

export const oracleText: TextDialect = {
  name: "oracle",
  tokens: postgresRules,
  expressions: { ignoresCase: false },
  breaks: { literal: (value) => concatenated(value, "chr") },
  // A block of PL/SQL.
  blockEnd: /\bend(?:\s+\w+)?\s*;$/i,
  undoesDdl: false,
};
