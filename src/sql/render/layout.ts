/**
 * What rendering asks of a table again and again: quoted names, the text of all columns, the columns by role. Made
 * once for each table and dialect.
 */
import type { Filter } from "../ast/statement.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Dialect } from "../dialect/dialect.js";
import type { DateForm, Grammar } from "../dialect/grammar.js";
import { qualifiedName } from "../dialect/names.js";
import { codecOf } from "../value/column-codec.js";
import type { Output } from "./plan.js";

/** A column as rendering sees it. */
export interface Place {
  readonly column: ColumnInfo;
  /** Its name in quotes; where dates are compared, the text that makes equal ones equal values. */
  readonly name: string;
  /** Its name in quotes. */
  readonly ownName: string;
  readonly output: Output;
  /** How its dates are kept, where it holds dates. */
  readonly dates: DateForm | undefined;
}

/** A table as rendering sees it. */
export interface Layout {
  /** Its name in quotes, with its SQL schema. */
  readonly name: string;
  readonly places: ReadonlyMap<string, Place>;
  /** The places of dates of which several stored values are one, as those are compared. */
  readonly compared: ReadonlyMap<string, Place>;
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
      const name = grammar.quote(column.name);
      const dates = kind === "date" ? grammar.dates(column.storage) : undefined;
      return [property, { column, name, ownName: name, output, dates }];
    }),
  );
  const all = [...places.values()];
  const inexact = all.filter(({ dates }) => dates?.isExact === false);
  const compared = new Map(inexact.map((place) => [place.column.property, comparable(place)]));
  return {
    name: qualifiedName(table, grammar),
    places,
    compared,
    columns: all.map(({ name }) => name).join(", "),
    outputs: all.map(({ output }) => output),
  };
}

/** A place as it is compared with others; its name is then an expression where its dates take one. */
export function comparable(place: Place): Place {
  const { ownName, dates } = place;
  return dates === undefined ? place : { ...place, name: dates.comparable.replaceAll("{f}", () => ownName) };
}

/** Whether each value of a column is one stored value, so that `=` finds what a key is unique by. */
export function isExact({ storage }: Pick<ColumnInfo, "storage">, grammar: Grammar): boolean {
  return storage.kind !== "date" || grammar.dates(storage).isExact;
}

/** Whether conditions fix a declared key by `=`, so that one row matches at most. */
export function fixesKey(where: readonly Filter[] | undefined, table: AnyTable, grammar: Grammar): boolean {
  const fixed = new Set(where?.flatMap((one) => ("param" in one && one.operator === "=" ? [one.field] : [])));
  const isFixed = (property: string) => {
    const column = table.columns[property];
    return fixed.has(property) && column !== undefined && isExact(column, grammar);
  };
  return table.keys.some((key) => key.every(isFixed));
}
