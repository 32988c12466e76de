/** Looks at the rows of a table of PostgreSQL: those of its partitions too, and whether this role may see them. */
import * as z from "zod";
import type { Runs } from "../../words/reading.js";
import type { LooksAtRows, NamedTable } from "../empty-tables.js";

const Look = z.object({ tables: z.int(), pages: z.int(), hidden: z.boolean() });

/** Looks at a table before its rows are read. */
export async function lookOnPostgres(
  runs: Runs,
  { schema, name }: NamedTable,
): ReturnType<LooksAtRows["lookAt"]> {
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
