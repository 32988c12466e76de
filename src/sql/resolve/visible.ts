/** Resolves the filters of a table alone, for the text of an index. */

import type { Grammar } from "../dialect/grammar/grammar.js";
import { visibleConditions } from "./expression/where.js";
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
