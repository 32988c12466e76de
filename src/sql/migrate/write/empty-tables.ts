/**
 * Whether a table has no rows, so that a step blocks nobody. A table counts as empty only if it does not exist or its
 * rows can be read: rows that this role may not see exist all the same.
 */
import * as z from "zod";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Dialect } from "../../words/dialect.js";
import { isSqlError } from "../../words/errors.js";
import type { Runs } from "../words/reading.js";
import { tableName } from "./plan.js";

/** A table by its name; without a schema it is the one that the unqualified name refers to. */
interface Named {
  readonly schema: string | null;
  readonly name: string;
}

/** The facts about a table before its rows are read. */
type Known = "not there" | "no rows" | "rows may be hidden" | "rows can be seen";

/** Whether a table has no rows, or does not exist. */
export async function isEmptyTable(runs: Runs, grammar: Grammar, table: Named): Promise<boolean> {
  const known = await looks[grammar.dialect](runs, table, grammar);
  if (known !== "rows can be seen") return known !== "rows may be hidden";
  const { quote, dialect } = grammar;
  const first = dialect === "oracle" ? "FETCH FIRST 1 ROWS ONLY" : "LIMIT 1";
  const text = `SELECT 1 AS ${quote("n")} FROM ${tableName(table.schema, table.name, grammar)} ${first}`;
  try {
    return (await runs.sql(text, Count).exec()).length === 0;
  } catch (error) {
    // The right to read it may be missing. PostgreSQL was asked before, because an error ends the transaction there.
    if (dialect !== "postgres" && isSqlError(error) && error.code === "QUERY_FAILED") return false;
    throw error;
  }
}

const Count = z.object({ n: z.int() });

const looks: {
  readonly [D in Dialect]: (runs: Runs, table: Named, grammar: Grammar) => Promise<Known>;
} = {
  postgres: lookOnPostgres,
  mariadb: (runs, { schema, name }) =>
    thereIf(
      runs,
      `SELECT COUNT(*) AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${schema === null ? "DATABASE()" : ":schema"} AND TABLE_NAME = :name`,
      { schema, name },
    ),
  sqlite: (runs, { schema, name }, { quote }) =>
    thereIf(
      runs,
      `SELECT COUNT(*) AS n FROM ${quote(schema ?? "main")}.sqlite_schema WHERE type = 'table' AND name = :name COLLATE NOCASE`,
      { schema: null, name },
    ),
  oracle: (runs, { schema, name }) =>
    thereIf(
      runs,
      `SELECT COUNT(*) AS "n" FROM ${schema === null ? "user_tables WHERE" : "all_tables WHERE owner = :schema AND"} table_name = :name`,
      { schema, name },
    ),
};

async function thereIf(runs: Runs, text: string, { schema, name }: Named): Promise<Known> {
  const given = schema === null ? { name } : { schema, name };
  const [found] = await runs.sql(text, Count).exec(given);
  return found?.n === 0 ? "not there" : "rows can be seen";
}

const Look = z.object({ tables: z.int(), pages: z.int(), hidden: z.boolean() });

async function lookOnPostgres(runs: Runs, { schema, name }: Named): Promise<Known> {
  const place = schema === null ? "pg_table_is_visible(c.oid)" : "n.nspname = :schema";
  const given = schema === null ? { name } : { schema, name };
  const [found] = await runs.sql(FAMILY.replace("PLACE", place), Look).exec(given);
  if (found === undefined || found.tables === 0) return "not there";
  if (found.pages === 0) return "no rows";
  return found.hidden ? "rows may be hidden" : "rows can be seen";
}

// The rows of a table include those of its partitions and children, which are read by the rights on the table itself.
// The size of a foreign table is unknown here.
const FAMILY = `WITH RECURSIVE family (oid, kind, is_asked) AS (
  SELECT c.oid, c.relkind, true FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = :name AND c.relkind IN ('r', 'p', 'f', 'm') AND PLACE
  UNION SELECT c.oid, c.relkind, false FROM pg_inherits i JOIN family f ON f.oid = i.inhparent
  JOIN pg_class c ON c.oid = i.inhrelid)
SELECT count(*) AS tables,
  coalesce(sum(CASE kind WHEN 'f' THEN 1 ELSE pg_relation_size(oid) END), 0)::bigint AS pages,
  coalesce(bool_or(is_asked AND (row_security_active(oid) OR NOT has_any_column_privilege(oid, 'SELECT'))), false)
    AS hidden
FROM family`;
