/** The scope of a statement: its tables and the meaning of names. Every look-up of a name uses a scope. */
import { listed, quoted } from "../../../core/errors.js";
import type { RelatedTables } from "../../ast/statement.js";
import type { AnyTable } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { comparedField, instant, layoutOf, ownAmong } from "./layout.js";
import type { Field, Item, Layout } from "./resolved.js";
import { unknownAmong } from "./unknown-field.js";
import { mayName, type Visible } from "./view.js";

/** The message for a name that is not a field. */
export function unknownField(name: unknown, table: AnyTable, visible?: Visible): string {
  const fields = listed(visible?.fields ?? Object.keys(table.columns));
  // A client's schema does not show the names of tables.
  const where = visible === undefined ? ` on table ${quoted(table.name)}` : "";
  return `unknown field ${quoted(name)}${where}; fields: ${fields}`;
}

/** A joined table. */
export interface JoinedTable {
  readonly name: string;
  /** The name before its fields. */
  readonly layout: Layout;
  /** The name of the joined table that leads to it; undefined if it is the own table. */
  readonly from: string | undefined;
  /** Whether one row of the table that leads to it may have several of its rows. */
  readonly isMany: boolean;
  /** Whether it is found through a table that may have several rows for one of ours and one of its. */
  readonly mayRepeat?: boolean | undefined;
  /** Says whether its row exists, if it may be missing. */
  readonly presence: Item | undefined;
  /** The names that a client may use in it. */
  readonly visible: Visible;
}

/** The joined tables of a statement by name. */
export type JoinedTables = ReadonlyMap<string, JoinedTable>;

const alone: JoinedTables = new Map();
const none: readonly string[] = [];

/** The parts of a scope. */
interface ScopeParts {
  /** The statement's own table. */
  readonly own: Layout;
  readonly joined?: JoinedTables;
  /** The tables that relations may lead to. */
  readonly tables?: RelatedTables | undefined;
  readonly visible?: Visible;
  /** Whether fields are written in their comparable form, or as they are stored. */
  readonly compares?: boolean;
  /** The fields of the proposed row, in the update of an upsert. */
  readonly proposed?: ReadonlyMap<string, Field> | undefined;
  /** The quoted names of the outer tables, for a query inside a statement. */
  readonly taken?: readonly string[];
  /** The number of outer queries, for a query inside a statement. */
  readonly depth?: number;
  /** Whether all dates are written in one form, whatever form their columns store. */
  readonly instants?: boolean;
}

/** The meaning of names in a statement. */
export class NameScope {
  /** The statement's own table. */
  readonly own: Layout;
  readonly joined: JoinedTables;
  readonly #parts: ScopeParts;
  readonly #isPlain: boolean;

  constructor(parts: ScopeParts) {
    this.own = parts.own;
    this.joined = parts.joined ?? alone;
    this.#parts = parts;
    this.#isPlain = parts.compares !== true && parts.instants !== true;
  }

  /** The fields of the proposed row, in the update of an upsert. */
  get proposed(): ReadonlyMap<string, Field> | undefined {
    return this.#parts.proposed;
  }

  /** The quoted names that no other table may have here. */
  get taken(): readonly string[] {
    return this.#parts.taken ?? none;
  }

  /** The number of outer queries. */
  get depth(): number {
    return this.#parts.depth ?? 0;
  }

  /** The tables that relations may lead to. */
  get tables(): RelatedTables | undefined {
    return this.#parts.tables;
  }

  /** Whether a client sent the statement as JSON. A client learns nothing that its schema does not show. */
  get isOfClient(): boolean {
    return this.#parts.visible !== undefined;
  }

  /** Whether a field of the own table may be named. */
  sees(property: string): boolean {
    return mayName(this.#parts.visible, property);
  }

  /** The names that may be used of the own table, or of a joined one. */
  visibleOf(joined: string | undefined): Visible {
    return joined === undefined ? this.#parts.visible : this.joined.get(joined)?.visible;
  }

  /** The field with a name; undefined if there is none. */
  field(name: unknown): Field | undefined {
    const field = typeof name === "string" ? this.#find(name) : undefined;
    return field === undefined || this.#isPlain ? field : this.#written(field);
  }

  #find(name: string): Field | undefined {
    const field = this.hidden(name);
    if (field === undefined || this.#parts.visible === undefined) return field;
    const joined = this.joinedTableOf(field);
    const property = joined === undefined ? name : name.slice(joined.length + 1);
    return mayName(this.visibleOf(joined), property) ? field : undefined;
  }

  /** The field with a name as it is stored, even if it may not be named here. */
  hidden(name: string): Field | undefined {
    const own = this.own.fields.get(name);
    if (own !== undefined || this.joined.size === 0) return own;
    const dot = name.indexOf(".");
    return dot < 0 ? undefined : this.joined.get(name.slice(0, dot))?.layout.fields.get(name.slice(dot + 1));
  }

  /** The name of a field's joined table; undefined for the own table. */
  joinedTableOf({ column: { property } }: Field): string | undefined {
    return this.own.fields.has(property) ? undefined : property.slice(0, property.indexOf("."));
  }

  #written(field: Field): Field {
    if (this.#parts.instants === true) return instant(field);
    return this.#parts.compares === true ? comparedField(field) : field;
  }

  /** The fields that `*` or `name.*` stands for; undefined for any other name. */
  allOf(name: string): readonly Field[] | undefined {
    if (name === "*") {
      const all = [...this.own.fields.values()].filter(({ column }) => this.sees(column.property));
      return all.map((field) => this.#written(field));
    }
    // A client must name each field.
    const isWhole = name.endsWith(".*") && this.#parts.visible === undefined;
    const joined = isWhole ? this.joined.get(name.slice(0, -2)) : undefined;
    return joined && [...joined.layout.fields.values()].map((field) => this.#written(field));
  }

  /** All fields of the own table. */
  fields(): readonly Field[] {
    const all = [...this.own.fields.values()];
    return this.#parts.compares === true ? all.map(comparedField) : all;
  }

  /** Whether all fields are written as they are stored. */
  get takesAll(): boolean {
    return this.#parts.compares !== true || !this.own.comparesOtherwise;
  }

  /** The message for a name that is not a field here. */
  unknown(name: unknown): string {
    const { table } = this.own;
    return unknownAmong(name, this) ?? unknownField(name, table, this.#parts.visible);
  }

  /** The scope of another statement, for the same client. */
  over(
    { table, tables }: { readonly table: AnyTable; readonly tables?: RelatedTables | undefined },
    grammar: Grammar,
    compares: boolean,
  ): NameScope {
    const { visible } = this.#parts;
    return new NameScope({ own: layoutOf(table, grammar), tables, visible, compares });
  }

  /** The scope of a query inside the statement. Its table has a name that no outer table has. */
  inside(
    { table, tables }: { readonly table: AnyTable; readonly tables?: RelatedTables | undefined },
    grammar: Grammar,
    visible: Visible,
  ): NameScope {
    const taken = this.qualifiers(grammar);
    const own = ownAmong(layoutOf(table, grammar), taken, grammar);
    return new NameScope({ own, tables, taken, visible, depth: this.depth + 1 });
  }

  /** The scope of a query inside the statement that does not read the statement's fields. */
  apart(
    { table, tables }: { readonly table: AnyTable; readonly tables?: RelatedTables | undefined },
    grammar: Grammar,
  ): NameScope {
    return new NameScope({ own: layoutOf(table, grammar), tables, depth: this.depth + 1 });
  }

  /** The quoted names of its tables, and of the outer tables. */
  qualifiers({ quote }: Grammar): readonly string[] {
    const layouts = [this.own, ...[...this.joined.values()].map(({ layout }) => layout)];
    return [...this.taken, ...layouts.map(({ qualifier, table }) => qualifier ?? quote(table.name))];
  }

  /** A field of the statement in a query inside it. */
  fromInside(field: Field, { quote }: Grammar): Field {
    if (this.own.qualifier !== undefined) return field;
    const name = `${quote(this.own.table.name)}.${field.name}`;
    return { ...field, name, sql: name };
  }

  /** The same scope with joined tables. The own table then has another layout. */
  joining(own: Layout, joined: JoinedTables): NameScope {
    return new NameScope({ ...this.#parts, own, joined });
  }

  /** The same scope, with its fields in their comparable form, or as they are stored. */
  comparing(compares: boolean): NameScope {
    const isSame =
      compares === (this.#parts.compares === true) || !this.#some((one) => one.comparesOtherwise);
    return isSame ? this : new NameScope({ ...this.#parts, compares, instants: false });
  }

  /** The same scope, with its fields as they are stored. */
  get asStored(): NameScope {
    return this.#isPlain ? this : new NameScope({ ...this.#parts, compares: false, instants: false });
  }

  /**
   * The scope of an upsert's update: the existing row, and the proposed one.
   * @param qualifier the name of the existing row, if a field needs it.
   */
  ofUpsert(qualifier: string | undefined): NameScope {
    const { fields: proposed } = this.own;
    if (qualifier === undefined) return new NameScope({ ...this.#parts, proposed });
    const qualified = (field: Field) => {
      const sql = `${qualifier}.${field.name}`;
      return { ...field, name: sql, sql };
    };
    const fields = new Map([...proposed].map(([property, field]) => [property, qualified(field)]));
    return new NameScope({ ...this.#parts, own: { ...this.own, fields }, proposed });
  }

  /** The same scope, with all dates in one form. */
  get ofInstants(): NameScope {
    const isSame = this.#parts.instants === true || !this.#some(({ dates }) => dates.length > 0);
    return isSame ? this : new NameScope({ ...this.#parts, instants: true });
  }

  #some(holds: (layout: Layout) => boolean): boolean {
    if (holds(this.own)) return true;
    return this.joined.size > 0 && [...this.joined.values()].some(({ layout }) => holds(layout));
  }
}
