/** Resolves the filters of a table alone: for the text of an index, and to check them. */

import type { Grammar } from "../dialect/grammar/grammar.js";
import { ownCondition, visibleConditions } from "./expression/where.js";
import { layoutOf } from "./scope/layout.js";
import type { Layout, ResolvedCondition } from "./scope/resolved.js";
import { resolutionOf } from "./statement.js";

/** The conditions that a row meets which is there for everyone. @throws {BuildError | UnsupportedError} */
export function resolveVisible(table: Layout["table"], grammar: Grammar): readonly ResolvedCondition[] {
  const resolution = resolutionOf({ table }, grammar, []);
  const conditions = visibleConditions(layoutOf(table, grammar), resolution);
  resolution.throwIfAny();
  return conditions;
}

/** The condition of one filter. @throws {BuildError | UnsupportedError} */
export function resolveFilter(
  table: Layout["table"],
  name: string,
  grammar: Grammar,
): readonly ResolvedCondition[] {
  const resolution = resolutionOf({ table }, grammar, []);
  const condition = table.rules?.declared.get(name);
  const found =
    condition === undefined
      ? []
      : ownCondition(condition, `filters.${name}`, layoutOf(table, grammar), resolution);
  resolution.throwIfAny();
  return [found].flat();
}
