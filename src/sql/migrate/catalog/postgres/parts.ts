/** Parts of PostgreSQL's tables that no declaration can say, by the columns that they depend on. */

import * as z from "zod";
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import type { CatalogTable, CatalogUnknown } from "../../words/catalog.js";
import type { Runs } from "../../words/reading.js";

/** An index or a constraint that is not modelled. */
export interface UnlistedPart {
  readonly kind: "index" | "unique" | "foreign key" | "check";
  readonly name: string;
  readonly columns: readonly string[];
}

const partRow = z.object({ kind: z.string(), name: z.string(), columns: z.array(z.string()) });

// The search path of the caller determines where an unqualified name leads.
const PARTS = `SELECT kind, name, array_agg(column_name) AS columns FROM (
  SELECT CASE d.classid WHEN 'pg_class'::regclass THEN 'index' ELSE k.contype::text END AS kind,
    coalesce(x.relname, k.conname)::text AS name, a.attname::text AS column_name
  FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
  LEFT JOIN pg_class x ON d.classid = 'pg_class'::regclass AND x.oid = d.objid AND x.relkind IN ('i', 'I')
  LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid AND k.conrelid = d.refobjid
  WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass(:place) AND d.refobjsubid > 0
    AND (x.oid IS NOT NULL OR k.oid IS NOT NULL)
) parts GROUP BY kind, name ORDER BY name`;

// An exclusion constraint is like a key.
const KINDS: ReadonlyMap<string, UnlistedPart["kind"]> = new Map([
  ["index", "index"],
  ["u", "unique"],
  ["x", "unique"],
  ["f", "foreign key"],
  ["c", "check"],
]);

/** The parts of these tables that are not modelled. */
export async function readUnlistedParts(
  tables: readonly CatalogTable[],
  unknown: readonly CatalogUnknown[],
  runs: Runs,
): Promise<ReadonlyMap<CatalogTable, readonly UnlistedPart[]>> {
  const found = new Map<CatalogTable, readonly UnlistedPart[]>();
  for (const table of tables) {
    const own = unknown.filter(
      (one) =>
        (one.kind === "index" || one.kind === "constraint") &&
        one.table === table.name &&
        one.schema === table.schema,
    );
    if (own.length === 0) continue;
    const names = new Set(own.map(({ name }) => name));
    const schema = table.schema === null ? "" : `${doubleQuoted(table.schema)}.`;
    const place = `${schema}${doubleQuoted(table.name)}`;
    const parts = await runs.sql(PARTS, partRow).exec({ place });
    found.set(
      table,
      parts.flatMap(({ kind: said, name, columns }) => {
        const kind = KINDS.get(said);
        return kind === undefined || !names.has(name) ? [] : [{ kind, name, columns }];
      }),
    );
  }
  return found;
}
