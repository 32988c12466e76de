/** Statements as a driver gets them: a request of rowtype with its values in the forms of the dialect. */
import { Lru } from "../../core/lru.js";
import type { DriverPrepared, DriverRequest } from "../contract/driver.js";
import { textOf } from "../dialect/postgres/value-text.js";
import type { DriverDialect, Statement, Value } from "./interface.js";

/** One text of a statement may be sent in several forms, by the number of items in its lists. */
const MOST_FORMS = 16;

/** Makes the statements of one driver. */
export class Statements {
  readonly #dialect: DriverDialect;
  readonly #texts = new WeakMap<DriverPrepared, Lru<string, object>>();

  constructor(dialect: DriverDialect) {
    this.#dialect = dialect;
  }

  of({ prepared, sql: usual, params, inUtc }: DriverRequest): Statement {
    // Only the driver knows which time zone a session has.
    const sql = inUtc === undefined ? usual : inUtc();
    return {
      sql,
      params: this.#dialect === "postgres" ? params.map(asText) : (params as readonly Value[]),
      text: this.#textOf(prepared, sql),
      rows: prepared.named === true ? "unknown" : prepared.givesRows,
      bigints: prepared.bigints,
    };
  }

  #textOf(prepared: DriverPrepared, sql: string): object {
    let forms = this.#texts.get(prepared);
    if (forms === undefined) {
      forms = new Lru({ max: MOST_FORMS });
      this.#texts.set(prepared, forms);
    }
    let text = forms.get(sql);
    if (text === undefined) {
      text = Object.freeze({});
      forms.set(sql, text);
    }
    return text;
  }
}

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : textOf(value);
}
