/** The queries that builders take of others: what stands inside a statement, or why it cannot. */
import { describeType } from "../../core/errors.js";
import { InnerQuery } from "../ast/inner-query.js";
import type { Problem } from "../words/errors.js";
import { Builder } from "./builder.js";
import type { AnyDraft, Source } from "./draft.js";

/** A query of another builder. */
export interface Given {
  readonly query: InnerQuery;
  readonly draft: AnyDraft;
  /** What is wrong with it, found while it was written. */
  readonly problems: readonly Problem[];
}

/** What a spec holds in place of the query; undefined if it cannot hold it. */
export type Shown = (spec: Readonly<Record<string, unknown>>, draft: AnyDraft) => unknown;

/**
 * The query of a builder of the same database, or the problem of anything else.
 * @param what the method that takes it, in the words of errors.
 */
export function givenQuery(
  value: unknown,
  { grammar, memory }: Source,
  what: string,
  shown: Shown,
): Given | Problem {
  const draft = Builder.own(value)?.draft;
  const refuse = (message: string): Problem => ({ code: "INVALID_RELATION", message, path: "" });
  if (draft === undefined) return refuse(`${what} takes a query, not ${describeType(value)}`);
  const { statement, source, problems } = draft;
  if (statement.kind === "insert" || statement.kind === "modify" || statement.kind === "remove")
    return refuse(`${what} takes a query, and ${statement.kind} changes rows`);
  if (source.grammar !== grammar) return refuse(`${what} takes a query of the same dialect`);
  if (source.memory !== memory) return refuse(`${what} takes a query of the same database`);
  return { query: new InnerQuery(statement, shown({ ...statement.spec }, draft)), draft, problems };
}

/** Whether the query can be taken. */
export function isGiven(given: Given | Problem): given is Given {
  return "query" in given;
}

/** The conditions of a query that has nothing else that counts, as a spec of `exists` holds them. */
export function onlyConditions({ where = [], fields, order_by, ...rest }: Parameters<Shown>[0]): unknown {
  return Object.values(rest).every((part) => part === undefined) ? where : undefined;
}
