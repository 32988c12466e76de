/** The steps that nest rows of another table in the rows of a query. */
import { describeType, quoted } from "../../core/errors.js";
import { RowsOn, RowsWhere, type Shown } from "../ast/inner-query.js";
import { draftKey, keyOf } from "../ast/key.js";
import { keyByConditions, specsOf } from "../expression/condition.js";
import { isByCondition } from "../expression/queries.js";
import type { Problem } from "../words/errors.js";
import { leavesRules } from "../words/rules.js";
import { type ChainStep, type DraftSource, failed, type Placing } from "./draft/draft.js";
import type { SelectingDraft } from "./draft/statement-draft.js";
import { type GivenQuery, givenQuery, isQueryGiven } from "./inner.js";

/** The rows of a relation: of a query, or all of them. */
export function nestedRows<D extends SelectingDraft>(
  relation: unknown,
  query: unknown,
  source: DraftSource,
): ChainStep<D> {
  if (query === undefined)
    return { key: keyOf("with", relation), on: (draft) => nested(draft, relation, {}, []) };
  return ofQuery(query, source, relation, "with", [], ({ query }) => query);
}

/** The rows of a query that have a field equal to one of the statement, or for which a condition holds. */
export function nestedRowsOn<D extends SelectingDraft>(
  name: unknown,
  query: unknown,
  mine: unknown,
  theirs: unknown,
  source: DraftSource,
): ChainStep<D> {
  if (isByCondition(mine, theirs)) {
    const [condition] = specsOf([mine]);
    const where = ({ query: rows }: GivenQuery) => new RowsWhere({ rows, condition });
    return ofQuery(query, source, name, "withOn where", [], where, [mine]);
  }
  const rows = (given: GivenQuery) => new RowsOn(given.query, mine, theirs);
  return ofQuery(query, source, name, "withOn", [mine, theirs], rows);
}

function ofQuery<D extends SelectingDraft>(
  query: unknown,
  source: DraftSource,
  name: unknown,
  method: string,
  fields: readonly unknown[],
  rows: (given: GivenQuery) => unknown,
  conditions: readonly unknown[] = [],
): ChainStep<D> {
  const given = givenQuery(query, source, "with", shown);
  if (!isQueryGiven(given)) return failed({ ...given, path: "with" });
  const { draft: inner, problems } = given;
  const step = keyOf(draftKey(method, inner.id), name, ...fields);
  const key = keyByConditions(step, conditions);
  const on = (draft: D, placed: Placing) => nested(draft, name, placed(rows(given)), problems);
  return { key, operands: [inner], parts: [given.query], on };
}

/** The draft with a value under one more name of its `with`. */
function nested<D extends SelectingDraft>(
  draft: D,
  name: unknown,
  rows: unknown,
  problems: readonly Problem[],
): D {
  const { with: known = {} } = draft.spec;
  // As a key, a value of an untyped caller would get a name that it did not have.
  if (typeof name !== "string") {
    const message = `nested rows need a relation or a name, not ${describeType(name)}`;
    return draft.failing({ code: "INVALID_RELATION", message, path: "with" });
  }
  if (Object.hasOwn(known, name)) {
    const message = `nested rows are named ${quoted(name)} twice`;
    return draft.failing({ code: "INVALID_ALIAS", message, path: `with.${name}` });
  }
  const all = Object.assign(Object.create(null), known, { [name]: rows });
  return draft.with({ with: all }).failing(...problems);
}

// A spec cannot restrict the rows to a part of their table. For a select, it holds the limit.
const shown: Shown = ({ kind, table, spec }) => {
  if (table.fixed !== undefined || leavesRules(table)) return undefined;
  return kind === "select" ? { ...spec, limit: 1 } : spec;
};
