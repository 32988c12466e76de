/**
 * Writes the lists of a call with a placeholder for each item, in dialects where a list is not one parameter. A
 * list is padded with its last item to one of a few lengths, which does not change its meaning: so the number of
 * texts, which servers and drivers keep prepared, stays small.
 */

import { quoted } from "../../core/errors.js";
import type { DriverRequest } from "../contract/driver.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar, ListTable } from "../dialect/grammar.js";
import { placedIn } from "../dialect/value-codec.js";
import type { ListPiece, Piece } from "../render/plan.js";
import { ParameterError } from "../words/errors.js";

/** Longer lists are padded to a multiple of this, shorter ones to a power of two. */
const FILL = 1_024;

/** The text and the values of one call. */
type WrittenOut = Pick<DriverRequest, "sql" | "params">;

/**
 * Assembles a text.
 * @param values the encoded value of each slot; that of a list is an array, whose items may be rows of values.
 * @throws {ParameterError} for the longest list, if there are more parameters than a statement can have.
 */
export function writtenOut(
  pieces: readonly Piece[],
  values: readonly unknown[],
  table: Pick<AnyTable, "name">,
  grammar: Grammar,
): WrittenOut {
  const filled = new Text(values, grammar, true);
  filled.write(pieces);
  if (filled.params.length <= grammar.maxParams) return filled;
  const exact = new Text(values, grammar, false);
  exact.write(pieces);
  if (exact.params.length <= grammar.maxParams) return exact;
  const { listTable } = grammar;
  if (listTable !== undefined) {
    const tables = new Text(values, grammar, false, listTable);
    tables.write(pieces);
    if (tables.params.length <= grammar.maxParams)
      return { sql: listTable.statement(tables.sql), params: tables.params };
  }
  const { dialect, maxParams } = grammar;
  const name = longest(pieces, values);
  const message = `parameter ${quoted(name)}: ${dialect} takes at most ${maxParams} values in one statement, not ${exact.params.length}`;
  throw new ParameterError("PARAM_TYPE", name, table.name, message);
}

class Text implements WrittenOut {
  sql = "";
  readonly params: unknown[] = [];
  readonly #values: readonly unknown[];
  readonly #grammar: Grammar;
  readonly #fills: boolean;
  // The placeholder of a slot that has been written, if one may be used in several places.
  readonly #written = new Map<number, string>();

  readonly #listTable: ListTable | undefined;

  constructor(values: readonly unknown[], grammar: Grammar, fills: boolean, listTable?: ListTable) {
    this.#listTable = listTable;
    this.#values = values;
    this.#grammar = grammar;
    this.#fills = fills;
  }

  write(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (typeof piece === "string") this.sql += piece;
      else if (typeof piece === "number") this.sql += this.#slot(piece);
      else this.#list(piece, listOf(this.#values[piece.slot]));
    }
  }

  #list({ left, between, close, form, storage, template }: ListPiece, list: readonly unknown[]): void {
    const { empty, most, joint } = form;
    if (list.length === 0) {
      this.sql += empty;
      return;
    }
    if (this.#listTable !== undefined && list.length > FILL && !list.some(Array.isArray)) {
      const { before, after, value } = this.#listTable.list(list, storage);
      this.write(left);
      this.sql += between + before + this.#value(value) + after + close;
      return;
    }
    const isLong = list.length > most;
    if (isLong) this.sql += "(";
    for (let from = 0; from < list.length; from += most) {
      if (from > 0) this.sql += joint;
      this.write(left);
      const items = list.slice(from, from + most);
      this.sql += between + this.#items(this.#fills ? filledUp(items, most) : items, template) + close;
    }
    if (isLong) this.sql += ")";
  }

  #items(items: readonly unknown[], template: string | undefined): string {
    const texts = items.map((item) =>
      Array.isArray(item)
        ? `(${item.map((value) => this.#value(value)).join(", ")})`
        : placedIn(template, this.#value(item)),
    );
    return texts.join(", ");
  }

  #slot(index: number): string {
    const written = this.#written.get(index);
    if (written !== undefined) return written;
    const placeholder = this.#value(this.#values[index]);
    if (this.#grammar.sharesPlaceholders) this.#written.set(index, placeholder);
    return placeholder;
  }

  #value(value: unknown): string {
    return this.#grammar.placeholder(this.params.push(value));
  }
}

function filledUp(items: readonly unknown[], most: number): readonly unknown[] {
  const { length } = items;
  const wanted = length > FILL ? Math.ceil(length / FILL) * FILL : 2 ** Math.ceil(Math.log2(length));
  const missing = Math.min(wanted, most) - length;
  return missing <= 0 ? items : [...items, ...Array<unknown>(missing).fill(items[length - 1])];
}

function longest(pieces: readonly Piece[], values: readonly unknown[]): string {
  let name = "";
  let most = -1;
  for (const piece of pieces) {
    if (typeof piece !== "object") continue;
    const { length } = listOf(values[piece.slot]);
    if (length <= most) continue;
    name = piece.name;
    most = length;
  }
  return name;
}

// The binder of a list returns an array.
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
