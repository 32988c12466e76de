/** The domains of a PostgreSQL database, by their base types: `pull` declares their columns by it. */
import * as z from "zod";
import type { Runs } from "../../words/reading.js";

/**
 * The base types by the names of domains and of their arrays, both as the server prints them; a domain over another has the type at the
 * end of the chain.
 */
export async function readDomains(runs: Runs): Promise<ReadonlyMap<string, string>> {
  const rows = await runs.sql(DOMAINS, row).exec();
  const domains = new Map<string, string>();
  for (const { name, list, base, baseList } of rows) {
    domains.set(name, base);
    if (list !== null && baseList !== null) domains.set(list, baseList);
  }
  return domains;
}

const row = z.object({
  name: z.string(),
  list: z.string().nullable(),
  base: z.string(),
  baseList: z.string().nullable(),
});

const DOMAINS = `WITH RECURSIVE made (oid, list, base, modifier) AS (
  SELECT t.oid, t.typarray, t.typbasetype, t.typtypmod FROM pg_type t WHERE t.typtype = 'd'
  UNION ALL
  SELECT m.oid, m.list, t.typbasetype, t.typtypmod
  FROM made m JOIN pg_type t ON t.oid = m.base AND t.typtype = 'd'
)
SELECT format_type(m.oid, NULL) AS name, CASE WHEN m.list <> 0 THEN format_type(m.list, NULL) END AS list,
  format_type(m.base, m.modifier) AS base,
  CASE WHEN b.typarray <> 0 THEN format_type(b.typarray, m.modifier) END AS "baseList"
FROM made m JOIN pg_type b ON b.oid = m.base AND b.typtype <> 'd'`;
