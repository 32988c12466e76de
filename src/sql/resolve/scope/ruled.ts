/** Tables without some of their rules, as relations read them: one table for the same rules. */
import type { AnyTable } from "../../declare/declaration.js";
import { lessRules } from "../../words/rules.js";

const tables = new WeakMap<AnyTable, Map<string, AnyTable>>();

/** The table, of which these rules are not in force. Nothing is stored in it. */
export function readWithout(table: AnyTable, names: readonly string[]): AnyTable {
  const { rules } = table;
  if (rules === undefined) return table;
  const key = [...names].sort().join(" ");
  let known = tables.get(table);
  if (known === undefined) {
    known = new Map();
    tables.set(table, known);
  }
  let less = known.get(key);
  if (less === undefined) {
    less = Object.freeze({ ...table, rules: lessRules(rules, new Set(names)) });
    known.set(key, less);
  }
  return less;
}
