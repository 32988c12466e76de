/** A query inside a statement: of a builder, which a spec can hold as far as `shown` says, or of a spec. */
import type { Problem } from "../words/errors.js";
import { BuilderOnly } from "./builder-only.js";
import type {
  AggregateStatement,
  CompoundStatement,
  QueryStatement,
  SelectStatement,
  Statement,
} from "./statement.js";

/** A statement that can stand inside another. */
export type InnerStatement = SelectStatement | QueryStatement | CompoundStatement | AggregateStatement;

/** What a builder is to conditions and expressions, which know no builders. */
export interface Offered {
  readonly statement: Statement;
  /** Tells its database from all others. */
  readonly database: object;
  /** What is wrong with it, found while it was written. */
  readonly problems: readonly Problem[];
  /** Tells it from all others whose steps have keys, where it is one of them. */
  readonly id: number | undefined;
  /** What was written so far, for the builders around. */
  readonly draft: object;
}

/** What offers a query: a builder. */
export abstract class HasQuery {
  // A proxy does not have private members, so it cannot pass for one of ours.
  readonly #mark = true;

  abstract get offered(): Offered;

  /** The value as one of ours, that of all rows for a repository; undefined for anything else. */
  static own(value: unknown): HasQuery | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    return #mark in value ? value : RowsOfTable.own(value)?.allRows;
  }
}

/** What stands for the query of all of its rows, wherever a query is taken: a repository. */
export abstract class RowsOfTable {
  readonly #mark = true;

  abstract get allRows(): HasQuery;

  /** The value as one of ours; undefined for anything else. */
  static own(value: unknown): RowsOfTable | undefined {
    return typeof value === "object" && value !== null && #mark in value ? value : undefined;
  }
}

/** What a spec holds in place of a query; undefined if it cannot hold it. */
export type Shown = (statement: InnerStatement) => unknown;

/** Nothing: a spec cannot hold the query. */
export const notShown: Shown = () => undefined;

/** The conditions of a query that has nothing else that counts, as a spec of `exists` holds them. */
export function onlyConditions({ table, spec }: InnerStatement): unknown {
  // A spec does not hold the scope of a query, without which it would find more.
  if (table.fixed !== undefined) return undefined;
  const { where = [], fields, order_by, ...rest }: Readonly<Record<string, unknown>> = { ...spec };
  return Object.values(rest).every((part) => part === undefined) ? where : undefined;
}

/** The query and the name of its table in the module, as a spec of a list of values holds it. */
export function withTable(statement: InnerStatement): unknown {
  if (statement.kind !== "query") return undefined;
  const { table, tables, spec } = statement;
  for (const [name, one] of tables ?? []) if (one === table) return { ...spec, table: name };
  return undefined;
}

/** The query of a builder inside the statement of another. */
export class InnerQuery extends BuilderOnly {
  readonly what = "queries inside others";
  readonly statement: InnerStatement;
  /** What tells whether it is of the same database; absent where that was checked. */
  readonly offered: Offered | undefined;
  readonly #shown: Shown;

  constructor(statement: InnerStatement, shown: Shown, offered?: Offered) {
    super();
    this.statement = statement;
    this.offered = offered;
    this.#shown = shown;
    Object.freeze(this);
  }

  override get shown(): unknown {
    return this.#shown(this.statement);
  }
}

/** The query that a builder counts, for the parameters of what does not count in it. */
export class CountedQuery extends BuilderOnly {
  readonly what = "queries that are counted";
  readonly statement: QueryStatement;

  constructor(statement: QueryStatement) {
    super();
    this.statement = statement;
    Object.freeze(this);
  }
}

/** What stands in the place of a query and is none. */
export class NoQuery extends BuilderOnly {
  readonly what = "queries inside others";
  readonly message: string;

  constructor(message: string) {
    super();
    this.message = message;
    Object.freeze(this);
  }
}

/** What the rows of another query are found by: a field of the statement, and one of theirs that is equal to it. */
export class RowsOn extends BuilderOnly {
  readonly what = "rows by fields";
  readonly rows: InnerQuery | NoQuery;
  readonly mine: unknown;
  readonly theirs: unknown;

  constructor(rows: InnerQuery | NoQuery, mine: unknown, theirs: unknown) {
    super();
    this.rows = rows;
    this.mine = mine;
    this.theirs = theirs;
    Object.freeze(this);
  }
}
