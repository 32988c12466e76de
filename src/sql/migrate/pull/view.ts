/** Views and enum types of a pulled file. */

import type { Domains } from "../catalog/postgres/domains.js";
import type { Catalog, CatalogEnum, CatalogView } from "../words/catalog.js";
import type { PulledNames } from "./names.js";
import { sourceOf, sourceText, sourceWord } from "./text.js";
import { pulledType } from "./types.js";

/** The text of a view: its columns have the types from the server, and the query is as the server prints it. */
export function pulledView(
  { name, schema, columns, definition, comment }: CatalogView,
  catalog: Catalog,
  given: { readonly names: PulledNames; readonly domains: Domains },
): { readonly source: string; readonly uses: ReadonlySet<string> } {
  const { names } = given;
  const uses = new Set(["view"]);
  const rows = columns.map((column) => {
    const { schema: type, uses: taken } = pulledType({ ...column, ...NOTHING_ELSE }, catalog, given);
    for (const use of taken) uses.add(use);
    const property = names.property({ schema, name }, column.name);
    const said = column.nullable && type !== "z.unknown()" ? `${type}.nullable()` : type;
    if (property === column.name) return `    ${sourceWord(property)}: ${said},`;
    uses.add("column");
    return `    ${sourceWord(property)}: column(${said}, { name: ${sourceText(column.name)} }),`;
  });
  const options = [
    `as: ${sourceText(definition)}`,
    ...(schema === null ? [] : [`schema: ${sourceText(schema)}`]),
    ...(comment === null ? [] : [`comment: ${sourceText(comment)}`]),
  ];
  const constant = names.table(schema, name) ?? "";
  const source = sourceOf("view", { constant, name }, rows, options);
  return { source, uses };
}

// A view has no further properties of its columns.
const NOTHING_ELSE = {
  collation: null,
  default: null,
  generated: false,
  computed: null,
  comment: null,
} as const;

/** The text of an enum type. */
export function pulledEnum({ name, schema, values }: CatalogEnum, names: PulledNames): string {
  const options = schema === null ? "" : `, { schema: ${sourceText(schema)} }`;
  return `export const ${names.enum(schema, name)} = enumType(${sourceText(name)}, [${values.map(sourceText).join(", ")}]${options});`;
}
