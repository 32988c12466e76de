/** The Zod schema of a pulled column, from its type in the database; `z.unknown()` for a type unknown to rowtype. */
import { enumOfType } from "../catalog/enum-types.js";
import type { Catalog, CatalogColumn, CatalogTable } from "../words/catalog.js";
import type { Domains, PullDialect, PulledType } from "./dialect.js";
import type { PulledNames } from "./names.js";

/** What the declarations of all columns depend on. */
export interface Pulling {
  readonly dialect: PullDialect;
  readonly catalog: Catalog;
  readonly names: PulledNames;
  readonly domains: Domains;
}

/** The declaration of a column's type. */
export function pulledType(column: CatalogColumn, { dialect, catalog, names, domains }: Pulling): PulledType {
  // The values of a domain are those of its base type.
  const type = domains.get(column.type) ?? column.type;
  const ownEnum = enumOfType(type, catalog.enums);
  if (ownEnum !== undefined) {
    const member = `z.enum(${names.enum(ownEnum.schema, ownEnum.name)}.values)`;
    return { schema: type.endsWith("[]") ? `z.array(${member})` : member, type: column.type, uses: [] };
  }
  const found = dialect.types.find(({ pattern }) => pattern.test(type));
  const said = dialect.typeOf(column);
  if (found === undefined)
    return { schema: "z.unknown()", type: said, uses: [], lost: `type ${column.type}` };
  const { schema, isDefault, uses = [] } = found;
  const isOwn = isDefault?.test(said) === true;
  return { schema, ...(isOwn ? {} : { type: said }), uses };
}

/** The schema of a column that a relation may compare, as text; `undefined` for one whose values have no equality. */
export function comparedSchema(table: CatalogTable, name: string, pulling: Pulling): string | undefined {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) return undefined;
  const { schema } = pulling.dialect.kindOf?.(table, column)?.type ?? pulledType(column, pulling);
  return /z\.unknown\(\)/.test(schema) ? undefined : schema;
}
