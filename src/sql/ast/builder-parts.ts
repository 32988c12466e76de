/** Parts of statements that no spec has. A spec from outside that contains one is refused. */
import type { AnyTable } from "../declare/declaration.js";
import { BuilderOnly } from "./builder-only.js";
import { namesGiven } from "./copy.js";
import type { JoinKind } from "./spec.js";

/** A value that is set inside a JSON field: its path and its parameter, both possibly made by an untyped caller. */
export interface SetPath {
  readonly keys: unknown;
  readonly param: unknown;
}

/** The values inside a JSON field that are set. */
export class SetPaths extends BuilderOnly {
  readonly what = "values inside JSON that are set";
  readonly list: readonly SetPath[];

  constructor(list: readonly SetPath[]) {
    super();
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }

  /** The values with one more. */
  and(keys: unknown, param: unknown): SetPaths {
    return new SetPaths([...this.list, Object.freeze({ keys: namesGiven(keys), param })]);
  }
}

/** A value of a related row that a field is set to. */
export class RelatedValue extends BuilderOnly {
  readonly what = "values of related rows that are set";
  /** The relation and the field of the related row, as the caller gave them. */
  readonly relation: unknown;
  readonly theirs: unknown;

  constructor(relation: unknown, theirs: unknown) {
    super();
    this.relation = relation;
    this.theirs = theirs;
    Object.freeze(this);
  }
}

/** The conditions that the existing row of an upsert must meet. */
export class ConflictConditions extends BuilderOnly {
  readonly what = "conditions of an upsert";
  readonly list: readonly object[];

  constructor(list: readonly object[]) {
    super();
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }
}

/** The contents of the returned rows of a change: names of fields, and named expressions. */
export class ReturnedFields extends BuilderOnly {
  readonly what = "returned fields";
  readonly list: readonly unknown[];

  constructor(list: readonly unknown[]) {
    super();
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }
}

/** A query that is read page by page. */
export class PagePart extends BuilderOnly {
  readonly what = "pages";
  /** The number of rows of a page, as the caller gave it, and its path for errors. */
  readonly size: unknown;
  readonly place: "page" | "limit";
  /** The cursor of a spec. */
  readonly after: string | undefined;

  constructor(size: unknown, place: PagePart["place"] = "page", after?: string) {
    super();
    this.size = size;
    this.place = place;
    this.after = after;
    Object.freeze(this);
  }
}

/** The treatment of rows without a match. Specs know the first two. */
export type TableJoin = JoinKind | "right" | "full";

/** The parts of a join by fields. The fields are as the caller gave them. */
interface JoinedOn {
  readonly kind: TableJoin;
  readonly name: unknown;
  readonly table: AnyTable;
  /** A field of the statement so far. */
  readonly mine: unknown;
  /** The field of the table that is equal to it. */
  readonly theirs: unknown;
}

/** A table that is joined by two equal fields. */
export class JoinOn extends BuilderOnly {
  readonly what = "joins by fields";
  readonly of: JoinedOn;

  constructor(of: JoinedOn) {
    super();
    this.of = Object.freeze({ ...of, mine: namesGiven(of.mine), theirs: namesGiven(of.theirs) });
    Object.freeze(this);
  }
}

/** The records of another table that stand in the records of an insert. */
export interface NestedInsert {
  /** The relation, as the caller gave it. */
  readonly relation: unknown;
  /** The insert that stores them; undefined for one of the whole table. */
  readonly insert: NestedStatement | undefined;
}

/** An insert inside another. */
interface NestedStatement {
  readonly table: AnyTable;
  readonly spec: Readonly<Record<string, unknown>>;
  /** The statement as its builder keeps it. */
  readonly draft: object;
}

/** The inserts inside an insert. */
export class NestedInserts extends BuilderOnly {
  readonly what = "nested inserts";
  readonly list: readonly NestedInsert[];
  /** How many levels of them there are. */
  readonly levels: number;

  constructor(list: readonly NestedInsert[]) {
    super();
    this.list = Object.freeze([...list]);
    const inside = list.map(({ insert }) => NestedInserts.own(insert?.spec["with"])?.levels ?? 0);
    this.levels = 1 + Math.max(0, ...inside);
    Object.freeze(this);
  }
}

/** The parts of a join by a condition, which is as the caller gave it. */
interface JoinedWhere {
  readonly kind: TableJoin;
  readonly name: unknown;
  readonly table: AnyTable;
  readonly condition: unknown;
}

/** A table that is joined by a condition. */
export class JoinWhere extends BuilderOnly {
  readonly what = "joins by conditions";
  readonly of: JoinedWhere;

  constructor(of: JoinedWhere) {
    super();
    this.of = Object.freeze(of);
    Object.freeze(this);
  }
}

/** The parts of a join of a relation that keeps rows of its table without ours. */
interface JoinedOuter {
  readonly kind: "right" | "full";
  readonly relation: unknown;
  readonly as: unknown;
}

/** A relation that is joined so that the rows of its table are kept. */
export class OuterJoin extends BuilderOnly {
  readonly what = "right and full joins";
  readonly of: JoinedOuter;

  constructor(of: JoinedOuter) {
    super();
    this.of = Object.freeze(of);
    Object.freeze(this);
  }
}
