/** The draft of a page: one text for the first page, and one for all later ones. */
import type { QueryStatement } from "../../ast/statement.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { decodeValue } from "../../exec/decode.js";
import { cursorText, readCursor } from "../../exec/page-cursor.js";
import { asRecord, type CallParams, checkNames } from "../../exec/params.js";
import type { PlanRequest } from "../../exec/prepared.js";
import { AFTER } from "../../resolve/rows/page-conditions.js";
import type { ResolvedQuery } from "../../resolve/scope/resolved.js";
import type { ResolvedPage } from "../../resolve/scope/resolved-page.js";
import { ParameterError, UnsupportedError } from "../../words/errors.js";
import { ReadingDraft, StatementDraft } from "./statement-draft.js";

/** The draft of the later pages: the query of the first one, with conditions. */
class LaterDraft extends StatementDraft<QueryStatement> {
  readonly #query: ResolvedQuery;

  constructor({ source, spec }: PageDraft, query: ResolvedQuery) {
    super(source, "query", spec);
    this.#query = query;
  }

  protected resolve(): ResolvedQuery {
    const { where, page } = this.#query;
    return { ...this.#query, where: [...where, ...(page?.after ?? [])] };
  }
}

/** A draft of pages. It prepares the first page itself. */
export class PageDraft extends ReadingDraft<QueryStatement> {
  #later: LaterDraft | undefined;

  /** The later pages. */
  get later(): LaterDraft {
    if (this.#later === undefined) {
      this.#later = new LaterDraft(this, this.#query);
      this.accepted(this.prepared.sql.length + this.#later.prepared.sql.length);
    }
    return this.#later;
  }

  get page(): ResolvedPage {
    const { page } = this.#query;
    if (page === undefined) throw new TypeError("a page is neither resolved nor refused");
    return page;
  }

  // Resolving a query with pages gives a page.
  get #query(): ResolvedQuery {
    return this.resolved as ResolvedQuery;
  }

  /**
   * A call of the page after a cursor.
   * @throws {ParameterError} `PARAM_TYPE` of `after` for a text that is not a cursor of this order.
   */
  requestAfter(params: CallParams, after: unknown): PlanRequest {
    const { table } = this.source;
    const { signature, terms } = this.page;
    const values = readCursor(
      after,
      signature,
      terms.map(({ output }) => output),
    );
    if (values === undefined) {
      const message = `${AFTER} takes the next of a page in the same order, and this text is not one`;
      throw new ParameterError("PARAM_TYPE", AFTER, table.name, message);
    }
    const given = checkNames(asRecord(params, table), [], this.names, table);
    const bound: Record<string, unknown> = { ...given };
    for (const [i, { param, nullParam }] of terms.entries()) {
      bound[param] = values[i];
      if (nullParam !== undefined) bound[nullParam] = values[i] === null ? 1 : 0;
    }
    return this.later.request(bound);
  }

  /**
   * The cursor after a row, as the driver returned it.
   * @throws {UnsupportedError} after a value of which the server orders only the beginning: rows that begin alike would
   * be left out or come twice.
   */
  cursorAfter(row: readonly unknown[]): string {
    const { table, grammar } = this.source;
    const { signature, terms } = this.page;
    const values = terms.map(({ at, output }) => decodeValue(table, output, row[at]));
    const { mostOrdered } = grammar;
    if (mostOrdered !== undefined && values.some((value) => isLonger(value, mostOrdered)))
      throw new UnsupportedError(
        grammar.dialect,
        `a page after a row that has a value of more than ${mostOrdered.characters} characters or ${mostOrdered.bytes} bytes in the order`,
        "the server orders values by their beginning only: order by a shorter field",
      );
    return cursorText(signature, values);
  }
}

function isLonger(value: unknown, { characters, bytes }: NonNullable<Grammar["mostOrdered"]>): boolean {
  if (value instanceof Uint8Array) return value.length > bytes;
  // A character takes one or two places of a text.
  return typeof value === "string" && value.length > characters && Array.from(value).length > characters;
}
