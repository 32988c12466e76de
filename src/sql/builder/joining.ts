/** Shared by the builders that read: the tables that they join. */
import { JoinOn } from "../ast/builder-parts.js";
import { keyOf } from "../ast/key.js";
import type { JoinKind } from "../ast/spec.js";
import type { Reading } from "../resolve/statement.js";
import { type AnyDraft, failed } from "./draft/draft.js";
import type { Filtered } from "./filtered.js";
import { givenTable } from "./inner.js";
import { OptionallyFilteredBuilder } from "./optional.js";
import { givenSource, NamedQuery } from "./source.js";

/** A builder that reads several tables. */
export abstract class JoiningBuilder<T extends Filtered & Reading> extends OptionallyFilteredBuilder<T> {
  join(path: string, name?: string): this {
    return this.#related("inner", path, name);
  }

  leftJoin(path: string, name?: string): this {
    return this.#related("left", path, name);
  }

  joinOn(name: string, table: unknown, mine: string, theirs: string): this {
    return this.#on("inner", name, table, mine, theirs);
  }

  leftJoinOn(name: string, table: unknown, mine: string, theirs: string): this {
    return this.#on("left", name, table, mine, theirs);
  }

  joinQuery(source: unknown, mine: string, theirs: string): this {
    return this.#query("inner", source, mine, theirs);
  }

  leftJoinQuery(source: unknown, mine: string, theirs: string): this {
    return this.#query("left", source, mine, theirs);
  }

  #query(kind: JoinKind, value: unknown, mine: unknown, theirs: unknown): this {
    const source = givenSource(value, this.draft.source, kind === "left" ? "leftJoinQuery" : "joinQuery");
    if (!(source instanceof NamedQuery)) return this.take(failed({ ...source, path: "joins" }));
    const { name, table, draft } = source;
    const key = source.key(`${kind} join query`, mine, theirs);
    return this.#adding(key, new JoinOn({ kind, name, table, mine, theirs }), draft);
  }

  #related(kind: JoinKind, path: string, name: string | undefined): this {
    const step = kind === "left" ? "leftJoin" : "join";
    const key = name === undefined ? keyOf(step, path) : keyOf(step, path, name);
    // A path that an untyped caller left out must not become a missing key.
    const join = { relation: path ?? null, as: name, kind: kind === "left" ? kind : undefined };
    return this.#adding(key, join);
  }

  #on(kind: JoinKind, name: unknown, value: unknown, mine: unknown, theirs: unknown): this {
    const given = givenTable(value, this.draft.source);
    if (!("table" in given)) return this.take(failed({ ...given, path: "joins" }));
    const { table } = given;
    const key = keyOf(`${kind} join on ${idOf(table)}`, name, mine, theirs);
    return this.#adding(key, new JoinOn({ kind, name, table, mine, theirs }));
  }

  #adding(key: string | undefined, join: object, query?: AnyDraft): this {
    return this.take({
      key,
      operands: query === undefined ? [] : [query],
      on: (draft) => draft.adding("joins", [join]).failing(...(query?.problems ?? [])),
    });
  }
}

const ids = new WeakMap<object, number>();
let nextId = 1;

/** Identifies a table. */
function idOf(table: object): number {
  const known = ids.get(table);
  if (known !== undefined) return known;
  ids.set(table, nextId);
  return nextId++;
}
