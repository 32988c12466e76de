/**
 * What rendering asks of a table again and again: quoted names, the text of all columns, the columns by role. Made
 * once for each table and dialect.
 */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Dialect } from "../dialect/dialect.js";
import type { Grammar } from "../dialect/grammar.js";
import { qualifiedName } from "../dialect/names.js";
import { codecOf } from "../value/column-codec.js";
import type { Output } from "./plan.js";

/** A column as rendering sees it. */
export interface Place {
  readonly column: ColumnInfo;
  /** Its name in quotes. */
  readonly name: string;
  readonly output: Output;
}

/** A table as rendering sees it. */
export interface Layout {
  /** Its name in quotes, with its SQL schema. */
  readonly name: string;
  readonly places: ReadonlyMap<string, Place>;
  /** All columns, separated by commas. */
  readonly columns: string;
  /** What all columns give when they come back. */
  readonly outputs: readonly Output[];
}

const layouts = new WeakMap<AnyTable, Map<Dialect, Layout>>();

/** The layout of a table on a dialect. */
export function layoutOf(table: AnyTable, grammar: Grammar): Layout {
  let byDialect = layouts.get(table);
  if (byDialect === undefined) {
    byDialect = new Map();
    layouts.set(table, byDialect);
  }
  let layout = byDialect.get(grammar.dialect);
  if (layout === undefined) {
    layout = makeLayout(table, grammar);
    byDialect.set(grammar.dialect, layout);
  }
  return layout;
}

function makeLayout(table: AnyTable, grammar: Grammar): Layout {
  const places = new Map(
    Object.values(table.columns).map((column): [string, Place] => {
      const { property, kind, nullable } = column;
      const output = { name: property, kind, nullable, ...codecOf(column, grammar) };
      return [property, { column, name: grammar.quote(column.name), output }];
    }),
  );
  const all = [...places.values()];
  return {
    name: qualifiedName(table, grammar),
    places,
    columns: all.map(({ name }) => name).join(", "),
    outputs: all.map(({ output }) => output),
  };
}
