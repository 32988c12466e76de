/** Sorts declared values into tables, views and enum types, and writes the statements of the last two. */
import { describeType, quoted } from "../../core/errors.js";
import type { AnyDeclared, AnyReadable, AnyTable, EnumType } from "../declare/declaration.js";
import { isEnumType } from "../declare/enum-type.js";
import { isTable } from "../declare/table.js";
import { textFor } from "../dialect/grammar/declared.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { checkSupported, qualifiedName } from "../dialect/grammar/names.js";
import { DeclarationError } from "../words/errors.js";
import { neededFirst } from "./in-order.js";

/** The declared values by their type, without the external ones. */
interface Sorted {
  readonly enums: readonly EnumType[];
  readonly tables: readonly AnyTable[];
  readonly views: readonly AnyReadable[];
}

/** @throws {DeclarationError} for a value that this package did not make. */
export function sorted(values: readonly unknown[], taker: string): Sorted {
  const enums: EnumType[] = [];
  const tables: AnyTable[] = [];
  const views: AnyReadable[] = [];
  for (const value of values) {
    checkDeclared(value, taker);
    if (isEnumType(value)) enums.push(value);
    else if (isTable(value) && !value.external) (value.view === undefined ? tables : views).push(value);
  }
  return { enums, tables, views };
}

/** @throws {DeclarationError} */
export function checkDeclared(value: unknown, taker: string): asserts value is AnyDeclared {
  if (isTable(value) || isEnumType(value)) return;
  throw new DeclarationError(
    `${taker} takes tables made by table(), views by view() and enums by enumType(), not ${describeType(value)}`,
  );
}

/**
 * The statement that creates a view.
 * @throws {DeclarationError} if it has no query for the dialect.
 */
export function createView(view: AnyReadable, grammar: Grammar): string {
  checkSupported(view, grammar);
  const query = textFor(view.view?.as, grammar.dialect);
  if (query === undefined)
    throw new DeclarationError(`view ${quoted(view.name)} has no query for ${grammar.dialect}`);
  return `CREATE VIEW ${qualifiedName(view, grammar)} AS ${query}`;
}

/** Orders views, so that those that others read come first; views in a circle keep the given order. */
export function viewsInOrder<V extends AnyReadable>(views: readonly V[], { dialect }: Grammar): readonly V[] {
  return neededFirst(views, ({ view }) => {
    const query = textFor(view?.as, dialect) ?? "";
    return views.filter(({ name }) => namesIt(query, name));
  });
}

// A word of a literal or a comment does no harm: it only changes the order.
function namesIt(query: string, name: string): boolean {
  const escaped = name.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "iu").test(query);
}

/** The statements that create an enum type: none if the dialect has no such types. */
export function createEnum(type: EnumType, grammar: Grammar): string[] {
  const { ddl } = grammar;
  const members = type.values.map(ddl.text).join(", ");
  return ddl.enums ? [`CREATE TYPE ${qualifiedName(type, grammar)} AS ENUM (${members})`] : [];
}
