/**
 * Examples of specs, made from the table: each is taken as it is and runs without a parameter, or names its parameters
 * after the fields. The docs page fills its forms with them.
 */
import { PARAM_NAME } from "../resolve/resolution.js";
import type { Kind } from "../words/operators.js";
import type { SpecKind } from "./judge.js";
import type { Profile } from "./profile.js";

/** So many fields show what the list is for. */
const FEW = 3;
const ROWS = 10;

/** An example of a kind of spec; `undefined` where the table has nothing to make one of. */
export function exampleOf(kind: SpecKind, profile: Profile): object | undefined {
  const rows = exampleRows(profile);
  switch (kind) {
    case "query":
      return { ...rows, ...limit(profile) };
    case "select":
      return rows;
    case "insert":
      return {};
    case "modify": {
      const [field] = profile.columns.filter(
        ({ generated, primaryKey }) => generated !== true && !primaryKey,
      );
      const where = exampleWhere(profile);
      if (field === undefined || where === undefined) return undefined;
      return { set: { [field.property]: nameFor(field.property, "new_") }, where };
    }
    case "remove": {
      const where = exampleWhere(profile);
      return where && { where };
    }
    case "aggregate":
      return {};
    case "compound": {
      const { fields } = rows;
      return {
        base: { fields },
        operands: [{ operation: "union_all", query: { fields } }],
        ...limit(profile),
      };
    }
  }
}

function exampleRows(profile: Profile): { readonly fields: readonly string[]; readonly order_by?: unknown } {
  const chosen = profile.columns.filter(({ kind }) => SHOWN.has(kind));
  const fields = (chosen.length > 0 ? chosen : profile.columns).slice(0, FEW);
  const first = fields.find(
    (column) => SHOWN.has(column.kind) && profile.grammar.largeObjects?.holds(column, profile.table) !== true,
  );
  const names = fields.map(({ property }) => property);
  return first === undefined
    ? { fields: names }
    : { fields: names, order_by: [{ field: first.property, direction: "asc" }] };
}

/** What every dialect can show, put in order and compare. */
const SHOWN: ReadonlySet<Kind> = new Set(["text", "number", "bigint", "boolean", "date"] as const);

function limit({ maxLimit = ROWS }: Profile): { readonly limit: number } {
  return { limit: Math.min(ROWS, maxLimit) };
}

function exampleWhere({ columns, table, grammar }: Profile): readonly object[] | undefined {
  const comparable = columns.filter(
    (column) => SHOWN.has(column.kind) && grammar.largeObjects?.holds(column, table) !== true,
  );
  const field = comparable.find(({ primaryKey }) => primaryKey) ?? comparable[0];
  return field && [{ field: field.property, operator: "=", param: nameFor(field.property) }];
}

function nameFor(property: string, before = ""): string {
  const name = `${before}${property}`;
  return PARAM_NAME.test(name) ? name : "value";
}
