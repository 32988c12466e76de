/** A text of the caller's own, as a command: the parameters found in it, and what its rows are. */
import { quoted } from "../../core/errors.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Output } from "../value/output.js";
import { boundScalar } from "../value/scalar.js";
import { BuildError, ParameterError } from "../words/errors.js";
import type { Rendered } from "../words/rendered.js";
import type { About, Command } from "./command.js";
import { renderNamed } from "./named.js";
import { checkNames, type Params } from "./params.js";

/** One value of a row that a schema of the caller's says. */
export interface RawOutput extends Output {
  /** Whether it may be an integer beyond 2^53. */
  readonly bigints: boolean;
}

/** It is about no table that is known. */
const NO_TABLE: About = { name: "", columns: {}, primaryKey: [], keys: [] };

export class RawCommand implements Command {
  readonly table: About = NO_TABLE;
  readonly sql: string;
  readonly bigints: boolean;
  readonly named = true;
  readonly output: readonly RawOutput[];
  /** Whether it is a statement that changes rows. */
  readonly changes: boolean;
  readonly #rendered: Rendered;
  readonly #known: ReadonlySet<string>;
  readonly #grammar: Grammar;

  /** @throws {BuildError} for a text in which something is wrong with the parameters. */
  constructor(text: unknown, output: readonly RawOutput[], grammar: Grammar) {
    if (typeof text !== "string")
      throw new BuildError([{ code: "INVALID_SPEC", message: `SQL is text, not ${quoted(text)}` }]);
    const named = renderNamed(text, grammar);
    this.#rendered = named;
    this.changes = named.changes;
    this.#known = new Set(this.#rendered.params);
    this.#grammar = grammar;
    this.sql = this.#rendered.native.sql;
    this.output = output;
    this.bigints = output.some(({ bigints }) => bigints);
  }

  get takesNothing(): boolean {
    return this.#known.size === 0;
  }

  /**
   * The values behind the placeholders.
   * @throws {ParameterError} for a name that is missing or unknown, and for a value that is no scalar.
   */
  bind(params: Params): unknown[] {
    const { native, params: required } = this.#rendered;
    const given = checkNames(params, required, this.#known, NO_TABLE);
    return native.params.map((name) => {
      const bound = boundScalar(given[name], this.#grammar);
      if ("value" in bound) return bound.value;
      throw new ParameterError("PARAM_TYPE", name, "", `parameter ${quoted(name)} takes ${bound.fault}`);
    });
  }
}
