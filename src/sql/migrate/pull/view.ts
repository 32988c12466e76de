/** Views and enum types of a pulled file. */

import type { CatalogEnum, CatalogView } from "../words/catalog.js";
import type { PulledNames } from "./names.js";
import { sourceOf, sourceText, sourceWord } from "./text.js";
import { type Pulling, pulledType } from "./types.js";

/** The text of a view: its columns have the types from the server, and the query is as the server prints it. */
export function pulledView(
  { name, schema, columns, definition, comment }: CatalogView,
  pulling: Pulling,
): { readonly source: string; readonly uses: ReadonlySet<string> } {
  const { names } = pulling;
  const uses = new Set(["view"]);
  const rows = columns.map((column) => {
    const { schema: type, uses: taken } = pulledType({ ...column, ...NOTHING_ELSE }, pulling);
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
