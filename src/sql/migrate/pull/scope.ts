/** The parts of a catalog that can be declared: a few names are not allowed in a declaration. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Catalog } from "../words/catalog.js";

/** The catalog without the names that no declaration allows, and the words for the parts that are left out. */
export function declarable(
  catalog: Catalog,
  { maxNameBytes: most }: Grammar,
): {
  readonly catalog: Catalog;
  readonly left: readonly string[];
} {
  const fits = (name: string) => name !== "" && name !== "__proto__" && Buffer.byteLength(name) <= most;
  const left: string[] = [];
  // The dot would separate a schema from a name.
  const isNamed = ({ schema, name }: { readonly schema: string | null; readonly name: string }) =>
    fits(name) && !name.includes(".") && (schema === null || fits(schema));
  const kept = <
    T extends {
      readonly schema: string | null;
      readonly name: string;
      readonly columns?: readonly { readonly name: string }[];
    },
  >(
    list: readonly T[],
    kind: string,
  ) =>
    list.filter((one) => {
      const column = one.columns?.find(({ name }) => !fits(name));
      if (isNamed(one) && column === undefined) return true;
      left.push(
        column === undefined ? `${kind} ${one.name}` : `${kind} ${one.name} with column ${column.name}`,
      );
      return false;
    });
  const enums = kept(catalog.enums, "enum");
  const views = kept(catalog.views, "view");
  // The name of a constraint has no meaning: another one replaces it.
  const named = <T extends { readonly name: string | null }>(one: T): T =>
    one.name === null || fits(one.name) ? one : { ...one, name: null };
  const tables = kept(catalog.tables, "table").map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map(named),
    checks: table.checks.map(named),
    indexes: table.indexes.map((one) => (fits(one.name) ? one : { ...one, name: "" })),
  }));
  return { catalog: { ...catalog, tables, views, enums }, left };
}
