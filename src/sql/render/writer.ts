/**
 * Collects SQL text and the places of its parameters, then writes both forms of the text from them. Names come
 * from the declaration and are quoted here; values never come near.
 */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { qualifiedName } from "../dialect/names.js";
import type { Binder } from "../value/binder.js";
import type { Output, Plan, Slot } from "./plan.js";

interface Hole {
  readonly name: string;
  readonly binder: Binder;
  readonly share: string | undefined;
}

/** Writes one statement. */
export class Writer {
  readonly grammar: Grammar;
  readonly table: AnyTable;
  // `#texts[i]` stands before `#holes[i]`; the text after the last hole is `#tail`.
  readonly #texts: string[] = [];
  readonly #holes: Hole[] = [];
  #tail = "";

  constructor(table: AnyTable, grammar: Grammar) {
    this.table = table;
    this.grammar = grammar;
  }

  /** Text of the grammar or of this package. */
  sql(text: string): this {
    this.#tail += text;
    return this;
  }

  /** The table's name, with its SQL schema. */
  target(): this {
    return this.sql(qualifiedName(this.table, this.grammar));
  }

  /** A column's name. */
  column(column: ColumnInfo): this {
    return this.sql(this.grammar.quote(column.name));
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
   * @param share places with one name and one `share` are one placeholder, where the dialect has such: a server
   * infers one type for it, so the value must be of one type and form in all of them.
   */
  param(name: string, binder: Binder, share?: string): this {
    this.#texts.push(this.#tail);
    this.#holes.push({ name, binder, share });
    this.#tail = "";
    return this;
  }

  /** The finished plan, with what comes back. */
  finish(output: readonly Output[] = []): Plan {
    const { placeholder, sharesPlaceholders } = this.grammar;
    let named = "";
    let native = "";
    const slots: (Slot & { readonly binders: Binder[] })[] = [];
    const positions = new Map<string, number>();
    this.#holes.forEach(({ name, binder, share }, i) => {
      const text = this.#texts[i] ?? "";
      const key = sharesPlaceholders && share !== undefined ? `${name} ${share}` : undefined;
      let position = key === undefined ? undefined : positions.get(key);
      if (position === undefined) {
        position = slots.push({ name, binders: [binder] });
        if (key !== undefined) positions.set(key, position);
      } else slots[position - 1]?.binders.push(binder);
      named += `${text}:${name}`;
      native += text + placeholder(position);
    });
    return {
      table: this.table,
      rendered: {
        sql: named + this.#tail,
        params: [...new Set(this.#holes.map(({ name }) => name))],
        native: { sql: native + this.#tail, params: slots.map(({ name }) => name) },
      },
      slots,
      output,
    };
  }
}
