/**
 * The members of an insert that an insert around it needs: the record, the stored row, the parameters and the table.
 * They are under one symbol, as those of queries are.
 */
import type { ZodType } from "zod";
import type { AnyModel } from "../model.js";
import type { AnyParam } from "../params.js";

/** The key under which the schema of a record keeps the type of its insert; a type only. */
export declare const recorded: unique symbol;

/** The Zod object of a record, with the type of its insert for inserts around it. One member costs less than two. */
export type RecordSchema<I, Inside> = ZodType<I, I> & { readonly [recorded]: Inside };

/** The type of an insert for one around it. */
export interface InsertInside<out I, out R, out P, out M extends AnyModel> {
  readonly record: I;
  readonly row: R;
  readonly params: P;
  readonly table: M["table"];
  readonly dialect: M["dialect"];
}

/** The same of an insert that may find a row in its place, which none can nest. */
export interface UpsertInside<out I, out R, out P, out M extends AnyModel> extends InsertInside<I, R, P, M> {
  readonly mayConflict: true;
}

/** An insert of the table that a relation leads to. */
export interface RelatedInsert<Name, D> {
  readonly insertSchema: {
    readonly [recorded]: {
      readonly record: object;
      readonly row: object;
      readonly params: AnyParam;
      readonly table: Name;
      readonly dialect: D;
      readonly mayConflict?: never;
    };
  };
}

/** No insert: one of all fields. It fits wherever an insert does. */
export interface WholeRecords {
  readonly insertSchema: {
    readonly [recorded]: {
      readonly record: never;
      readonly row: never;
      readonly params: never;
      readonly table: never;
      readonly dialect: never;
      readonly mayConflict?: never;
    };
  };
}

/** An insert as far as one around it looks at it. */
export interface Holding {
  readonly insertSchema: { readonly [recorded]: { readonly record: unknown; readonly row: unknown } };
}

/** What an insert gives to one around it. */
export type InsideOf<Q extends Holding> = Q["insertSchema"][typeof recorded];
