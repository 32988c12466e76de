/** A query inside a statement, from a spec or a builder. `shown` gives the part that a spec can hold. */
import type { AnyTable } from "../declare/declaration.js";
import type { Problem } from "../words/errors.js";
import { leavesRules } from "../words/rules.js";
import { BuilderOnly } from "./builder-only.js";
import { namesGiven } from "./copy.js";
import { type ConstantNode, type GivenMap, type GivenNode, NO_CONSTANTS } from "./given-node.js";
import { mapGiven } from "./map-given.js";
import type {
  AggregateStatement,
  CompoundStatement,
  QueryStatement,
  SelectStatement,
  Statement,
} from "./statement.js";

/** A statement that can be used inside another. */
export type InnerStatement = SelectStatement | QueryStatement | CompoundStatement | AggregateStatement;

/** A builder as conditions and expressions see it; they do not know builders. */
export interface Offered {
  readonly statement: Statement;
  /** Identifies its database. */
  readonly database: object;
  /** The problems that were found while it was written. */
  readonly problems: readonly Problem[];
  /** Identifies it among the drafts whose steps have keys, if it is one of them. */
  readonly id: number | undefined;
  /** The statement so far, for the outer builders. */
  readonly draft: object;
  /** The constants of its holes. */
  readonly constants: readonly ConstantNode[];
}

/** A value that offers a query: a builder. */
export abstract class HasQuery {
  // A proxy does not have private members, so it cannot pass for one of ours.
  readonly #mark = true;

  abstract get offered(): Offered;

  /** The value as one of ours, for a repository the query of all its rows; undefined for any other value. */
  static own(value: unknown): HasQuery | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    return #mark in value ? value : RowsOfTable.own(value)?.allRows;
  }
}

/** A query with a name, as other places see it; they do not know builders. */
export interface OfferedTable extends Offered {
  readonly name: string;
  /** The query as a table. */
  readonly table: AnyTable;
}

/** A value that offers a query with a name: what `as` gives. */
export abstract class HasTable {
  readonly #mark = true;

  abstract get offered(): OfferedTable;

  /** The value as one of ours; undefined for any other value. */
  static ownTable(value: unknown): HasTable | undefined {
    return typeof value === "object" && value !== null && #mark in value ? value : undefined;
  }
}

/** A value that stands for the query of all its rows wherever a query is accepted: a repository. */
export abstract class RowsOfTable {
  readonly #mark = true;

  abstract get allRows(): HasQuery;

  /** The value as one of ours; undefined for any other value. */
  static own(value: unknown): RowsOfTable | undefined {
    return typeof value === "object" && value !== null && #mark in value ? value : undefined;
  }
}

/** The form that a spec holds in place of a query; undefined if it cannot hold it. */
export type Shown = (statement: InnerStatement) => unknown;

/** Undefined: a spec cannot hold the query. */
export const notShown: Shown = () => undefined;

/** The conditions of a query without other relevant parts, in the form that a spec of `exists` holds. */
export function onlyConditions({ table, spec }: InnerStatement): unknown {
  // A spec does not hold the scope of a query, nor which rules it leaves out, and would find more rows without it.
  if (table.fixed !== undefined || leavesRules(table)) return undefined;
  const { where = [], fields, order_by, ...rest }: Readonly<Record<string, unknown>> = { ...spec };
  return Object.values(rest).every((part) => part === undefined) ? where : undefined;
}

/** The query and the name of its table in the module, in the form that a spec of a list of values holds. */
export function withTable(statement: InnerStatement): unknown {
  if (statement.kind !== "query") return undefined;
  const { table, tables, spec } = statement;
  for (const [name, one] of tables ?? []) if (one === table) return { ...spec, table: name };
  return undefined;
}

/** The query of a builder inside the statement of another builder. */
export class InnerQuery extends BuilderOnly {
  readonly what = "queries inside others";
  /** Checks that it has the same database; absent if that was already checked. */
  readonly offered: Offered | undefined;
  readonly #shown: Shown;
  readonly #statement: InnerStatement;
  // What fills the holes of the statement: constants, or places in the statement around it.
  readonly #given: readonly GivenNode[];
  #filled: InnerStatement | undefined;

  constructor(
    statement: InnerStatement,
    shown: Shown,
    offered?: Offered,
    given: readonly GivenNode[] = NO_CONSTANTS,
  ) {
    super();
    this.offered = offered;
    this.#statement = statement;
    this.#shown = shown;
    this.#given = given;
    Object.freeze(this);
  }

  get statement(): InnerStatement {
    this.#filled ??= withGiven(this.#statement, this.#given);
    return this.#filled;
  }

  override get shown(): unknown {
    return this.#shown(this.statement);
  }

  override get constants(): readonly ConstantNode[] {
    return this.#given.filter((node) => node.kind === "constant");
  }

  override mapped(map: GivenMap): InnerQuery {
    return new InnerQuery(this.#statement, this.#shown, this.offered, this.#given.map(map));
  }
}

/** A statement with constants, or other places, in its holes. */
export function withGiven<S extends Statement>(statement: S, given: readonly GivenNode[]): S {
  if (given.length === 0) return statement;
  return mapGiven(statement, (node) => (node.kind === "hole" ? (given[node.index] ?? node) : node));
}

/** The query that a builder counts. It supplies the parameters of the parts that do not affect the count. */
export class CountedQuery extends BuilderOnly {
  readonly what = "queries that are counted";
  readonly statement: QueryStatement;

  constructor(statement: QueryStatement) {
    super();
    this.statement = statement;
    Object.freeze(this);
  }
}

/** A value in the place of a query that is not a query. */
export class NoQuery extends BuilderOnly {
  readonly what = "queries inside others";
  readonly message: string;

  constructor(message: string) {
    super();
    this.message = message;
    Object.freeze(this);
  }
}

/** How the rows of another query are found: a field of the statement equals a field of these rows. */
export class RowsOn extends BuilderOnly {
  readonly what = "rows by fields";
  readonly rows: InnerQuery | NoQuery;
  readonly mine: unknown;
  readonly theirs: unknown;

  constructor(rows: InnerQuery | NoQuery, mine: unknown, theirs: unknown) {
    super();
    this.rows = rows;
    this.mine = namesGiven(mine);
    this.theirs = namesGiven(theirs);
    Object.freeze(this);
  }

  override get constants(): readonly ConstantNode[] | undefined {
    return this.rows.constants;
  }

  override mapped(map: GivenMap): RowsOn {
    return new RowsOn(mapGiven(this.rows, map), this.mine, this.theirs);
  }
}

/** The parts of rows that are found by a condition. */
interface FoundWhere {
  /** A query with a name; of nested rows the query, which has the name of these. */
  readonly rows: OfferedTable | InnerQuery | NoQuery;
  /** The condition as the caller gave it. It names their fields `name.field`. */
  readonly condition: unknown;
}

/** How the rows of another query are found: a condition over fields of the statement and of these rows. */
export class RowsWhere extends BuilderOnly {
  readonly what = "rows by conditions";
  readonly of: FoundWhere;

  constructor(of: FoundWhere) {
    super();
    this.of = Object.freeze(of);
    Object.freeze(this);
  }

  // The condition keeps its constants: a step with such a condition is not kept.
  override get constants(): readonly ConstantNode[] | undefined {
    return BuilderOnly.isOne(this.of.rows) ? this.of.rows.constants : undefined;
  }

  override mapped(map: GivenMap): RowsWhere {
    const { rows } = this.of;
    return BuilderOnly.isOne(rows) ? new RowsWhere({ ...this.of, rows: mapGiven(rows, map) }) : this;
  }
}
