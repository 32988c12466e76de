/** The objects that views of PostgreSQL read, from its catalog. */
import * as z from "zod";
import type { Runs } from "../../words/reading.js";
import type { ViewLinks } from "../view-links.js";

const linkRow = z.object({
  kind: z.string(),
  schema: z.string(),
  name: z.string(),
  onSchema: z.string(),
  on: z.string(),
  column: z.string().nullable(),
});

/** The links of the views of a database. */
export async function readViewLinks(runs: Runs, home: string | null): Promise<ViewLinks> {
  const rows = await runs.sql(LINKS, linkRow).exec();
  const nameOf = (schema: string) => (schema === home ? null : schema);
  return {
    readersOf: ({ schema, name, column }) =>
      rows
        .filter(
          (row) =>
            nameOf(row.onSchema) === schema &&
            row.on === name &&
            (column === undefined || row.column === column),
        )
        .map((row) => ({ kind: row.kind, schema: nameOf(row.schema), name: row.name })),
  };
}

// The query of a view is its rule.
const FROM_RULES = `FROM pg_rewrite r JOIN pg_class v ON v.oid = r.ev_class AND v.relkind IN ('v', 'm')
JOIN pg_namespace vn ON vn.oid = v.relnamespace
JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid`;
const READER = `SELECT DISTINCT CASE v.relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END AS kind,
  vn.nspname::text AS schema, v.relname::text AS name`;
const LINKS = `${READER}, n.nspname::text AS "onSchema", t.relname::text AS "on", a.attname::text AS "column"
${FROM_RULES} AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> v.oid
JOIN pg_class t ON t.oid = d.refobjid JOIN pg_namespace n ON n.oid = t.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid AND d.refobjsubid > 0
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
UNION ${READER}, n.nspname::text, t.typname::text, NULL
${FROM_RULES} AND d.refclassid = 'pg_type'::regclass
JOIN pg_type t ON t.oid = d.refobjid AND t.typtype = 'e' JOIN pg_namespace n ON n.oid = t.typnamespace`;
