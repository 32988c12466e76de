/** Checks compound queries: that their operands have the same rows, and what a server would refuse in one. */
import { listed, quoted } from "../../core/errors.js";
import { resultOf } from "../ast/result.js";
import type { AnyTable } from "../declaration.js";
import type { Problems } from "./problems.js";
import type { Selection } from "./selection.js";

const operations: ReadonlySet<unknown> = new Set([
  "union",
  "union_all",
  "intersect",
  "intersect_all",
  "except",
  "except_all",
]);

/** A query of a compound, and what its rows have. */
export interface Part {
  readonly table: AnyTable;
  readonly selection: Selection;
}

/** Checks the operation of an operand, and its row against that of the base. */
export function checkOperand(
  operation: unknown,
  base: Part,
  operand: Part,
  path: string,
  problems: Problems,
): void {
  if (!operations.has(operation)) {
    const known = listed(operations as ReadonlySet<string>);
    problems.add(
      "INVALID_SPEC",
      `unknown operation ${quoted(operation)}; operations: ${known}`,
      `${path}.operation`,
    );
  }
  const [wanted, given] = [kindsOf(base), kindsOf(operand)];
  const same = wanted.size === given.size && [...wanted].every(([name, kind]) => given.get(name) === kind);
  if (!same) {
    const message = `the row of an operand has the fields of the first query, each of one kind: ${listed(wanted.keys())}`;
    problems.add("INVALID_FIELD", message, `${path}.query.fields`);
  }
  if (operation !== "union_all")
    for (const field of base.selection.fields ?? Object.keys(base.table.columns)) {
      const column = base.table.columns[field];
      if (column !== undefined) problems.comparable(column, `${path}.operation`);
    }
}

// What a row holds by name, as far as a server must be able to put two rows into one set.
function kindsOf({ table, selection: { fields, expressions } }: Part): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const field of fields ?? Object.keys(table.columns))
    kinds.set(field, table.columns[field]?.kind ?? "json");
  for (const [alias, node] of expressions) kinds.set(alias, resultOf(node, table).storage.kind);
  return kinds;
}
