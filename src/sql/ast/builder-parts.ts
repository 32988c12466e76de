/** Parts of statements which no spec has: a spec from outside with one of them is refused. */
import type { AnyTable } from "../declare/declaration.js";
import { BuilderOnly } from "./builder-only.js";
import type { JoinKind } from "./spec.js";

/** A value inside a JSON field that is set: the steps to it, and its parameter; an untyped caller may have made both. */
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

  /** These and one more. */
  and(keys: unknown, param: unknown): SetPaths {
    const copy: unknown = Array.isArray(keys) ? Object.freeze([...keys]) : keys;
    return new SetPaths([...this.list, Object.freeze({ keys: copy, param })]);
  }
}

/** A value of a related row, which a field is set to. */
export class RelatedValue extends BuilderOnly {
  readonly what = "values of related rows that are set";
  /** The relation and their field, as the caller gave them. */
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

/** What the returned rows of a change hold: names of fields, and named expressions. */
export class ReturnedFields extends BuilderOnly {
  readonly what = "returned fields";
  readonly list: readonly unknown[];

  constructor(list: readonly unknown[]) {
    super();
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }
}

/** That a query is read page by page. */
export class PagePart extends BuilderOnly {
  readonly what = "pages";
  /** The rows of a page, as the caller gave them, and where, for errors. */
  readonly size: unknown;
  readonly place: "page" | "limit";
  /** The cursor that a spec has. */
  readonly after: string | undefined;

  constructor(size: unknown, place: PagePart["place"] = "page", after?: string) {
    super();
    this.size = size;
    this.place = place;
    this.after = after;
    Object.freeze(this);
  }
}

/** What a join by fields says. The fields are as the caller gave them. */
interface JoinedOn {
  readonly kind: JoinKind;
  readonly name: unknown;
  readonly table: AnyTable;
  /** A field of the statement so far. */
  readonly mine: unknown;
  /** The field of the table that is equal to it. */
  readonly theirs: unknown;
}

/** A table joined by two fields that are equal. */
export class JoinOn extends BuilderOnly {
  readonly what = "joins by fields";
  readonly of: JoinedOn;

  constructor(of: JoinedOn) {
    super();
    this.of = Object.freeze(of);
    Object.freeze(this);
  }
}
