/** A rendered statement that is ready to be called. */
import type { AnyTable } from "../declare/declaration.js";
import type { OutVariable } from "../dialect/grammar.js";
import type { Piece, Plan, RenderedStatement, Slot } from "../render/plan.js";
import type { Binder } from "../value/binder.js";
import type { Output } from "../value/output.js";
import type { Command, Reading } from "./command.js";
import { type Row, type RowDecoder, rowDecoder } from "./decode.js";

/** A statement with everything that a call of it needs; binders and decoder are made at the first call. */
export class Prepared<S extends RenderedStatement = Plan> implements Command {
  readonly plan: S;
  readonly table: AnyTable;
  readonly sql: string;
  readonly bigints: boolean;
  readonly pieces: readonly Piece[] | undefined;
  readonly into: readonly OutVariable[] | undefined;
  readonly output: readonly Output[];
  /** Its result as rows. */
  readonly allRows: Reading<Row[]> = {
    givesRows: true,
    isJudged: () => this.isDoubted,
    read: ({ rows }) => {
      const decode = this.#decoder();
      const read = rows.map((values) => decode(values));
      if (read.length > 0) this.#hasRead = true;
      return read;
    },
    tell: ({ length }) => ({ rowsReturned: length }),
  };
  #places: readonly Place[] | undefined;
  #decodeRow: RowDecoder | undefined;
  #hasRead = false;

  constructor(plan: S) {
    this.plan = plan;
    this.table = plan.table;
    this.sql = plan.rendered.native.sql;
    this.pieces = plan.pieces;
    this.into = plan.into;
    this.output = plan.output;
    this.bigints = plan.output.some(({ kind }) => kind === "bigint");
  }

  /** Whether a change must be undone where its rows cannot be read, which may be so. */
  get isDoubted(): boolean {
    const { doubt } = this.plan;
    return doubt === "always" || (doubt === "first" && !this.#hasRead);
  }

  /** The values behind the placeholders, in their order. */
  bind(params: Readonly<Record<string, unknown>>): unknown[] {
    this.#places ??= this.plan.slots.map(placeOf);
    const values: unknown[] = [];
    for (const { name, bind, checks } of this.#places) {
      const given = params[name];
      values.push(bind(given));
      // The other uses would give the same value: they are called for what they refuse.
      if (checks !== undefined) for (const check of checks) check(given);
    }
    return values;
  }

  /** A row as the schema says. */
  decodeRow(values: readonly unknown[]): Row {
    return this.#decoder()(values);
  }

  #decoder(): RowDecoder {
    this.#decodeRow ??= rowDecoder(this.table, this.output);
    return this.#decodeRow;
  }
}

/** What stands behind one placeholder, ready to be called. */
interface Place {
  readonly name: string;
  readonly bind: Binder;
  /** The binders of the other uses of the placeholder, where there are others. */
  readonly checks: readonly Binder[] | undefined;
}

function placeOf({ name, binders }: Slot): Place {
  const [bind = unbound, ...checks] = binders.map((make) => make());
  return { name, bind, checks: checks.length === 0 ? undefined : checks };
}

function unbound(): never {
  throw new TypeError("a placeholder has no binder");
}
