/** Resolves aggregates of related rows: a query of one value for each row. */
import { quoted } from "../../../core/errors.js";
import { NamedExpression, type OfNode } from "../../ast/expression.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedValue } from "../scope/result.js";
import { hasAggregate } from "../scope/walk.js";
import { resolveRelated, rowsSaid } from "./inner.js";

/** Resolves `of(relation, aggregate)`. */
export function resolveOf(
  { relation, aggregate }: OfNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const said = rowsSaid(relation, undefined, path, resolution);
  if (said === undefined) return undefined;
  if (!said.isMany) {
    const message = `of takes a relation to many rows, and ${quoted(relation)} leads to one: join it`;
    resolution.add("INVALID_RELATION", message, path);
    return undefined;
  }
  // A query with only the aggregate: a problem in it would be a problem in any other query.
  const named = new NamedExpression(typeof aggregate === "string" ? field(aggregate) : aggregate, ALIAS);
  const inner = resolveRelated(said, { kind: "query", spec: { fields: [named] } }, path, resolution);
  const [column] = inner?.columns ?? [];
  if (inner === undefined || column === undefined) return undefined;
  const { selected = column.value, ...value } = column.value;
  if (!hasAggregate(value.expression)) {
    resolution.add(
      "INVALID_AGGREGATE",
      "of takes an aggregate of the rows, such as count() or sum(field)",
      path,
    );
    return undefined;
  }
  const { subquery } = inner;
  if (subquery.query.kind === "aggregate") return undefined;
  const { query } = subquery;
  const [item] = query.items ?? [];
  if (item === undefined) return undefined;
  const name = resolution.grammar.quote("value");
  const giving = ({ expression, ...result }: ResolvedValue): ResolvedValue => ({
    ...result,
    expression: { ...subquery, query: { ...query, items: [{ ...item, name, expression }] } },
  });
  return selected === column.value ? giving(value) : { ...giving(value), selected: giving(selected) };
}

// Its name while it is resolved. No field has this name.
const ALIAS = "rowtype_value";

function field(name: string) {
  return { kind: "field", name } as const;
}
