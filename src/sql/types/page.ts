/** The pages of a query as their users see them. The run-time side is `builder/page.ts`. */

import type { QuerySpec } from "../ast/spec.js";
import type { PageOptions, TransactionHandle } from "../words/options.js";
import type { Rendered } from "../words/rendered.js";
import type { Bound } from "./bound.js";
import type { AnyParam, NoParams, ParamsArgument } from "./params.js";
import type { Rendering } from "./rendering.js";

/** The result of a call of a page. */
export interface PageOf<R> {
  readonly rows: { [K in keyof R]: R[K] }[];
  /** The cursor of the next page: opaque, but not secret. `null` where this page is the last one. */
  readonly next: string | null;
}

/** The arguments of a call of a page: parameters and options, which take their place where there are none. */
export type PageArguments<P extends AnyParam> = [P] extends [never]
  ? [params?: NoParams | PageOptions, options?: PageOptions]
  : [...params: ParamsArgument<P>, options?: PageOptions];

/** Pages of a query: each begins after the last row of the previous one, whatever is inserted or deleted meanwhile. */
export interface Page<in out R, in out P extends AnyParam> extends Rendering {
  /** The first page, or with `after` the one after a cursor. */
  exec(...args: PageArguments<P>): Promise<PageOf<R>>;
  execTx(tx: TransactionHandle, ...args: PageArguments<P>): Promise<PageOf<R>>;
  // A page does not keep the type of its dialect, which the call checks.
  /** A call of `exec`, the first page, with these values for `atomic`: checked now. */
  bind(...args: ParamsArgument<P>): Bound<PageOf<R>, never>;
  /** The server's plan as text. The query is not executed and locks nothing. */
  explain(...args: PageArguments<P>): Promise<string>;
  /** The SQL of every page but the first, which `render` gives. */
  renderAfter(): Rendered;
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): Page<R, P>;
  /** The builder as JSON, with its size as the limit; `pageFromSpec` makes an equal builder from it. */
  toSpec(): QuerySpec;
}

// The parameters of the builders of `dynamic.ts`.
type DynamicParams = Readonly<Record<string, unknown>>;

/** Pages of a dynamic query. */
export interface DynamicPage<in out R> extends Rendering {
  exec(params?: DynamicParams | PageOptions, options?: PageOptions): Promise<PageOf<R>>;
  execTx(
    tx: TransactionHandle,
    params?: DynamicParams | PageOptions,
    options?: PageOptions,
  ): Promise<PageOf<R>>;
  explain(params?: DynamicParams | PageOptions, options?: PageOptions): Promise<string>;
  renderAfter(): Rendered;
  build(): this;
  toSpec(): QuerySpec;
}
