/** The casts that PostgreSQL has between the types of columns that change, and how a value is cast. */
import * as z from "zod";
import type { Runs } from "../../words/reading.js";

/** How values of one type become values of another: by a cast, through an integer, or not at all. */
type Cast = "direct" | "by integer" | "none";

/** The casts of pairs of types, each as the catalog names it. */
export type Casts = (from: string, to: string) => Cast;

const Found = z.object({ direct: z.boolean(), integer: z.boolean() });

// Finds a cast as the server does: one of the catalog, or by text from and to any type. A domain is cast as its base
// type, a list as its items are. A type that is not found is not judged.
const CAST = `
  WITH given AS (SELECT to_regtype(:from) AS source, to_regtype(:to) AS target),
  plain AS (
    SELECT CASE WHEN d.typtype = 'd' THEN d.typbasetype ELSE d.oid END AS oid, g.is_source
    FROM (SELECT source AS oid, true AS is_source FROM given UNION ALL SELECT target, false FROM given) AS g
    JOIN pg_type AS d ON d.oid = g.oid
  ),
  pair AS (
    SELECT a.oid AS a, b.oid AS b, a.typcategory AS of_a, b.typcategory AS of_b, a.typelem AS item_a, b.typelem AS item_b
    FROM plain AS p JOIN pg_type AS a ON a.oid = p.oid, plain AS q JOIN pg_type AS b ON b.oid = q.oid
    WHERE p.is_source AND NOT q.is_source
  ),
  items AS (
    SELECT CASE WHEN is_list THEN item_a ELSE a END AS a, CASE WHEN is_list THEN item_b ELSE b END AS b
    FROM (SELECT *, of_a = 'A' AND of_b = 'A' AS is_list FROM pair) AS pair
  )
  SELECT
    a.oid = b.oid OR a.typcategory = 'S' OR b.typcategory = 'S'
      OR EXISTS (SELECT FROM pg_cast WHERE castsource = a.oid AND casttarget = b.oid) AS direct,
    ('bool'::regtype IN (a.oid, b.oid))
      AND EXISTS (SELECT FROM pg_cast WHERE castsource = a.oid AND casttarget = 'int4'::regtype)
      AND EXISTS (SELECT FROM pg_cast WHERE castsource = 'int4'::regtype AND casttarget = b.oid)
      AND a.typcategory IN ('B', 'N') AND a.oid NOT IN ('numeric'::regtype, 'float8'::regtype, 'float4'::regtype)
      AS integer
  FROM items JOIN pg_type AS a ON a.oid = items.a JOIN pg_type AS b ON b.oid = items.b`;

/** Asks the server for the casts of these pairs. */
export async function readCasts(
  pairs: readonly (readonly [from: string, to: string])[],
  runs: Runs,
): Promise<Casts> {
  const found = new Map<string, Cast>();
  for (const [from, to] of pairs) {
    const [row] = await runs.sql(CAST, Found).exec({ from, to });
    const cast = row === undefined || row.direct ? "direct" : row.integer ? "by integer" : "none";
    found.set(JSON.stringify([from, to]), cast);
  }
  return (from, to) => found.get(JSON.stringify([from, to])) ?? "direct";
}

/**
 * The expression of a value of a column as another type. Instants are cast in UTC, as rowtype reads and writes them; the
 * server would take the zone of the session.
 * @param column the quoted name.
 */
export function castText(column: string, from: string, to: string, cast: Cast): string {
  const [source, target] = [timesOf(from), timesOf(to)];
  const inUtc = `(${column} AT TIME ZONE 'UTC')`;
  if (source === "instant" && (target === "local" || target === "day")) return `${inUtc}::${to}`;
  if (source === "local" && target === "instant") return `${inUtc}::${to}`;
  if (source === "day" && target === "instant") return `(${column}::timestamp AT TIME ZONE 'UTC')::${to}`;
  if (source === "instant" && target === "text") return `(${inUtc}::text || '+00')::${to}`;
  if (source === "text" && target === "instant")
    return `(CASE WHEN ${column} ~* '${SAYS_ZONE}' THEN ${column} ELSE ${column} || ' UTC' END)::${to}`;
  return `${column}${cast === "by integer" ? "::integer" : ""}::${to}`;
}

const SAYS_ZONE = ":[0-9.]+ *(z|utc|gmt|[+-][0-9]+(:[0-9]+)*) *$";

function timesOf(type: string): "instant" | "local" | "day" | "text" | undefined {
  if (/^timestamp(?:\(\d\))? with time zone$/.test(type)) return "instant";
  if (/^timestamp(?:\(\d\))? without time zone$/.test(type)) return "local";
  if (type === "date") return "day";
  return /^(?:text|character varying(?:\(\d+\))?)$/.test(type) ? "text" : undefined;
}
