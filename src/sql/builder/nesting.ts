/** The step that nests rows of another table in the rows of a query. */
import { describeType, quoted } from "../../core/errors.js";
import { RowsOn, type Shown } from "../ast/inner-query.js";
import { keyOf } from "../ast/key.js";
import type { Problem } from "../words/errors.js";
import type { AnyDraft, DraftSource } from "./draft/draft.js";
import { type GivenQuery, givenQuery, isGiven } from "./inner.js";

/** The value under a name in the `with` of a spec. */
export interface NestedStep {
  /** The cache key of the step. */
  readonly key: string | undefined;
  readonly rows: unknown;
  /** The draft that the key names. */
  readonly operand: AnyDraft | undefined;
  readonly problems: readonly Problem[];
}

/** The rows of a relation: of a query, or all of them. */
export function nestedRows(relation: unknown, query: unknown, source: DraftSource): NestedStep | Problem {
  if (query === undefined)
    return { key: keyOf("with", relation), rows: {}, operand: undefined, problems: [] };
  return taken(query, source, ({ query: rows, draft }) => ({
    rows,
    key: keyOf(`with#${draft.id}`, relation),
  }));
}

/** The rows of a query that have a field equal to one of the statement. */
export function nestedRowsOn(
  name: unknown,
  query: unknown,
  mine: unknown,
  theirs: unknown,
  source: DraftSource,
): NestedStep | Problem {
  return taken(query, source, ({ query: rows, draft }) => ({
    rows: new RowsOn(rows, mine, theirs),
    key: keyOf(`withOn#${draft.id}`, name, mine, theirs),
  }));
}

/** Whether the step can be taken. */
export function isNested(step: NestedStep | Problem): step is NestedStep {
  return "rows" in step;
}

/** The problem of a name that other nested rows already have. */
export function nestedTwice(name: unknown): Problem {
  const path = `with.${String(name)}`;
  return { code: "INVALID_ALIAS", message: `nested rows are named ${quoted(name)} twice`, path };
}

/** The problem of a name that is not text. */
export function nestedUnnamed(name: unknown): Problem {
  const message = `nested rows need a relation or a name, not ${describeType(name)}`;
  return { code: "INVALID_RELATION", message, path: "with" };
}

function taken(
  query: unknown,
  source: DraftSource,
  step: (given: GivenQuery) => Pick<NestedStep, "key" | "rows">,
): NestedStep | Problem {
  const given = givenQuery(query, source, "with", shown);
  if (!isGiven(given)) return { ...given, path: "with" };
  const { draft, problems } = given;
  const { key, rows } = step(given);
  return { key: draft.id === undefined ? undefined : key, rows, operand: draft, problems };
}

// A spec cannot restrict the rows to a part of their table. For a select, it holds the limit.
const shown: Shown = ({ kind, table, spec }) => {
  if (table.fixed !== undefined) return undefined;
  return kind === "select" ? { ...spec, limit: 1 } : spec;
};
