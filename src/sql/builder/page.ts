/** The pages of a query: a page and the cursor of the next one, by values of the order instead of an offset. */
import { PagePart } from "../ast/builder-parts.js";
import type { QueryStatement } from "../ast/statement.js";
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { send } from "../exec/execute.js";
import { explained } from "../exec/explain.js";
import { areOptions, type CallParams, reading } from "../exec/params.js";
import type { PlanRequest, ResultReader } from "../exec/prepared.js";
import { scannedInside } from "../exec/scan-nested.js";
import { shownText } from "../render/shown.js";
import type { Operation } from "../words/events.js";
import type { PageOptions, TransactionHandle } from "../words/options.js";
import type { Rendered } from "../words/rendered.js";
import { type BoundCall, boundCall } from "./bound.js";
import { Builder, inTransaction } from "./builder.js";
import { PageDraft } from "./draft/page-draft.js";
import type { ReadingDraft } from "./draft/statement-draft.js";
import { lockedIn } from "./selecting.js";

/** The rows of a page, and the cursor of the next page; null if it is the last page. */
interface PageOfRows {
  readonly rows: DecodedRow[];
  readonly next: string | null;
}

/** The draft of the pages of a query. */
export function pagesOf(
  { source, spec, problems }: Pick<ReadingDraft<QueryStatement>, "source" | "spec" | "problems">,
  ...page: ConstructorParameters<typeof PagePart>
): PageDraft {
  return new PageDraft(source, "query", { ...spec, page: new PagePart(...page) }, problems);
}

/** A builder of pages. */
export class PageBuilder extends Builder<QueryStatement, PageDraft> {
  async exec(params?: CallParams, options?: PageOptions): Promise<PageOfRows> {
    const [given, rest] = this.#arguments(params, options);
    const request = this.#request(given, rest);
    const call = this.call(rest, "QUERY");
    const page = await send(request, call, this.#reader(request));
    const scanned = this.scanned(page.rows, call);
    if (scanned !== undefined) await scanned;
    return page;
  }

  async execTx(tx: TransactionHandle, params?: CallParams, options?: PageOptions): Promise<PageOfRows> {
    const [given, rest] = this.#arguments(params, options);
    const { table } = this.draft.source;
    return this.exec(
      given,
      reading(OPTIONS, table, () => ({ ...rest, ...inTransaction(tx) })),
    );
  }

  /** A call of `exec`, the first page, for `atomic`. */
  bind(params?: CallParams): BoundCall {
    const check = (given: CallParams) => this.sending(this.#request(given, undefined), true);
    return boundCall(this.place.session, [params], check, (tx, given) => this.execTx(tx, given));
  }

  /** The text of the pages after a cursor. `render` returns that of the first page. */
  renderAfter(): Rendered {
    const { later, source } = this.draft;
    return shownText(later.prepared.plan, source.grammar, this.constants);
  }

  async explain(params?: CallParams, options?: PageOptions): Promise<string> {
    const [given, rest] = this.#arguments(params, options);
    return explained(this.#request(given, rest), super.call(rest, "QUERY"));
  }

  // The nested rows come first.
  override scanned(
    rows: readonly DecodedRow[],
    call: RequestCall,
    index?: number,
  ): Promise<void> | undefined {
    const { prepared, source } = this.draft;
    return scannedInside(rows, prepared, source, call) ?? super.scanned(rows, call, index);
  }

  protected override get options(): readonly string[] {
    return ["tx", "signal", AFTER_OPTION];
  }

  override call(options: PageOptions | undefined, operation: Operation): RequestCall {
    return lockedIn(super.call(options, operation), this.draft.resolved);
  }

  protected override shownSpec(): object {
    const { page, ...spec } = this.spec;
    const after = page?.after === undefined ? {} : { after: page.after };
    return { ...spec, limit: page?.size, ...after };
  }

  // Without parameters the options come first.
  #arguments(
    params: CallParams | PageOptions,
    options: PageOptions | undefined,
  ): readonly [CallParams, PageOptions | undefined] {
    const isLast = options === undefined && areOptions(params, AFTER_OPTION) && this.draft.names.size === 0;
    // Any other value is the parameters.
    return isLast ? [undefined, params] : [params as CallParams, options];
  }

  #request(params: CallParams, options: PageOptions | undefined): PlanRequest {
    const given = reading(OPTIONS, this.draft.source.table, () => options?.after);
    const after = given === undefined ? this.spec.page?.after : given;
    return after === undefined
      ? this.draft.request(this.given(params))
      : this.draft.requestAfter(this.given(params), after);
  }

  #reader({ prepared }: PlanRequest): ResultReader<PageOfRows> {
    const { page } = this.draft;
    return {
      read: ({ rows }) => {
        const last = rows.length > page.size ? rows[page.size - 1] : undefined;
        const next = last === undefined ? null : this.draft.cursorAfter(last);
        return { rows: prepared.read({ rows: rows.slice(0, page.size) }), next };
      },
      facts: ({ rows }) => prepared.facts(rows),
    };
  }
}

const AFTER_OPTION = "after";
const OPTIONS = "the options of a call";
