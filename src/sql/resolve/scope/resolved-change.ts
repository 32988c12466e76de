/** Resolved statements that change rows: what they set, which rows they return. */
import type { ColumnInfo } from "../../declare/declaration.js";
import type {
  Field,
  Item,
  Layout,
  LeavesOut,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedQuery,
  ResolvedReading,
} from "./resolved.js";

/** An item of the rows of a change that come back. */
export interface ReturnedItem extends Item {
  /** Its values: those of a column, or of an expression. */
  readonly stored: Pick<ColumnInfo, "storage" | "type">;
  /** Whether it is a large object, or made of one. */
  readonly isLarge: boolean;
}

export interface Assignment {
  readonly field: Field;
  readonly value: ResolvedExpression;
  /** The same for a statement that does not give the field back: there a value that could not be read is an error. */
  readonly unseen?: ResolvedExpression | undefined;
  /** The further condition that a row must meet, or there is no such value. */
  readonly requires?: ResolvedCondition | undefined;
}

export interface ResolvedModify extends LeavesOut {
  readonly kind: "modify";
  readonly table: Layout;
  readonly assignments: readonly Assignment[];
  /** Whether an assignment may read a field that one before it sets: it must see the value before the update. */
  readonly readsAssigned: boolean;
  readonly where: readonly ResolvedCondition[];
  readonly gives: "rows" | "nothing";
  /** What the rows hold that come back; undefined for all columns. */
  readonly returned: readonly ReturnedItem[] | undefined;
  /** How the rows are identified, if the update does not return them. */
  readonly known: KnownRows | undefined;
}

/**
 * How the rows of an update are identified: `conditions` if these fix one row by a key that the update keeps,
 * otherwise `key`, whose values are read before the update.
 */
export type KnownRows =
  | { readonly by: "conditions" }
  | { readonly by: "key"; readonly key: readonly Field[] };

export interface ResolvedRemove extends LeavesOut {
  readonly kind: "remove";
  readonly table: Layout;
  readonly where: readonly ResolvedCondition[];
  readonly gives: "rows" | "nothing";
  /** What the rows hold that come back; undefined for all columns. */
  readonly returned: readonly ReturnedItem[] | undefined;
}

/** An insert; its columns depend on the record. */
export interface ResolvedInsert {
  readonly kind: "insert";
  readonly table: Layout;
  readonly conflict: ResolvedConflict | undefined;
  /** What the rows hold that come back; undefined for all columns. */
  readonly returned: readonly ReturnedItem[] | undefined;
}

/** An insert of the rows of a query. */
export interface ResolvedInsertFrom extends LeavesOut {
  readonly table: Layout;
  readonly conflict: ResolvedConflict | undefined;
  readonly query: ResolvedQuery;
  /** The fields that get values, and what each of them gets of a row. */
  readonly fields: readonly Field[];
  readonly items: readonly Item[];
}

/** The action of an insert if a row with the same key exists. */
export interface ResolvedConflict {
  /** Without fields: any declared key. */
  readonly key: readonly Field[];
  readonly action: "nothing" | "update";
  /** The assignments of an update; undefined if they are the values of the record. */
  readonly set: readonly Assignment[] | undefined;
  /** Whether an assignment may read a field that one before it sets. */
  readonly readsAssigned: boolean;
  /** The conditions that the existing row must meet to be updated. */
  readonly where: readonly ResolvedCondition[];
  /** Whether the update depends on the existing row: it has conditions or expressions. */
  readonly readsRow: boolean;
}

/** A statement that changes existing rows. */
export type ResolvedChange = ResolvedModify | ResolvedRemove;

/** A statement whose text is the same in every call, except for omitted optional parts. */
export type ResolvedStatement = ResolvedReading | ResolvedChange;
