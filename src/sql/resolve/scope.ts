/** The scope of a statement: its tables, and what names mean in it. Whoever asks what a name is asks a scope. */
import { listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { compared, layoutOf } from "./layout.js";
import type { Field, Layout } from "./resolved.js";

/** The fields of a table that a client may name; undefined where they are all. */
export type Visible = ReadonlySet<string> | undefined;

/** What is said of a name that is no field. */
export function unknownField(name: unknown, table: AnyTable, visible?: Visible): string {
  const fields = listed(visible ?? Object.keys(table.columns));
  return `unknown field ${quoted(name)} on table ${quoted(table.name)}; fields: ${fields}`;
}

/** What names mean in a statement. */
export class Scope {
  /** The statement's own table. */
  readonly own: Layout;
  readonly #visible: Visible;
  readonly #compares: boolean;

  /** @param compares whether fields are written as they are compared with each other, or as they are stored. */
  constructor(own: Layout, visible: Visible, compares = false) {
    this.own = own;
    this.#visible = visible;
    this.#compares = compares;
  }

  /** Whether a field of the own table may be named. */
  sees(property: string): boolean {
    return this.#visible === undefined || this.#visible.has(property);
  }

  /** The field of a name; undefined for anything else. */
  field(name: unknown): Field | undefined {
    const field = typeof name === "string" && this.sees(name) ? this.own.fields.get(name) : undefined;
    return field !== undefined && this.#compares ? compared(field) : field;
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

  /** What is said of a name that is no field here. */
  unknown(name: unknown): string {
    return unknownField(name, this.own.table, this.#visible);
  }

  /** The scope of another table, seen by the same client. */
  over(table: AnyTable, grammar: Grammar, compares: boolean): Scope {
    return new Scope(layoutOf(table, grammar), this.#visible, compares);
  }

  /** The same scope, with its fields written as they are compared, or as they are stored. */
  comparing(compares: boolean): Scope {
    const isSame = compares === this.#compares || !this.own.comparesOtherwise;
    return isSame ? this : new Scope(this.own, this.#visible, compares);
  }
}
