/** What a builder's `render` gives. */
import type { BuildError, UnsupportedError } from "./errors.js";

/** SQL text in two forms: with names, and as the driver gets it. */
export interface Rendered {
  /** With `:name` for each parameter. */
  readonly sql: string;
  /** The distinct names, in order of appearance. */
  readonly params: readonly string[];
  readonly native: {
    /** With the placeholders of the dialect. */
    readonly sql: string;
    /** The name behind each placeholder. */
    readonly params: readonly string[];
  };
}

/** `render` with the error as a value, as Zod's `safeParse` does. */
export type SafeRendered =
  | { readonly success: true; readonly data: Rendered }
  | { readonly success: false; readonly error: BuildError | UnsupportedError };
