/** What every builder can show of itself, and what can be asked of its type. */
import type { Rendered, SafeRendered } from "../words/rendered.js";

/** What every builder can show of itself without executing. */
export interface Rendering {
  /**
   * The SQL, with names and as the driver gets it.
   * @throws {BuildError | UnsupportedError} when something is wrong with the builder.
   */
  render(): Rendered;
  /** Like `render`, with the error as a value. */
  safeRender(): SafeRendered;
}

/** What `exec` of a builder resolves to. */
export type ResultOf<B> = B extends { exec(...args: never): Promise<infer R> } ? R : never;

/** The parameters that `exec` of a builder demands. */
export type ParamsOf<B> = B extends { execTx(tx: never, ...args: infer A): unknown }
  ? Exclude<A[0 & keyof A], undefined>
  : never;
