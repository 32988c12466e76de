/** A query inside a statement: of a builder, which a spec can hold as far as `shown` says, or of a spec. */
import { BuilderOnly } from "./builder-only.js";
import type { AggregateStatement, CompoundStatement, QueryStatement, SelectStatement } from "./statement.js";

/** A statement that can stand inside another. */
export type InnerStatement = SelectStatement | QueryStatement | CompoundStatement | AggregateStatement;

/** The query of a builder inside the statement of another. */
export class InnerQuery extends BuilderOnly {
  readonly what = "queries inside others";
  readonly statement: InnerStatement;
  readonly #shown: unknown;

  /** @param shown what a spec holds in its place; undefined if a spec cannot hold it. */
  constructor(statement: InnerStatement, shown: unknown) {
    super();
    this.statement = statement;
    this.#shown = shown;
    Object.freeze(this);
  }

  override get shown(): unknown {
    return this.#shown;
  }

  /** The value as one of ours; undefined for anything else. */
  static own(value: unknown): InnerQuery | undefined {
    return BuilderOnly.isOne(value) && value instanceof InnerQuery ? value : undefined;
  }
}

/** What the rows of another query are found by: a field of the statement, and one of theirs that is equal to it. */
export class RowsOn extends BuilderOnly {
  readonly what = "rows by fields";
  readonly rows: InnerQuery;
  readonly mine: unknown;
  readonly theirs: unknown;

  constructor(rows: InnerQuery, mine: unknown, theirs: unknown) {
    super();
    this.rows = rows;
    this.mine = mine;
    this.theirs = theirs;
    Object.freeze(this);
  }

  /** The value as one of ours; undefined for anything else. */
  static own(value: unknown): RowsOn | undefined {
    return BuilderOnly.isOne(value) && value instanceof RowsOn ? value : undefined;
  }
}
