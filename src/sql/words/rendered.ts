/** The result of a builder's `render`. */
import type { BuildError, ParameterError, UnsupportedError } from "./errors.js";

/** A constant of a chain. */
export interface GivenConstant {
  readonly value: unknown;
}

/** SQL text in two forms: with names, and as the driver receives it. */
export interface Rendered {
  /** With `:name` for each parameter. */
  readonly sql: string;
  /** The distinct names, in order of appearance. */
  readonly params: readonly string[];
  readonly native: {
    /** With the placeholders of the dialect. */
    readonly sql: string;
    /** The parameter name of each placeholder; null for a constant of the program. */
    readonly params: readonly (string | null)[];
  };
  /** The constants of the program by their names in the text, if there are any. A call does not pass them. */
  readonly constants?: Readonly<Record<string, unknown>>;
}

/** `render` with the error as a value, like Zod's `safeParse`. */
export type SafeRendered =
  | { readonly success: true; readonly data: Rendered }
  | { readonly success: false; readonly error: BuildError | ParameterError | UnsupportedError };
