/**
 * Collects SQL text and the places of its parameters, then writes both forms of the text from them. Names come
 * from the declaration and are quoted here; values never come near.
 */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Plan, Slot } from "./plan.js";

/** Writes one statement. */
export class Writer {
  readonly grammar: Grammar;
  readonly table: AnyTable;
  // `#texts[i]` stands before `#slots[i]`; the text after the last slot is `#tail`.
  readonly #texts: string[] = [];
  readonly #slots: Slot[] = [];
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
    const { quote } = this.grammar;
    const { name, namespace } = this.table;
    return this.sql(namespace === undefined ? quote(name) : `${quote(namespace)}.${quote(name)}`);
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

  /** The place of a parameter. */
  param(slot: Slot): this {
    this.#texts.push(this.#tail);
    this.#slots.push(slot);
    this.#tail = "";
    return this;
  }

  /** The finished plan, with the columns that come back. */
  finish(output: readonly ColumnInfo[] = []): Plan {
    const { placeholder, sharesPlaceholders } = this.grammar;
    let named = "";
    let native = "";
    const bound: Slot[] = [];
    const positions = new Map<string, number>();
    this.#slots.forEach((slot, i) => {
      const text = this.#texts[i] ?? "";
      const key = sharesPlaceholders ? shareKey(slot) : "";
      let position = sharesPlaceholders ? positions.get(key) : undefined;
      if (position === undefined) {
        position = bound.push(slot);
        positions.set(key, position);
      }
      named += `${text}:${slot.name}`;
      native += text + placeholder(position);
    });
    const params = [...new Set(this.#slots.map((slot) => slot.name))];
    return {
      table: this.table,
      rendered: {
        sql: named + this.#tail,
        params,
        native: { sql: native + this.#tail, params: bound.map((slot) => slot.name) },
      },
      slots: bound,
      output,
    };
  }
}

// A server infers one type for a placeholder, so it is shared only where the value is used in the same way.
function shareKey({ name, use, column }: Slot): string {
  return `${name} ${use} ${column?.kind} ${column?.storage.integer} ${JSON.stringify(column?.type)}`;
}
