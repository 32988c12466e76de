/**
 * Collects SQL text and the places of its parameters, then writes both forms of the text from them. Names come
 * from the declaration and are quoted here; values never come near.
 */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar, OperatorForm } from "../dialect/grammar.js";
import { UnsupportedError } from "../errors.js";
import type { Binder } from "../value/binder.js";
import { type Layout, layoutOf, type Place } from "./layout.js";
import type { Output, Piece, Plan } from "./plan.js";

/** In what form a value goes to a placeholder: those that go in one form may share it. */
export interface Form {
  readonly operand: "value" | "list" | "pattern" | "count";
  readonly column: ColumnInfo | undefined;
}

interface Hole {
  readonly name: string;
  readonly binder: () => Binder;
  readonly form: Form | undefined;
}

interface OpenSlot {
  readonly name: string;
  readonly form: Form | undefined;
  readonly binders: (() => Binder)[];
}

/** A list that is written out in each call. */
interface OpenList {
  /** Where the test begins: in the text before which hole, and after how many characters of it. */
  readonly from: number;
  readonly offset: number;
  /** The hole of the list itself. */
  readonly at: number;
  readonly form: OperatorForm;
}

/** Writes one statement. */
export class Writer {
  readonly grammar: Grammar;
  #table: AnyTable;
  #layout: Layout;
  #compares = false;
  readonly #before: number;
  // `#texts[i]` stands before `#holes[i]`; the text after the last hole is `#tail`.
  readonly #texts: string[] = [];
  readonly #holes: Hole[] = [];
  #tail = "";
  #lists: OpenList[] | undefined;

  /** @param before how many placeholders stand before this text, where it is the end of a longer one. */
  constructor(table: AnyTable, grammar: Grammar, before = 0) {
    this.#before = before;
    this.grammar = grammar;
    this.#table = table;
    this.#layout = layoutOf(table, grammar);
  }

  /** The table whose fields are written. */
  get table(): AnyTable {
    return this.#table;
  }

  get layout(): Layout {
    return this.#layout;
  }

  /** Does something in another table, in the middle of this text. */
  inTable<T>(table: AnyTable, write: () => T): T {
    const outer = this.#table;
    this.#table = table;
    this.#layout = layoutOf(table, this.grammar);
    const result = write();
    this.#table = outer;
    this.#layout = layoutOf(outer, this.grammar);
    return result;
  }

  /** A checked field of the table. */
  place(field: string): Place {
    const { places, compared } = this.#layout;
    const place = (this.#compares ? compared.get(field) : undefined) ?? places.get(field);
    if (place === undefined) throw new TypeError(`field ${field} was not checked`);
    return place;
  }

  /** The text of a field such that equal values are equal there: what is grouped, told apart and ordered. */
  compared(field: string): string {
    return this.#layout.compared.get(field)?.name ?? this.place(field).name;
  }

  /** Writes fields as they are compared with each other, or as they stand in the table. */
  comparing<T>(write: () => T, compares = true): T {
    const outer = this.#compares;
    this.#compares = compares;
    const result = write();
    this.#compares = outer;
    return result;
  }

  /** Text of the grammar or of this package. */
  sql(text: string): this {
    this.#tail += text;
    return this;
  }

  /** Things of a list, separated. */
  each<T>(items: Iterable<T>, separator: string, write: (item: T) => void): this {
    let first = true;
    for (const item of items) {
      if (!first) this.sql(separator);
      first = false;
      write(item);
    }
    return this;
  }

  /**
   * The place of a parameter.
   * @param form places with one name and one form are one placeholder, where the dialect has such: a server infers
   * one type for it, so the value must be of one type and form in all of them.
   */
  param(name: string, binder: () => Binder, form?: Form): this {
    this.#texts.push(this.#tail);
    this.#holes.push({ name, binder, form });
    this.#tail = "";
    return this;
  }

  /**
   * A test whether something is in a list that is a parameter.
   * @param writeLeft writes what is looked for.
   * @param shared as for `param`.
   */
  list(writeLeft: () => void, form: OperatorForm, name: string, binder: () => Binder, shared?: Form): this {
    const begin = { from: this.#holes.length, offset: this.#tail.length };
    this.sql(form.open);
    writeLeft();
    this.sql(form.between);
    if (form.list !== undefined) {
      this.#lists ??= [];
      this.#lists.push({ ...begin, at: this.#holes.length, form });
    }
    return this.param(name, binder, shared).sql(form.close);
  }

  /**
   * The finished plan, with what comes back.
   * @throws {UnsupportedError} for more parameters than a statement takes.
   */
  finish(output: readonly Output[] = []): Plan {
    const { placeholder, sharesPlaceholders } = this.grammar;
    let named = "";
    let native = "";
    const slots: OpenSlot[] = [];
    const params: string[] = [];
    const slotOf: number[] = [];
    let i = 0;
    for (const hole of this.#holes) {
      const { name, binder, form } = hole;
      const text = this.#texts[i++] ?? "";
      const isNew = !params.includes(name);
      if (isNew) params.push(name);
      let at = isNew || !sharesPlaceholders ? -1 : slots.findIndex((slot) => shares(slot, hole));
      if (at >= 0) slots[at]?.binders.push(binder);
      else at = slots.push({ name, form, binders: [binder] }) - 1;
      slotOf.push(at);
      named += `${text}:${name}`;
      native += text + placeholder(this.#before + at + 1);
    }
    this.#checkNumber(slots.length);
    const names = slots.map(({ name }) => name);
    const rendered = {
      sql: named + this.#tail,
      params,
      native: { sql: native + this.#tail, params: names },
    };
    const table = this.#table;
    if (this.#lists === undefined) return { table, rendered, slots, output };
    return { table, rendered, slots, output, pieces: this.#pieces(this.#lists, slotOf) };
  }

  #checkNumber(params: number): void {
    const { dialect, maxParams } = this.grammar;
    if (params > maxParams)
      throw new UnsupportedError(
        dialect,
        `more than ${maxParams} parameters`,
        "give lists, or split the statement",
      );
  }

  /** The native text cut where its length is known only in a call. */
  #pieces(lists: readonly OpenList[], slotOf: readonly number[]): Piece[] {
    const pieces: Piece[] = [];
    const text = (hole: number) => this.#texts[hole] ?? this.#tail;
    const slot = (hole: number) => slotOf[hole] ?? 0;
    let hole = 0;
    // What of the next text belongs to the list before it.
    let cut = 0;
    const copyTo = (end: number, into: Piece[]) => {
      for (; hole < end; hole++) {
        into.push(text(hole).slice(cut), slot(hole));
        cut = 0;
      }
    };
    for (const { from, offset, at, form } of lists) {
      copyTo(from, pieces);
      pieces.push(text(hole).slice(cut, offset));
      cut = offset;
      const left: Piece[] = [];
      copyTo(at, left);
      left.push(text(at).slice(cut, -form.between.length));
      const { between, close, list } = form;
      const name = this.#holes[at]?.name ?? "";
      if (list !== undefined) pieces.push({ left, slot: slot(at), name, between, close, form: list });
      hole = at + 1;
      cut = close.length;
    }
    copyTo(this.#holes.length, pieces);
    pieces.push(this.#tail.slice(cut));
    return pieces;
  }
}

function shares(slot: OpenSlot, { name, form }: Hole): boolean {
  if (form === undefined || slot.name !== name || slot.form?.operand !== form.operand) return false;
  const [a, b] = [slot.form.column, form.column];
  return (
    a?.kind === b?.kind &&
    a?.storage.integer === b?.storage.integer &&
    a?.storage.item?.kind === b?.storage.item?.kind &&
    JSON.stringify(a?.type) === JSON.stringify(b?.type)
  );
}
