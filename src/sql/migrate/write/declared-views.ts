/** Declared views in the server's words. */
import { ddl } from "../../ddl/ddl.js";
import { viewsInOrder } from "../../ddl/declared.js";
import type { AnyView } from "../../declare/declaration.js";
import { textFor } from "../../dialect/grammar/declared.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import type { DeclarationScratch } from "../catalog/scratch-run.js";
import { comparableText } from "../text/expressions.js";
import type { CatalogView } from "../words/catalog.js";
import { schemaOf } from "../words/declared-list.js";
import type { WriteDialect } from "./dialect.js";

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

/** Reads declared views, in the order in which they are created. */
export async function readDeclaredViews(
  views: readonly AnyView[],
  {
    scratch,
    dialect,
    home,
  }: {
    readonly scratch: DeclarationScratch;
    readonly dialect: WriteDialect;
    readonly home: string | null;
  },
): Promise<DeclaredView[]> {
  const { grammar, name } = dialect;
  const ordered = viewsInOrder(views, grammar).map((view) => ({
    view,
    schema: schemaOf(view, home),
    create: ddl(view, name),
    query: textFor(view.view?.as, name) ?? "",
  }));
  const definitions = await dialect.readViews(ordered, { scratch, grammar, home });
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
  const said = (text: string) => comparableText(text, dialect, undefined, !exact);
  return said(actual.definition) === said(declared.definition);
}
