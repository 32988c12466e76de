/** Declared tables as a table with the option STRICT takes them: it has no type BOOLEAN, and takes INTEGER for it. */

import type { DeclaredTable } from "../../catalog/declared.js";
import type { TableDelta } from "../../diff/compare.js";
import type { PlanContext } from "../plan.js";

/** The difference as it is written for its table. */
export function withTypesOf(
  delta: TableDelta,
  { catalog, grammar }: Pick<PlanContext, "catalog" | "grammar">,
): TableDelta {
  const { actual, declared } = delta;
  const isStrict = catalog.unknown.some(
    ({ kind, table, schema, name }) =>
      kind === "table option" &&
      table === actual.name &&
      schema === actual.schema &&
      /\bSTRICT\b/i.test(name),
  );
  return isStrict ? { ...delta, declared: strictly(declared, grammar.quote) } : delta;
}

function strictly(declared: DeclaredTable, quote: (name: string) => string): DeclaredTable {
  const { create } = declared;
  const names = new Set(create.columns.map(({ name }) => `${quote(name)} `));
  const plain = (text: string) => text.replace(/^BOOLEAN\b/, "INTEGER");
  const items = create.items.map(({ text, constraint }) => {
    const name = [...names].find((one) => constraint === undefined && text.startsWith(one)) ?? "";
    return { text: name + plain(text.slice(name.length)), constraint };
  });
  const columns = create.columns.map((column) => ({
    ...column,
    type: plain(column.type),
    definition: plain(column.definition),
  }));
  return { ...declared, create: { ...create, items, columns } };
}
