/** The methods that every builder has without executing, and the types that can be derived from a builder. */
import type { Rendered, SafeRendered } from "../words/rendered.js";

/** Methods of every builder that do not execute it. */
export interface Rendering {
  /**
   * The SQL, with names and as the driver receives it.
   * @throws {BuildError | UnsupportedError} for every problem of the builder
   */
  render(): Rendered;
  /** Like `render`, with the error as a value. */
  safeRender(): SafeRendered;
}

/** The type that `exec` of a builder resolves to. */
export type ResultOf<B> = B extends { exec(...args: never): Promise<infer R> } ? R : never;

/** The parameters that `exec` of a builder requires. */
export type ParamsOf<B> = B extends { execTx(tx: never, ...args: infer A): unknown }
  ? Exclude<A[0 & keyof A], undefined>
  : never;
