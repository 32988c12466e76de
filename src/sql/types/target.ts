/** Where relations lead. */
import type { AnyModel } from "./model.js";

/** The model of the table that a relation of `M`, or of a table that it has joined, leads to. */
export type Target<M extends AnyModel, Path> =
  TargetName<M, Path> extends infer Name extends keyof M["tables"] ? M["tables"][Name] : never;

/** The name of that table in its module. */
export type TargetName<M extends AnyModel, Path> = Path extends keyof M["relations"]
  ? M["relations"][Path]["to"]
  : Path extends `${infer A}.${infer Name}`
    ? A extends keyof M["joined"]
      ? Name extends keyof M["joined"][A]["relations"]
        ? M["joined"][A]["relations"][Name]["to"]
        : never
      : never
    : never;
