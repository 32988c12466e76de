/** Pages of a query from a spec. */
import { describeType } from "../../core/errors.js";
import type { QuerySpec } from "../ast/spec.js";
import type { QueryStatement } from "../ast/statement.js";
import type { DraftSource } from "../builder/draft/draft.js";
import { PageBuilder, pagesOf } from "../builder/page.js";
import { foreignSpec } from "../specs/foreign.js";
import type { Problem } from "../words/errors.js";

/** The pages of a spec: its limit is their size. */
export function pageOfSpec(source: DraftSource, given: unknown): PageBuilder {
  const [{ limit, after, ...rest }, found] = foreignSpec<QuerySpec>(given);
  const problems: Problem[] = [...found];
  if (limit === undefined && found.length === 0) {
    const message = "a page needs a limit, which is its size";
    problems.push({ code: "INVALID_SPEC", message, path: "limit" });
  }
  if (after !== undefined && typeof after !== "string") {
    const message = `after must be the next of a page, not ${describeType(after)}`;
    problems.push({ code: "INVALID_SPEC", message, path: "after" });
  }
  // A page has its own key, which the builder sets.
  if ("page" in rest) problems.push({ code: "INVALID_SPEC", message: 'unknown key "page"', path: "page" });
  // The spec is not trusted: resolving it finds its problems.
  const spec = rest as QueryStatement["spec"];
  return new PageBuilder(pagesOf({ source, spec, problems }, limit ?? 1, "limit", after), source.place);
}
