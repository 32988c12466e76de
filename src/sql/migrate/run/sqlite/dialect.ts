/** How migrations of SQLite are run. */
import { sqliteCatalog } from "../../catalog/sqlite/dialect.js";
import type { RunDialect } from "../dialect.js";
import { lifeOfProcess, processName } from "./process.js";
import { rowCount, violations } from "./rebuilds.js";
import { withoutBusyWaiting, withoutForeignKeys } from "./settings.js";

export const sqliteRun: RunDialect = {
  ...sqliteCatalog,
  catalog: sqliteCatalog,
  countTables: "SELECT COUNT(*) AS n FROM sqlite_master WHERE type = 'table' AND name = :name",
  processName,
  lifeOf: async (_, session) => lifeOfProcess(session),
  // Until the time is over, because others hold locks only for moments.
  patience: { isOver: (_, end) => Date.now() >= end, pause: () => 50 },
  withoutWaiting: withoutBusyWaiting,
  alone: ({ sql }) => sql,
  tagged: (sql) => sql,
  // Steps outside transactions are those of this kind alone, such as PRAGMA and VACUUM.
  repeatable: /^/,
  refusesSeveral: /more than one statement/,
  // It does not say which constraint it is.
  // `node:sqlite` has the number in the place of the name.
  lacksValue: {
    inColumn: ["SQLITE_CONSTRAINT", 19],
    inKey: ["SQLITE_MISMATCH", 20],
    codeOf: (cause) => Object(cause).errcode ?? Object(cause).code,
  },
  rebuilds: { withoutForeignKeys, violations, rowCount },
  // A database that is opened is there, and ends when it is closed.
  scratch: { create: () => [], drop: () => [] },
  reset: { cascade: "" },
};
