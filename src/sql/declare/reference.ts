/** Parses references that are given as text: used by `table`, `ddl` and the diagrams. */
import type { AnyTable } from "./declaration.js";

/** The table and column that a column refers to. */
interface ColumnReference {
  readonly target: Pick<AnyTable, "name" | "namespace">;
  readonly column: string;
}

/** Parses `table(column)` or `schema.table(column)`; `undefined` for any other text. */
export function readReference(text: string): ColumnReference | undefined {
  const [, named = "", column = ""] = /^\s*([^()]*[^()\s])\s*\(\s*([^()]*[^()\s])\s*\)\s*$/.exec(text) ?? [];
  if (column === "") return undefined;
  const dot = named.indexOf(".");
  const namespace = dot < 0 ? undefined : named.slice(0, dot);
  return { target: { name: named.slice(dot + 1), namespace }, column };
}
