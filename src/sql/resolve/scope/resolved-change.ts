/** Resolved statements that change rows: their assignments, and the rows that they return. */
import type { AnyTable, ColumnInfo } from "../../declare/declaration.js";
import type {
  Field,
  Item,
  Layout,
  LeavesOut,
  ParameterPlace,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedQuery,
  ResolvedReading,
} from "./resolved.js";

/** An item of the returned rows of a change. */
export interface ReturnedItem extends Item {
  /** The type of its values: that of a column, or of an expression. */
  readonly stored: Pick<ColumnInfo, "storage" | "type">;
  /** Whether it is a large object, or made from one. */
  readonly isLarge: boolean;
}

export interface Assignment {
  readonly field: Field;
  readonly value: ResolvedExpression;
  /** The value for a statement that does not return the field: there an unreadable value is an error. */
  readonly unseen?: ResolvedExpression | undefined;
  /** A condition that the row must also meet, because otherwise there is no value. */
  readonly requires?: ResolvedCondition | undefined;
  /** Whether a rule of the table sets it, in every change. */
  readonly isOfRule?: true;
}

export interface ResolvedModify extends LeavesOut {
  readonly kind: "modify";
  readonly table: Layout;
  readonly assignments: readonly Assignment[];
  /** Whether an assignment may read a field that an earlier one sets. It must see the value before the update. */
  readonly readsAssigned: boolean;
  readonly where: readonly ResolvedCondition[];
  readonly gives: "rows" | "nothing";
  /** The items of the returned rows; undefined for all columns. */
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
  /** The items of the returned rows; undefined for all columns. */
  readonly returned: readonly ReturnedItem[] | undefined;
}

/** An insert; its columns depend on the record. */
export interface ResolvedInsert {
  readonly kind: "insert";
  readonly table: Layout;
  readonly conflict: ResolvedConflict | undefined;
  /** The items of the returned rows; undefined for all columns. */
  readonly returned: readonly ReturnedItem[] | undefined;
  /** The inserts inside it. */
  readonly nested?: readonly ResolvedNestedInsert[] | undefined;
}

/** An insert inside another: the relation between the rows of both. */
export interface ResolvedNestedInsert {
  readonly relation: string;
  readonly table: AnyTable;
  /** The fields of the insert around, and the fields of the table that are equal to them. */
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  readonly isMany: boolean;
  /** Whether its rows are stored before those around, whose fields they fill; else theirs are filled. */
  readonly isBefore: boolean;
  /** Whether a record may have none. */
  readonly mayBeMissing: boolean;
}

/** An insert of the rows of a query. */
export interface ResolvedInsertFrom extends LeavesOut {
  readonly table: Layout;
  readonly conflict: ResolvedConflict | undefined;
  readonly query: ResolvedQuery;
  /** The fields that get values, and the value of each from a row. */
  readonly fields: readonly Field[];
  readonly items: readonly Item[];
}

/** The action of an insert if a row with the same key exists. */
export interface ResolvedConflict {
  /** Without fields: any declared key. */
  readonly key: readonly Field[];
  /** The rows among which it is a key, if it is one of those that the filters of the table leave. */
  readonly among?: readonly ResolvedCondition[];
  readonly action: "nothing" | "update";
  /** The assignments of an update; undefined if they are the values of the record. */
  readonly set: readonly Assignment[] | undefined;
  /** The assignments of the rules of the table, after the others. */
  readonly ruled: readonly Assignment[];
  /** Whether an assignment may read a field that an earlier one sets. */
  readonly readsAssigned: boolean;
  /** The conditions that the existing row must meet to be updated. */
  readonly where: readonly ResolvedCondition[];
  /** Whether the update depends on the existing row: it has conditions or expressions. */
  readonly readsRow: boolean;
}

/** The conditions of a change of the rows of many records in one statement. */
export interface TogetherConditions {
  /** Those by which a row meets a record. */
  readonly key: readonly KeyCondition[];
  /** Those that are the same for all records. */
  readonly rest: readonly ResolvedCondition[];
}

/** A field that is equal to a value of a record. */
export interface KeyCondition {
  readonly field: Field;
  readonly value: ParameterPlace;
  readonly condition: ResolvedCondition;
}

/** A statement that changes existing rows. */
export type ResolvedChange = ResolvedModify | ResolvedRemove;

/** A statement whose text is the same in every call, except for omitted optional parts. */
export type ResolvedStatement = ResolvedReading | ResolvedChange;
