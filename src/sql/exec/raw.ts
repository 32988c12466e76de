/** A text of the caller: its parameters, and the outputs of its rows. Each call makes a request from it. */
import { describeType, listed, quoted } from "../../core/errors.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Output } from "../value/output.js";
import { type BoundScalar, boundScalar } from "../value/scalar.js";
import { BuildError, DeclarationError, ParameterError } from "../words/errors.js";
import { itemsOf } from "../words/lists.js";
import { type Named, parseNamed, type Written, writeNamed } from "./named.js";
import { type CallParams, checkNames } from "./params.js";
import type { About, Prepared, Request } from "./prepared.js";

/** One column of a row, by the caller's schema. */
export interface RawOutput extends Output {
  /** Whether it may hold an integer beyond 2^53. */
  readonly bigints: boolean;
  /** Whether the schema says that a server stores it in the session's time zone. */
  readonly isZoned?: boolean | undefined;
}

/** How a parameter's value is checked and encoded for the driver. Each function returns a message if it refuses. */
export interface RawParam {
  readonly one: (value: unknown) => BoundScalar;
  /** The items of a list that is written out. */
  readonly each: (value: unknown) => BoundList;
}
export type BoundList = { readonly values: readonly unknown[] } | { readonly fault: string };

/** It belongs to no known table. */
const NO_TABLE: About = {
  name: "",
  columns: {},
  primaryKey: [],
  keys: [],
  foreignKeys: [],
  checks: [],
  indexes: [],
};

export class RawStatement {
  /** Whether it is a statement that changes rows. */
  readonly changes: boolean;
  /** Whether it changes or reads rows, and nothing else. */
  readonly isPlain: boolean;
  readonly #named: Named;
  readonly #params: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #grammar: Grammar;
  readonly #output: readonly RawOutput[] | undefined;
  readonly #declared: ReadonlyMap<string, RawParam>;
  readonly #scalar: RawParam;
  /** The text of every call, if no list is written out. */
  readonly #fixed: { readonly prepared: Prepared; readonly written: Written } | undefined;

  /**
   * @param output the outputs of its rows; undefined if only their number is needed.
   * @param declared the parameters that schemas describe.
   * @throws {BuildError} for a text with invalid parameters.
   * @throws {DeclarationError} for a declared parameter that is not in the text.
   */
  constructor(
    text: unknown,
    output: readonly RawOutput[] | undefined,
    grammar: Grammar,
    declared: ReadonlyMap<string, RawParam>,
  ) {
    if (typeof text !== "string")
      throw new BuildError([{ code: "INVALID_SPEC", message: `SQL must be text, not ${quoted(text)}` }]);
    const named = parseNamed(text, grammar);
    this.#named = named;
    this.changes = named.changes;
    this.isPlain = named.isPlain;
    this.#known = new Set(named.holes.map(({ name }) => name));
    this.#params = [...this.#known];
    this.#grammar = grammar;
    this.#output = output;
    this.#declared = declared;
    this.#scalar = undeclared(grammar);
    for (const name of declared.keys())
      if (!this.#known.has(name)) {
        const message = `params of sql(…) has ${quoted(name)}, which is not in the text; names: ${listed(this.#known)}`;
        throw new DeclarationError(message);
      }
    if (named.holes.some(({ isList }) => isList)) return;
    const written = writeNamed(named, grammar, () => 1);
    this.#fixed = { prepared: this.#prepare(written), written };
  }

  get takesNothing(): boolean {
    return this.#known.size === 0;
  }

  /**
   * A call with these parameters.
   * @throws {ParameterError} for a name that is missing or unknown, and for a value that cannot be bound.
   */
  request(params: CallParams): Request {
    const given = checkNames(params, this.#params, this.#known, NO_TABLE);
    const lists = new Map<string, readonly unknown[]>();
    const scalars = new Map<string, unknown>();
    for (const { name, isList } of this.#named.holes) {
      const param = this.#declared.get(name) ?? this.#scalar;
      if (isList && !lists.has(name)) lists.set(name, boundItems(name, param.each(given[name])));
      if (!isList && !scalars.has(name)) scalars.set(name, scalarOf(name, param.one(given[name])));
    }
    const { prepared, written } = this.#fixed ?? this.#listed(lists);
    const values = written.places.map(({ name, item }) =>
      item === undefined ? scalars.get(name) : lists.get(name)?.[item],
    );
    return { prepared, values };
  }

  #listed(lists: ReadonlyMap<string, readonly unknown[]>) {
    const written = writeNamed(this.#named, this.#grammar, (name) => lists.get(name)?.length ?? 0);
    return { prepared: this.#prepare(written), written };
  }

  #prepare({ sql, places }: Written): Prepared {
    const output = this.#output ?? [];
    return {
      table: NO_TABLE,
      sql,
      givesRows: this.#output !== undefined,
      named: true,
      output,
      inUtc: output.some(({ isZoned }) => isZoned === true) ? "always" : undefined,
      bigints: output.some(({ bigints }) => bigints),
      givenAt: (place) => places[place],
    };
  }
}

function scalarOf(name: string, bound: BoundScalar): unknown {
  if ("value" in bound) return bound.value;
  throw refused(name, bound.fault);
}

function boundItems(name: string, bound: BoundList): readonly unknown[] {
  if ("fault" in bound) throw refused(name, bound.fault);
  // The text does not say what an empty list means: IN and NOT IN differ.
  if (bound.values.length === 0) throw refused(name, "a non-empty list");
  return bound.values;
}

function refused(name: string, expected: string): ParameterError {
  return new ParameterError("PARAM_TYPE", name, "", `parameter ${quoted(name)} takes ${expected}`);
}

// A scalar is bound by its own type. A list is one value if the dialect has arrays.
function undeclared(grammar: Grammar): RawParam {
  const each = (value: unknown): BoundList => {
    if (!Array.isArray(value)) return { fault: `a list, not ${describeType(value)}` };
    const values: unknown[] = [];
    for (const item of itemsOf(value)) {
      const bound = boundScalar(item, grammar);
      if ("fault" in bound) return { fault: `a list whose items are each ${bound.fault}` };
      values.push(bound.value);
    }
    return { values };
  };
  const one = (value: unknown): BoundScalar => {
    if (!Array.isArray(value)) return boundScalar(value, grammar);
    if (!grammar.hasArrays) return { fault: "a value, not a list: write :...name in the text for a list" };
    const bound = each(value);
    return "fault" in bound ? bound : { value: grammar.encodeList(bound.values) };
  };
  return { one, each };
}
