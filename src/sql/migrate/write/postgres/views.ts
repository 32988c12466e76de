/** Declared views as PostgreSQL prints them: a temporary view over the declared tables, which are temporary then. */
import * as z from "zod";
import { SCRATCH_VIEW } from "../../catalog/read.js";
import { postgresRules, tokensOf } from "../../text/sql-cursor.js";
import type { ViewPlace, ViewQuery } from "../dialect.js";

const definitionRow = z.object({ definition: z.string().nullable() });

/** Reads the queries of declared views. */
export async function readViewsOnPostgres(
  views: readonly ViewQuery[],
  { scratch: { runs, tries }, grammar, home }: ViewPlace,
): Promise<readonly (string | undefined)[]> {
  const read = new Map<ViewQuery, string>();
  // Views without a schema come first, because others can read them by their names.
  const ordered = [
    ...views.filter(({ schema }) => schema === null),
    ...views.filter(({ schema }) => schema !== null),
  ];
  for (const [i, one] of ordered.entries()) {
    const name = `pg_temp.${grammar.quote(one.schema === null ? one.view.name : `${SCRATCH_VIEW}${i}`)}`;
    const isMade = await tries(`CREATE TEMPORARY VIEW ${name} AS ${withoutHome(one.query, home)}`);
    if (!isMade) continue;
    const [row] = await runs
      .sql("SELECT pg_get_viewdef(:name::regclass) AS definition", definitionRow)
      .exec({ name });
    if (typeof row?.definition === "string") read.set(one, row.definition.replace(/;\s*$/, ""));
  }
  for (const [i, one] of [...ordered.entries()].reverse())
    await tries(
      `DROP VIEW IF EXISTS pg_temp.${grammar.quote(one.schema === null ? one.view.name : `${SCRATCH_VIEW}${i}`)} CASCADE`,
    );
  return views.map((one) => read.get(one));
}

// The query must read the temporary tables, not those of their schema.
function withoutHome(query: string, home: string | null): string {
  const tokens = tokensOf(query, postgresRules);
  let text = "";
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    const isHome = token.value === home && (token.kind === "word" || token.kind === "name");
    if (!isHome || tokens[i + 1]?.text !== "." || tokens[i - 1]?.text === ".") continue;
    text += query.slice(at, token.start);
    at = tokens[i + 1]?.end ?? token.end;
  }
  return text + query.slice(at);
}
