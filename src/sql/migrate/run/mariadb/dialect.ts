/** How migrations of MariaDB are run. */
import { withSetting } from "../../../dialect/mariadb/settings.js";
import { mariadbCatalog } from "../../catalog/mariadb/dialect.js";
import type { RunDialect } from "../dialect.js";
import { afterWaiting } from "../locks.js";
import { lifeOnMariadb, sessionOfMariadb } from "./sessions.js";

export const mariadbRun: RunDialect = {
  ...mariadbCatalog,
  catalog: mariadbCatalog,
  countTables:
    "SELECT COUNT(*) AS n FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = :name",
  sessions: { nameOf: sessionOfMariadb, keepAlive: "SELECT 1" },
  lifeOf: lifeOnMariadb,
  patience: afterWaiting,
  withoutWaiting: (_, work) => work(),
  alone: ({ subject, sql }) =>
    subject !== undefined && /^ALTER TABLE /i.test(sql)
      ? withSetting(subject.kind === "change type" ? CONVERTING : CHECKED, sql)
      : sql,
  // Its messages about a statement that starts with a comment are not trusted.
  tagged: (sql, tag) => `${sql}\n${tag}`,
  repeatable: /\b(?:set|drop)\s+default\b|\bmodify\b|^\s*(?:analyze|optimize)\b/i,
  // It reports that NULL was cut.
  lacksValue: { inColumn: [1048, 1138, 1265], codeOf: (cause) => Object(cause).errno },
  scratch: {
    create: (name) => [`CREATE DATABASE ${name}`],
    drop: (name) => [`DROP DATABASE ${name}`],
  },
  reset: { cascade: "", dropReference: (table, name) => `ALTER TABLE ${table} DROP FOREIGN KEY ${name}` },
};

// By default the server checks what an ALTER TABLE does to rows. A session may have let it invent values instead: the
// empty one for NULL, the next number for 0, a row that violates a check or refers to nothing.
const CHECKED =
  "sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO'), check_constraint_checks = 1, foreign_key_checks = 1";
// A value that is no date would become the zero date, digits beyond those of a type would be cut off, and an instant
// would become the time in the session's zone. The defaults of another table may contain zero dates.
const CONVERTING = CHECKED.replace(
  "STRICT_ALL_TABLES",
  "STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,TIME_ROUND_FRACTIONAL",
).concat(", time_zone = '+00:00'");
