/**
 * Declared views in the server's words. PostgreSQL prints them for a temporary view over the declared tables, which are
 * temporary then; MariaDB for a view that is created briefly, because it has no temporary views; SQLite keeps the
 * author's text.
 */
import * as z from "zod";
import { ddl } from "../../ddl/ddl.js";
import { viewsInOrder } from "../../ddl/declared.js";
import type { AnyView } from "../../declare/declaration.js";
import { textFor } from "../../dialect/grammar/declared.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Dialect } from "../../words/dialect.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import { withoutSchema } from "../catalog/mariadb/catalog.js";
import { SCRATCH_VIEW } from "../catalog/read.js";
import type { DeclarationScratch } from "../catalog/scratch-run.js";
import { comparable } from "../text/expressions.js";
import { postgresRules, tokensOf } from "../text/sql-cursor.js";
import type { CatalogView } from "../words/catalog.js";
import { schemaOf } from "../words/declared-list.js";
import { tableName } from "./plan.js";

/** A declared view. */
export interface DeclaredView {
  readonly view: AnyView;
  /** `null` for the schema that unqualified names refer to. */
  readonly schema: string | null;
  /** Its query as the server prints it; undefined if the server cannot create it from the existing tables. */
  readonly definition: string | undefined;
  /** The statements that create it, in order. */
  readonly create: readonly string[];
}

/** The context in which views are read. */
interface ViewPlace {
  readonly scratch: DeclarationScratch;
  readonly grammar: Grammar;
  readonly home: string | null;
}

/** Reads declared views, in the order in which they are created. */
export async function readDeclaredViews(
  views: readonly AnyView[],
  place: ViewPlace,
): Promise<DeclaredView[]> {
  const { grammar, home } = place;
  const { dialect } = grammar;
  const ordered = viewsInOrder(views, grammar).map((view) => ({
    view,
    schema: schemaOf(view, home),
    create: ddl(view, dialect),
    query: textFor(view.view?.as, dialect) ?? "",
  }));
  const definitions = await readers[dialect](ordered, place);
  return ordered.map(({ query: _, ...one }, i) => ({ ...one, definition: definitions[i] }));
}

/** Whether a view matches its declaration. */
export function isSameView(
  actual: CatalogView,
  declared: DeclaredView,
  dialect: CatalogDialect,
  exact: boolean,
): boolean {
  if (declared.definition === undefined) return false;
  const said = (text: string) => comparable(text, dialect, undefined, !exact);
  return said(actual.definition) === said(declared.definition);
}

interface Query {
  readonly view: AnyView;
  readonly schema: string | null;
  readonly query: string;
}

type Definitions = readonly (string | undefined)[];

const readers: {
  readonly [D in Dialect]: (views: readonly Query[], place: ViewPlace) => Promise<Definitions>;
} = {
  postgres: readOnPostgres,
  mariadb: readOnMariadb,
  sqlite: async (views) => views.map(({ query }) => query),
  oracle: async () => [],
};

const definitionRow = z.object({ definition: z.string().nullable() });

async function readOnPostgres(
  views: readonly Query[],
  { scratch: { runs, tries }, grammar, home }: ViewPlace,
): Promise<Definitions> {
  const read = new Map<Query, string>();
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

async function readOnMariadb(
  views: readonly Query[],
  { scratch: { runs, tries }, grammar, home }: ViewPlace,
): Promise<Definitions> {
  const definitions: (string | undefined)[] = [];
  for (const { view, schema, query } of views) {
    const place = schema ?? home ?? "";
    const [there] = await runs.sql(VIEW_DEFINITION, definitionRow).exec({ schema: place, name: view.name });
    definitions.push(undefined);
    // A view that does not exist is created anyway.
    if (there === undefined) continue;
    const name = `${SCRATCH_VIEW}${Math.random().toString(36).slice(2, 12)}`;
    const spelled = tableName(schema, name, grammar);
    try {
      if (!(await tries(`CREATE VIEW ${spelled} AS ${query}`))) continue;
      const [row] = await runs.sql(VIEW_DEFINITION, definitionRow).exec({ schema: place, name });
      definitions[definitions.length - 1] = withoutSchema(row?.definition ?? "", place);
    } finally {
      await tries(`DROP VIEW IF EXISTS ${spelled}`);
    }
  }
  return definitions;
}

const VIEW_DEFINITION =
  "SELECT VIEW_DEFINITION AS definition FROM information_schema.VIEWS WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :name";
