/** The queries that builders take of others: what stands inside a statement, or why it cannot. */
import { InnerQuery, type Shown } from "../ast/inner-query.js";
import { queryOffered } from "../expression/inner-query.js";
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

/**
 * The query of a builder of the same database, or the problem of anything else.
 * @param what the method that takes it, in the words of errors.
 */
export function givenQuery(
  value: unknown,
  { grammar, memory }: Pick<Source, "grammar" | "memory">,
  what: string,
  shown: Shown,
): Given | Problem {
  const builder = Builder.own(value);
  const statement = queryOffered(builder?.offered, value, what);
  const refuse = (message: string): Problem => ({ code: "INVALID_RELATION", message, path: "" });
  if (builder === undefined || typeof statement === "string") return refuse(String(statement));
  const { draft } = builder;
  if (draft.source.grammar !== grammar) return refuse(`${what} takes a query of the same dialect`);
  if (draft.source.memory !== memory) return refuse(`${what} takes a query of the same database`);
  return { query: new InnerQuery(statement, shown), draft, problems: draft.problems };
}

/** Whether the query can be taken. */
export function isGiven(given: Given | Problem): given is Given {
  return "query" in given;
}
