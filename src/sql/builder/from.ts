/** Queries over queries: the builder whose table is a query. */
import { NO_CONSTANTS } from "../ast/given-node.js";
import { notShown } from "../ast/inner-query.js";
import type { QueryStatement } from "../ast/statement.js";
import { BuildError, type Problem } from "../words/errors.js";
import { isName, notName } from "../words/names.js";
import type { BuilderPlace, DraftSource } from "./draft/draft.js";
import { ReadingDraft } from "./draft/statement-draft.js";
import { givenQuery, isQueryGiven } from "./inner.js";
import { QueryBuilder } from "./query.js";
import { givenSource, NamedQuery } from "./source.js";

/** A database, as far as it identifies its own queries. */
type Database = Pick<DraftSource, "grammar" | "memory" | "place">;

/**
 * The builder over a query with a name.
 * @throws {BuildError} `INVALID_RELATION` for any other value, because a builder needs a table.
 */
export function queryFrom(value: unknown, database: Database, place: BuilderPlace): QueryBuilder {
  const source = givenSource(value, database, "from");
  if (!(source instanceof NamedQuery)) throw new BuildError([source]);
  const { draft: inner, name, table } = source;
  const on = () => {
    const { tables: _, ...rest } = inner.source;
    const of: DraftSource = { ...rest, table, tables: new Map(), place: database.place };
    const problems = [...inner.problems, ...faultOfName(name)];
    return new ReadingDraft<QueryStatement>(of, "query", {}, problems);
  };
  return inner.take({ key: source.key("from"), on }, place, NO_CONSTANTS, QueryBuilder);
}

/**
 * A query that a statement writes once, even if it uses the query several times.
 * @throws {BuildError} `INVALID_RELATION` for a value that is not a query of rows.
 */
export function queryOnce(name: string, value: unknown, database: Database): NamedQuery {
  const given = givenQuery(value, database, "with", notShown);
  if (!isQueryGiven(given)) throw new BuildError([given]);
  const { draft, query } = given;
  const { statement } = query;
  if (statement.kind === "query" || statement.kind === "select")
    return new NamedQuery(name, draft, statement, NO_CONSTANTS, {
      once: query.constants.length === 0 ? draft : {},
    });
  const message = `with takes a query of rows, and this is a ${statement.kind}`;
  throw new BuildError([{ code: "INVALID_RELATION", message, path: "" }]);
}

/** The options of a recursion. */
interface RecursionOptions {
  readonly maxDepth?: number;
  readonly depth?: string;
}

/**
 * A query as a table that begins with `start` and continues with the result of `step` for each level.
 * @throws {BuildError} `INVALID_RELATION` for a value that is not a query of rows, `INVALID_PARAM` for a maximum that
 * is not a number.
 */
export function recursion(
  name: string,
  start: unknown,
  step: unknown,
  options: unknown,
  database: Database,
): NamedQuery {
  const { maxDepth = 1_000, depth }: RecursionOptions = Object(options);
  const first = rowsOf(start, "the start of recursive", database);
  const refuse = (code: "INVALID_PARAM" | "INVALID_RELATION" | "INVALID_ALIAS", message: string) =>
    new BuildError([{ code, message, path: "recursive" }]);
  if (typeof step !== "function")
    throw refuse("INVALID_RELATION", "the step of recursive is a function, (self) => query");
  if (!Number.isSafeInteger(maxDepth) || maxDepth < 1 || maxDepth > MOST_LEVELS)
    throw refuse("INVALID_PARAM", `maxDepth must be a whole number from 1 to ${MOST_LEVELS}`);
  if (depth !== undefined && !isName(depth))
    throw refuse("INVALID_ALIAS", "depth must be a name: letters, digits and _, at most 63");
  const self = new NamedQuery(name, first.draft, first.statement, NO_CONSTANTS, { isSelf: true });
  const next = rowsOf(step(self), "the step of recursive", database);
  const more = { step: next.statement, self: self.table, maxDepth, depth };
  return new NamedQuery(name, first.draft, first.statement, NO_CONSTANTS, { once: {}, recursion: more });
}

// Every server accepts this number.
const MOST_LEVELS = 1_000_000;

function rowsOf(value: unknown, what: string, database: Database) {
  const given = givenQuery(value, database, what, notShown);
  if (!isQueryGiven(given)) throw new BuildError([given]);
  const { draft, query, problems } = given;
  const [first, ...others] = problems;
  if (first !== undefined) throw new BuildError([first, ...others]);
  const { statement } = query;
  if (statement.kind === "query") return { draft, statement };
  const message = `${what} takes a query of rows, and this is a ${statement.kind}`;
  throw new BuildError([{ code: "INVALID_RELATION", message, path: "" }]);
}

/** The problem of a query's name as a table. */
function faultOfName(name: unknown): readonly Problem[] {
  if (isName(name)) return [];
  return [{ code: "INVALID_ALIAS", message: notName(name, "a query"), path: "from" }];
}
