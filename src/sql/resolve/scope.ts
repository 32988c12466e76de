/** The scope of a statement: its tables and the meaning of names. Every look-up of a name uses a scope. */
import { listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { compared, instant, layoutOf } from "./layout.js";
import type { Field, Layout } from "./resolved.js";

/** The fields of a table that a client may name; undefined for all. */
export type Visible = ReadonlySet<string> | undefined;

/** The message for a name that is not a field. */
export function unknownField(name: unknown, table: AnyTable, visible?: Visible): string {
  const fields = listed(visible ?? Object.keys(table.columns));
  return `unknown field ${quoted(name)} on table ${quoted(table.name)}; fields: ${fields}`;
}

/** The meaning of names in a statement. */
export class Scope {
  /** The statement's own table. */
  readonly own: Layout;
  readonly #visible: Visible;
  readonly #compares: boolean;
  readonly #instants: boolean;

  /** The fields of the proposed row, in the update of an upsert. */
  readonly proposed: ReadonlyMap<string, Field> | undefined;

  /**
   * @param compares whether fields are written in their comparable form, or as they are stored.
   * @param instants whether all dates are written in one form, whatever their columns keep.
   */
  constructor(
    own: Layout,
    visible: Visible,
    compares = false,
    proposed?: ReadonlyMap<string, Field>,
    instants = false,
  ) {
    this.proposed = proposed;
    this.own = own;
    this.#visible = visible;
    this.#compares = compares;
    this.#instants = instants;
  }

  /** Whether a field of the own table may be named. */
  sees(property: string): boolean {
    return this.#visible === undefined || this.#visible.has(property);
  }

  /** The field with a name; undefined if there is none. */
  field(name: unknown): Field | undefined {
    const field = typeof name === "string" && this.sees(name) ? this.own.fields.get(name) : undefined;
    if (field === undefined) return undefined;
    if (this.#instants) return instant(field);
    return this.#compares ? compared(field) : field;
  }

  /** All fields of the own table. */
  fields(): readonly Field[] {
    const all = [...this.own.fields.values()];
    return this.#compares ? all.map(compared) : all;
  }

  /** Whether all fields are written as they are stored. */
  get takesAll(): boolean {
    return !this.#compares || !this.own.comparesOtherwise;
  }

  /** The message for a name that is not a field here. */
  unknown(name: unknown): string {
    return unknownField(name, this.own.table, this.#visible);
  }

  /** The scope of another table, for the same client. */
  over(table: AnyTable, grammar: Grammar, compares: boolean): Scope {
    return new Scope(layoutOf(table, grammar), this.#visible, compares);
  }

  /** The same scope, with its fields in their comparable form, or as they are stored. */
  comparing(compares: boolean): Scope {
    const isSame = compares === this.#compares || !this.own.comparesOtherwise;
    return isSame ? this : new Scope(this.own, this.#visible, compares, this.proposed);
  }

  /**
   * The scope of the update of an upsert: the existing row, beside the proposed one.
   * @param qualifier the name of the existing row, if a field needs it.
   */
  ofUpsert(qualifier: string | undefined): Scope {
    const { fields } = this.own;
    if (qualifier === undefined) return new Scope(this.own, this.#visible, this.#compares, fields);
    const qualified = (field: Field) => {
      const sql = `${qualifier}.${field.name}`;
      return { ...field, name: sql, sql };
    };
    const stored = new Map([...fields].map(([property, field]) => [property, qualified(field)]));
    return new Scope({ ...this.own, fields: stored }, this.#visible, this.#compares, fields);
  }

  /** The same scope, with all dates in one form. */
  get ofInstants(): Scope {
    const isSame = this.#instants || this.own.dates.length === 0;
    return isSame ? this : new Scope(this.own, this.#visible, this.#compares, this.proposed, true);
  }
}
