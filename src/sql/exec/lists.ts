/**
 * Writes the lists of a call with a placeholder for each item, in dialects where a list is not one parameter, and the
 * ranges around lists of dates. A list is padded with its last item to one of a few lengths, which does not change its
 * meaning. This keeps the number of texts small, because servers and drivers keep them prepared.
 */

import { quoted } from "../../core/errors.js";
import type { DriverRequest } from "../contract/driver.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar, ListForm } from "../dialect/grammar/grammar.js";
import { placedIn } from "../dialect/grammar/value-codec.js";
import type { ListPiece, Piece, Within } from "../render/plan.js";
import { ParameterError } from "../words/errors.js";
import { rangesAround } from "./date-ranges.js";

/** Longer lists are padded to a multiple of this, shorter ones to a power of two. */
const FILL = 1_024;

/** The maximum number of ranges of a list. In a longer list, dates that are near each other share one. */
const MOST_RANGES = 64;

/** The text and the values of one call. */
type WrittenOut = Pick<DriverRequest, "sql" | "params">;

/** The placeholders of a range. */
type WrittenRange = readonly [low: string, high: string];

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
  const filled = new Text(values, grammar, "filled");
  filled.write(pieces);
  if (filled.params.length <= grammar.maxParams) return filled;
  const exact = new Text(values, grammar, "exact");
  exact.write(pieces);
  if (exact.params.length <= grammar.maxParams) return exact;
  const { listTable, dialect, maxParams } = grammar;
  const shortest = new Text(values, grammar, "shortest");
  shortest.write(pieces);
  if (shortest.params.length <= maxParams)
    return { sql: listTable?.statement(shortest.sql) ?? shortest.sql, params: shortest.params };
  const name = longest(pieces, values);
  const message = `parameter ${quoted(name)}: ${dialect} takes at most ${maxParams} values in one statement, not ${shortest.params.length}`;
  throw new ParameterError("PARAM_TYPE", name, table.name, message);
}

/**
 * How lists are written: `filled` up to one of a few lengths, `exact` with their own items only, or `shortest` with as
 * few parameters as the dialect allows.
 */
type Way = "filled" | "exact" | "shortest";

class Text implements WrittenOut {
  sql = "";
  readonly params: unknown[] = [];
  readonly #values: readonly unknown[];
  readonly #grammar: Grammar;
  readonly #way: Way;
  // The placeholders of a slot that was written, if one may be used in several places: of its value, and of the ranges
  // of its dates.
  readonly #written = new Map<number, string>();
  readonly #ranges = new Map<number, readonly WrittenRange[]>();

  constructor(values: readonly unknown[], grammar: Grammar, way: Way) {
    this.#values = values;
    this.#grammar = grammar;
    this.#way = way;
  }

  write(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (typeof piece === "string") this.sql += piece;
      else if (typeof piece === "number") this.sql += this.#slot(piece);
      else this.#membership(piece, listOf(this.#values[piece.slot]));
    }
  }

  #membership(piece: ListPiece, list: readonly unknown[]): void {
    const { within, form } = piece;
    const isWithin = within !== undefined && list.length > 0 && this.#way !== "shortest";
    if (isWithin) this.sql += "(";
    if (form !== undefined) this.#list(piece, form, list);
    else {
      this.write(piece.left);
      this.sql += piece.between + this.#slot(piece.slot) + piece.close;
    }
    if (isWithin) this.sql += ` AND ${this.#within(within, piece.slot, list)})`;
  }

  /** Tests whether the dates are in the ranges of the list, in parentheses if there are several ranges. */
  #within({ field, first, last }: Within, slot: number, list: readonly unknown[]): string {
    const ranges = this.#rangesOf(slot, list).map(
      ([low, high]) => `${field} BETWEEN ${placedIn(first, low)} AND ${placedIn(last, high)}`,
    );
    return ranges.length === 1 ? ranges.join() : `(${ranges.join(" OR ")})`;
  }

  #rangesOf(slot: number, list: readonly unknown[]): readonly WrittenRange[] {
    const written = this.#ranges.get(slot);
    if (written !== undefined) return written;
    const ranges = rangesAround(list, MOST_RANGES);
    const filled = this.#way === "filled" ? filledUp(ranges, MOST_RANGES) : ranges;
    const placeholders = filled.map(([low, high]): WrittenRange => [this.#value(low), this.#value(high)]);
    if (this.#grammar.sharesPlaceholders) this.#ranges.set(slot, placeholders);
    return placeholders;
  }

  #list(piece: ListPiece, form: ListForm, list: readonly unknown[]): void {
    const { left, between, close, storage, template } = piece;
    const { empty, most, joint } = form;
    if (list.length === 0) {
      this.sql += empty;
      return;
    }
    const listTable = this.#way === "shortest" ? this.#grammar.listTable : undefined;
    if (listTable !== undefined && list.length > FILL && !list.some(Array.isArray)) {
      const { before, after, value } = listTable.list(list, storage);
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
      this.sql +=
        between + this.#items(this.#way === "filled" ? filledUp(items, most) : items, template) + close;
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

function filledUp<T>(items: readonly T[], most: number): readonly T[] {
  const { length } = items;
  const wanted = length > FILL ? Math.ceil(length / FILL) * FILL : 2 ** Math.ceil(Math.log2(length));
  const missing = Math.min(wanted, most) - length;
  return missing <= 0 ? items : [...items, ...Array<T>(missing).fill(items[length - 1] as T)];
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
