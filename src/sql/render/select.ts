/** Renders the statements that read: rows, and aggregates. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { ResolvedAggregate, ResolvedQuery } from "../resolve/scope/resolved.js";
import { outputsOf } from "./items.js";
import { writeWith } from "./named.js";
import type { Plan } from "./plan.js";
import { writeAggregate, writeQuery } from "./query.js";
import { startWriting } from "./start.js";

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery(query: ResolvedQuery, grammar: Grammar): Plan {
  const writer = startWriting(query.from, grammar);
  writeQuery(writeWith(writer, query.named), query);
  return writer.finish(outputsOf(query.from, query.items));
}

/** `SELECT SUM(…) FROM … WHERE …`; its value is null if there are no values. */
export function renderAggregate(aggregate: ResolvedAggregate, grammar: Grammar): Plan {
  const writer = startWriting(aggregate.from, grammar);
  writeAggregate(writeWith(writer, aggregate.named), aggregate);
  return writer.finish([aggregate.output]);
}
