/**
 * Collects SQL text and the places of its parameters, then writes both forms of the text from them. Values never come
 * near.
 */
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar, OperatorForm } from "../dialect/grammar.js";
import type { Form, Parameter } from "../resolve/resolved.js";
import type { Binder } from "../value/binder.js";
import type { Output } from "../value/output.js";
import { UnsupportedError } from "../words/errors.js";
import type { Piece, Plan } from "./plan.js";

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
  readonly #table: AnyTable;
  readonly #before: number;
  // `#texts[i]` stands before `#holes[i]`; the text after the last hole is `#tail`.
  readonly #texts: string[] = [];
  readonly #holes: Parameter[] = [];
  #tail = "";
  #lists: OpenList[] | undefined;

  /**
   * @param table the one that the statement is about, for errors and events.
   * @param before how many placeholders stand before this text, where it is the end of a longer one.
   */
  constructor(table: AnyTable, grammar: Grammar, before = 0) {
    this.#before = before;
    this.grammar = grammar;
    this.#table = table;
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

  /** The place of a parameter. */
  param(parameter: Parameter): this {
    this.#texts.push(this.#tail);
    this.#holes.push(parameter);
    this.#tail = "";
    return this;
  }

  /**
   * A test whether something is in a list that is a parameter.
   * @param writeLeft writes what is looked for.
   */
  list(writeLeft: () => void, form: OperatorForm, list: Parameter): this {
    const begin = { from: this.#holes.length, offset: this.#tail.length };
    this.sql(form.open);
    writeLeft();
    this.sql(form.between);
    if (form.list !== undefined) {
      this.#lists ??= [];
      this.#lists.push({ ...begin, at: this.#holes.length, form });
    }
    return this.param(list).sql(form.close);
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
      const { name = "", form: compared } = this.#holes[at] ?? {};
      const storage = compared?.column?.storage;
      if (list !== undefined)
        pieces.push({ left, slot: slot(at), name, storage, between, close, form: list });
      hole = at + 1;
      cut = close.length;
    }
    copyTo(this.#holes.length, pieces);
    pieces.push(this.#tail.slice(cut));
    return pieces;
  }
}

function shares(slot: OpenSlot, { name, form }: Parameter): boolean {
  if (form === undefined || slot.name !== name || slot.form?.operand !== form.operand) return false;
  const [a, b] = [slot.form.column, form.column];
  return (
    a?.kind === b?.kind &&
    a?.storage.integer === b?.storage.integer &&
    a?.storage.item?.kind === b?.storage.item?.kind &&
    JSON.stringify(a?.type) === JSON.stringify(b?.type)
  );
}
