/** Writes resolved statements. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { ResolvedStatement } from "../resolve/scope/resolved-change.js";
import { renderModify, renderRemove } from "./change.js";
import { renderCompound } from "./compound.js";
import type { Plan } from "./plan.js";
import { renderAggregate, renderQuery } from "./select.js";

/** Writes a statement. The text of an insert depends on its records: `renderInsert` writes it. */
export function renderStatement(resolved: ResolvedStatement, grammar: Grammar): Plan {
  const plan = rendered(resolved, grammar);
  const { unwritten } = resolved;
  return unwritten === undefined ? plan : { ...plan, unwritten };
}

function rendered(resolved: ResolvedStatement, grammar: Grammar): Plan {
  switch (resolved.kind) {
    case "query":
      return renderQuery(resolved, grammar);
    case "compound":
      return renderCompound(resolved, grammar);
    case "aggregate":
      return renderAggregate(resolved, grammar);
    case "modify":
      return renderModify(resolved, grammar);
    case "remove":
      return renderRemove(resolved, grammar);
  }
}
