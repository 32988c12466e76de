/** Where relations lead. */
import type { AnyModel } from "./model.js";

/** The model of the table that a relation of `M`, or of a table that it has joined, leads to. */
export type RelationTarget<M extends AnyModel, Path> =
  TargetName<M, Path> extends infer Name extends keyof M["tables"] ? M["tables"][Name] : never;

/** The name of that table in its module. */
export type TargetName<M extends AnyModel, Path> = RelationOf<M, Path, "to">;

/** Whether it leads to one row or to many. */
export type KindOfRelation<M extends AnyModel, Path> = RelationOf<M, Path, "kind">;

type RelationOf<M extends AnyModel, Path, K extends "to" | "kind"> = Path extends keyof M["relations"]
  ? M["relations"][Path][K]
  : Path extends `${infer A}.${infer Name}`
    ? A extends keyof M["joined"]
      ? Name extends keyof M["joined"][A]["relations"]
        ? M["joined"][A]["relations"][Name][K]
        : never
      : never
    : never;
