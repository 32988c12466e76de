/** Writes resolved statements. */
import type { Grammar } from "../dialect/grammar.js";
import type { ResolvedStatement } from "../resolve/resolved.js";
import { renderDelete, renderUpdate } from "./change.js";
import { renderCompound } from "./compound.js";
import type { Plan } from "./plan.js";
import { renderAggregate, renderQuery } from "./select.js";

/** The text of a statement; that of an insert depends on its records, and is written by `renderInsert`. */
export function renderStatement(resolved: ResolvedStatement, grammar: Grammar): Plan {
  switch (resolved.kind) {
    case "query":
      return renderQuery(resolved, grammar);
    case "compound":
      return renderCompound(resolved, grammar);
    case "aggregate":
      return renderAggregate(resolved, grammar);
    case "update":
      return renderUpdate(resolved, grammar);
    case "delete":
      return renderDelete(resolved, grammar);
  }
}
