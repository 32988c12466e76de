/** How migrations of PostgreSQL are run. */
import { z } from "zod";
import { postgresCatalog } from "../../catalog/postgres/dialect.js";
import type { RunDialect } from "../dialect.js";
import { afterWaiting } from "../locks.js";
import { dropInvalidIndex, dropOfConstraint, isIndexWhole } from "./halves.js";
import { KEEP_ALIVE, lifeOnPostgres, sessionOfPostgres } from "./sessions.js";

export const postgresRun: RunDialect = {
  ...postgresCatalog,
  catalog: postgresCatalog,
  countTables: "SELECT count(to_regclass(:name)) AS n",
  hiddenTable: async (db, tables, tx) => {
    const [hidden] = await db.sql(HIDDEN, z.object({ at: z.int() })).exec({ places: tables }, { tx });
    return hidden === undefined ? undefined : hidden.at - 1;
  },
  sessions: { nameOf: sessionOfPostgres, keepAlive: KEEP_ALIVE },
  lifeOf: lifeOnPostgres,
  patience: afterWaiting,
  limitLocks: "SET LOCAL lock_timeout = '3s'",
  withoutWaiting: (_, work) => work(),
  alone: ({ sql }) => sql,
  // The server shows the beginning of a long statement.
  tagged: (sql, tag) => `${tag} ${sql}`,
  repeatable:
    /\bvalidate\s+constraint\b|\b(?:set|drop)\s+(?:not\s+null|default)\b|^\s*(?:vacuum|analyze|reindex|comment)\b/i,
  refusesSeveral: /multiple commands into a prepared statement/,
  halves: { isWhole: isIndexWhole, drop: dropInvalidIndex, undoOf: dropOfConstraint },
  scratch: {
    create: (name) => [`CREATE DATABASE ${name}`],
    drop: (name) => [`DROP DATABASE ${name} WITH (FORCE)`],
  },
  reset: { cascade: " CASCADE" },
};

const HIDDEN = `SELECT at FROM unnest(:places::text[]) WITH ORDINALITY AS places (place, at)
WHERE row_security_active(to_regclass(place)) ORDER BY 1 LIMIT 1`;
