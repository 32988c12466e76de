/** The texts of MariaDB: backslashes escape in literals, and a change of the schema ends every transaction. */
import type { TextDialect } from "./dialect.js";
import { backslashEscaped } from "./one-line-literals.js";
import { mariadbRules } from "./sql-cursor.js";

export const mariadbText: TextDialect = {
  name: "mariadb",
  tokens: mariadbRules,
  expressions: { ignoresCase: false },
  breaks: { literal: (value) => `'${backslashEscaped(value)}'` },
  undoesDdl: false,
};
