/** Collects SQL text and the places of its parameters, then writes both forms of the text. It never sees values. */
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar, InUtc, OperatorForm } from "../dialect/grammar/grammar.js";
import type {
  Form,
  Membership,
  Nested,
  ParameterPlace,
  Proposed,
  Subquery,
  Within,
} from "../resolve/scope/resolved.js";
import type { ParameterConstant } from "../resolve/scope/resolved-parameter.js";
import type { Binder } from "../value/binder.js";
import type { Output } from "../value/output.js";
import { UnsupportedError } from "../words/errors.js";
import type { Piece, Plan } from "./plan.js";

interface OpenSlot {
  readonly name: string;
  readonly constant: ParameterConstant | undefined;
  readonly sets: string | undefined;
  readonly form: Form | undefined;
  readonly binders: (() => Binder)[];
}

/** A list that is written in each call. */
interface OpenList {
  /** Where the test begins: the index of the hole after the text, and the offset in that text. */
  readonly from: number;
  readonly offset: number;
  /** The hole of the list itself. */
  readonly at: number;
  readonly form: OperatorForm;
  readonly within: Within | undefined;
}

type WriteInner = (writer: Writer, query: Subquery["query"] | Nested) => void;

/** Writes one statement. */
export class Writer {
  readonly grammar: Grammar;
  /** The table of the statement. */
  readonly table: AnyTable;
  readonly #before: number;
  readonly #writeInner: WriteInner;
  // `#texts[i]` comes before `#holes[i]`; the text after the last hole is `#tail`.
  readonly #texts: string[] = [];
  readonly #holes: ParameterPlace[] = [];
  #tail = "";
  #lists: OpenList[] | undefined;
  #calculated: string[] | undefined;

  /** Whether the text collects all values of groups in one value, which may be long. */
  needsLongText = false;

  /** Whether its rows contain nested rows, which may be long, too. */
  nests = false;

  /** Whether a table other than the statement's own has dates that the server would use in the zone of the session. */
  inUtc: InUtc | undefined;

  /** Whether the server must know a time zone by its name. */
  zoned = false;

  /** How deep a recursion in it may go. */
  levels: number | undefined;

  /** The number of queries around this one, each in a condition of the next. */
  depth = 0;

  /** Writes the value that an upsert proposes for a field. */
  proposed: ((value: Proposed) => void) | undefined;

  /**
   * The text of a value of a record, if the statement has a table of records; otherwise the value has a placeholder.
   * @param isCast whether the text casts it to a type.
   */
  carry: ((parameter: ParameterPlace, isCast: boolean) => string) | undefined;

  /**
   * @param table the table of the statement, for errors and events.
   * @param writeInner writes a query inside the statement.
   * @param before the number of placeholders before this text, if it is the end of a longer one.
   */
  constructor(table: AnyTable, grammar: Grammar, writeInner: WriteInner, before: number) {
    this.#before = before;
    this.#writeInner = writeInner;
    this.grammar = grammar;
    this.table = table;
  }

  /** Notes that a field gets a calculated value. */
  calculates(property: string): void {
    this.#calculated ??= [];
    this.#calculated.push(property);
  }

  /** The number of parameters in the text so far. */
  get places(): number {
    return this.#holes.length;
  }

  /** Text of the grammar or of this package. */
  sql(text: string): this {
    this.#tail += text;
    return this;
  }

  /** The items of a list with separators. */
  each<T>(items: Iterable<T>, separator: string, write: (item: T) => void): this {
    let first = true;
    for (const item of items) {
      if (!first) this.sql(separator);
      first = false;
      write(item);
    }
    return this;
  }

  /** A query in parentheses. */
  inner(query: Subquery["query"] | Nested): this {
    this.sql("(");
    this.#writeInner(this, query);
    return this.sql(")");
  }

  /** A query in parentheses that a condition searches for rows or values. */
  sought(query: Subquery["query"]): this {
    this.depth++;
    const { mostSought = this.depth } = this.grammar;
    if (this.depth <= mostSought) this.inner(query);
    else
      this.sql("(SELECT * FROM ")
        .inner(query)
        .sql(` ${this.grammar.quote("rows")})`);
    this.depth--;
    return this;
  }

  /** Two queries in parentheses whose rows form one list. */
  unionAll(query: Subquery["query"], other: Subquery["query"]): this {
    this.sql("(");
    this.#writeInner(this, query);
    this.sql(" UNION ALL ");
    this.#writeInner(this, other);
    return this.sql(")");
  }

  /** The place of a parameter. */
  param(parameter: ParameterPlace): this {
    const [before = "", after = ""] = parameter.template?.split("{0}") ?? [];
    this.sql(before);
    if (this.carry === undefined) return this.#hole(parameter).sql(after);
    return this.sql(this.carry(parameter, this.#tail.endsWith("CAST("))).sql(after);
  }

  #hole(parameter: ParameterPlace): this {
    this.#texts.push(this.#tail);
    this.#holes.push(parameter);
    this.#tail = "";
    return this;
  }

  /**
   * A test whether an expression is in a list that is a parameter.
   * @param writeLeft writes the expression.
   */
  list(writeLeft: () => void, { form, list, within }: Pick<Membership, "form" | "list" | "within">): this {
    const begin = { from: this.#holes.length, offset: this.#tail.length };
    this.sql(form.open);
    writeLeft();
    this.sql(form.between);
    if (form.list !== undefined || within !== undefined) {
      this.#lists ??= [];
      this.#lists.push({ ...begin, at: this.#holes.length, form, within });
    }
    // The text around a value is that of each item.
    return this.#hole(list).sql(form.close);
  }

  /**
   * The finished plan, with the returned columns.
   * @throws {UnsupportedError} for more parameters than a statement can have.
   */
  finish(output: readonly Output[] = []): Plan {
    const { placeholder, sharesPlaceholders } = this.grammar;
    let named = "";
    let native = "";
    const slots: OpenSlot[] = [];
    const params = new Set<string>();
    const slotOf: number[] = [];
    // By name: a statement may have tens of thousands.
    const open = new Map<string, number[]>();
    let i = 0;
    const constants = new Constants(this.#holes);
    for (const hole of this.#holes) {
      const { binder, form, sets, constant } = hole;
      const name = constants.nameOf(hole);
      const text = this.#texts[i++] ?? "";
      if (constant === undefined) params.add(name);
      const alike = open.get(name) ?? [];
      const known = sharesPlaceholders ? alike.find((at) => shares(slots[at], form)) : undefined;
      const at = known ?? slots.push({ name, constant, sets, form, binders: [] }) - 1;
      slots[at]?.binders.push(binder);
      if (known === undefined) open.set(name, [...alike, at]);
      slotOf.push(at);
      named += `${text}:${name}`;
      native += text + placeholder(this.#before + at + 1);
    }
    this.#checkNumber(slots.length);
    this.#checkFunctions(native + this.#tail);
    const names = slots.map(({ name, constant }) => (constant === undefined ? name : null));
    const rendered = {
      sql: named + this.#tail,
      params: [...params],
      native: { sql: native + this.#tail, params: names },
      ...(constants.values === undefined ? {} : { constants: constants.values }),
    };
    const { table } = this;
    const givesRows = output.length > 0;
    const plan = {
      table,
      rendered,
      slots,
      ...(constants.holes === undefined ? {} : { holes: constants.holes }),
      givesRows,
      output,
      ...(this.needsLongText || this.nests ? { needsLongText: true } : {}),
      ...(this.nests ? { nests: true } : {}),
      ...(this.levels === undefined ? {} : { levels: this.levels }),
      ...(this.zoned ? { zoned: true } : {}),
      ...(this.inUtc === undefined ? {} : { inUtc: this.inUtc }),
      ...(this.#calculated === undefined ? {} : { calculated: this.#calculated }),
    };
    return this.#lists === undefined ? plan : { ...plan, pieces: this.#pieces(this.#lists, slotOf) };
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

  #checkFunctions(sql: string): void {
    const { dialect, unregistered } = this.grammar;
    const feature = unregistered?.(sql);
    if (feature !== undefined)
      throw new UnsupportedError(dialect, `${feature} with this driver`, "it cannot register functions");
  }

  /** The native text, split at the parts whose length is known only in a call. */
  #pieces(lists: readonly OpenList[], slotOf: readonly number[]): Piece[] {
    const pieces: Piece[] = [];
    const text = (hole: number) => this.#texts[hole] ?? this.#tail;
    const slot = (hole: number) => slotOf[hole] ?? 0;
    let hole = 0;
    // The part of the next text that belongs to the list before it.
    let cut = 0;
    // In the order of their starts: the expression that a list tests may contain another list.
    const inOrder = [...lists].sort((a, b) => a.from - b.from || a.offset - b.offset || b.at - a.at);
    let next = 0;
    const copyText = (end: number, into: Piece[]) => {
      for (; hole < end; hole++) {
        into.push(text(hole).slice(cut), slot(hole));
        cut = 0;
      }
    };
    const copyTo = (end: number, into: Piece[]) => {
      for (let open = inOrder[next]; open !== undefined && open.at < end; open = inOrder[next]) {
        const { from, offset, at, form, within } = open;
        next++;
        copyText(from, into);
        into.push(text(hole).slice(cut, offset));
        cut = offset;
        const left: Piece[] = [];
        copyTo(at, left);
        left.push(text(at).slice(cut, -form.between.length));
        const { between, close, list } = form;
        const { name = "", form: compared, template } = this.#holes[at] ?? {};
        const storage = compared?.column?.storage;
        into.push({ left, slot: slot(at), name, storage, template, between, close, form: list, within });
        hole = at + 1;
        cut = close.length;
      }
      copyText(end, into);
    };
    copyTo(this.#holes.length, pieces);
    pieces.push(this.#tail.slice(cut));
    return pieces;
  }
}

/** The names of the constants of a statement. None is the name of a parameter, and equal constants share one name. */
class Constants {
  values: Record<string, unknown> | undefined;
  /** The positions of the constants of the builder. */
  holes: Record<string, number> | undefined;
  readonly #holes: readonly ParameterPlace[];
  #next = 1;

  constructor(holes: readonly ParameterPlace[]) {
    this.#holes = holes;
  }

  /** The name of a parameter, or of a constant. */
  nameOf({ name, constant }: ParameterPlace): string {
    if (constant === undefined) return name;
    if ("hole" in constant) {
      this.holes ??= {};
      return this.#nameIn(this.holes, constant.hole, Object.is);
    }
    this.values ??= {};
    return this.#nameIn(this.values, constant.value, isSame);
  }

  #nameIn<T>(known: Record<string, T>, given: T, areSame: (one: T, other: T) => boolean): string {
    for (const [name, other] of Object.entries(known)) if (areSame(given, other)) return name;
    let own = "";
    do own = `value_${this.#next++}`;
    while (this.#holes.some((hole) => hole.name === own));
    known[own] = given;
    return own;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  return Object.is(one, other);
}

function shares(slot: OpenSlot | undefined, form: Form | undefined): boolean {
  if (form === undefined || slot?.form?.operand !== form.operand) return false;
  if (slot.form.beside !== form.beside) return false;
  const [a, b] = [slot.form.column, form.column];
  return (
    a?.kind === b?.kind &&
    a?.storage.integer === b?.storage.integer &&
    a?.storage.scale === b?.storage.scale &&
    a?.storage.item?.kind === b?.storage.item?.kind &&
    JSON.stringify(a?.type) === JSON.stringify(b?.type)
  );
}
