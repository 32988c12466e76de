/** A caller's declarations, sorted into tables, views and enum types; of external ones only the names are known. */
import { describeType, isList, quoted } from "../../../core/errors.js";
import type { AnyDeclared, AnyReadable, AnyTable, AnyView, EnumType } from "../../declare/declaration.js";
import { isEnumType } from "../../declare/enum-type.js";
import { readModule } from "../../declare/module.js";
import { checkTables } from "../../declare/table.js";
import { DeclarationError } from "../../words/errors.js";

/** Declared tables, views and enum types: a list of them, or a module that exports them. */
export type DeclaredTables = readonly AnyDeclared[] | object;

/** Declarations by their type. */
export interface DeclaredList {
  readonly tables: readonly AnyTable[];
  readonly views: readonly AnyView[];
  readonly enums: readonly EnumType[];
  /** The names of tables and views that somebody else makes. */
  readonly external: ReadonlySet<string>;
}

/**
 * The declarations of a list or a module.
 * @throws {DeclarationError} for a value that is neither, and for two declarations with one name.
 */
export function declaredList(given: DeclaredTables, taker: string): DeclaredList {
  if (typeof given !== "object" || given === null)
    throw new DeclarationError(`${taker} takes tables or a module of them, not ${describeType(given)}`);
  const listed: readonly unknown[] | undefined = isList(given) ? given : undefined;
  const readable: readonly unknown[] = listed?.filter((one) => !isEnumType(one)) ?? [
    ...new Set(readModule(given, taker).values()),
  ];
  checkTables(readable, taker);
  const enums = [...new Set((listed ?? Object.values(given)).filter(isEnumType))];
  checkNames(readable, "tables", taker);
  checkNames(enums, "enum types", taker);
  const tables: AnyTable[] = [];
  const views: AnyView[] = [];
  for (const one of readable.filter((all) => !all.external))
    if (isView(one)) views.push(one);
    else tables.push(one);
  const external = new Set(readable.filter((one) => one.external).map(({ name }) => name));
  return { tables, views, enums, external };
}

/** The schema of a declaration as catalogs have it: `null` for the one that unqualified names refer to. */
export function schemaOf({ namespace }: Pick<AnyReadable, "namespace">, home: string | null): string | null {
  return namespace === undefined || namespace === home ? null : namespace;
}

function isView(one: AnyReadable): one is AnyView {
  return one.view !== undefined;
}

type Named = Pick<AnyReadable, "name" | "namespace">;

function checkNames(list: readonly Named[], what: string, taker: string): void {
  const seen = new Set<string>();
  for (const { name, namespace } of list) {
    const key = JSON.stringify([namespace, name]);
    if (seen.has(key)) throw new DeclarationError(`${taker} has two ${what} named ${quoted(name)}`);
    seen.add(key);
  }
}
