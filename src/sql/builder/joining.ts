/** Shared by the builders that read: the tables that they join. */
import { JoinOn, JoinWhere, OuterJoin, type TableJoin } from "../ast/builder-parts.js";
import { keyOf } from "../ast/key.js";
import type { JoinKind } from "../ast/spec.js";
import type { AnyTable } from "../declare/declaration.js";
import { keyByConditions, specsOf } from "../expression/condition.js";
import { isByCondition } from "../expression/queries.js";
import type { Reading } from "../resolve/statement.js";
import type { Problem } from "../words/errors.js";
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

  /** Also rows of the related table without ours. */
  rightJoin(path: string, name?: string): this {
    return this.#outer("right", path, name);
  }

  /** Also rows of either table without the other. */
  fullJoin(path: string, name?: string): this {
    return this.#outer("full", path, name);
  }

  joinOn(name: string, table: unknown, mine: unknown, theirs?: string): this {
    return this.#on("inner", name, table, mine, theirs);
  }

  leftJoinOn(name: string, table: unknown, mine: unknown, theirs?: string): this {
    return this.#on("left", name, table, mine, theirs);
  }

  rightJoinOn(name: string, table: unknown, mine: unknown, theirs?: string): this {
    return this.#on("right", name, table, mine, theirs);
  }

  fullJoinOn(name: string, table: unknown, mine: unknown, theirs?: string): this {
    return this.#on("full", name, table, mine, theirs);
  }

  joinQuery(source: unknown, mine: unknown, theirs?: string): this {
    return this.#query("inner", source, mine, theirs);
  }

  leftJoinQuery(source: unknown, mine: unknown, theirs?: string): this {
    return this.#query("left", source, mine, theirs);
  }

  rightJoinQuery(source: unknown, mine: unknown, theirs?: string): this {
    return this.#query("right", source, mine, theirs);
  }

  fullJoinQuery(source: unknown, mine: unknown, theirs?: string): this {
    return this.#query("full", source, mine, theirs);
  }

  #query(kind: TableJoin, value: unknown, mine: unknown, theirs: unknown): this {
    const source = givenSource(value, this.draft.source, kind === "inner" ? "joinQuery" : `${kind}JoinQuery`);
    if (!(source instanceof NamedQuery)) return this.take(failed({ ...source, path: "joins" }));
    const { name, table, draft } = source;
    const by = connection(mine, theirs);
    const key = keyByConditions(source.key(`${kind} join query`, ...by.names), by.conditions);
    return this.#adding(kind, key, by.joining(kind, name, table), "Query", draft);
  }

  #related(kind: JoinKind, path: string, name: string | undefined): this {
    const step = kind === "left" ? "leftJoin" : "join";
    const key = name === undefined ? keyOf(step, path) : keyOf(step, path, name);
    // A path that an untyped caller left out must not become a missing key.
    const join = { relation: path ?? null, as: name, kind: kind === "left" ? kind : undefined };
    return this.#adding(kind, key, join);
  }

  #outer(kind: "right" | "full", path: string, name: string | undefined): this {
    const key = name === undefined ? keyOf(`${kind}Join`, path) : keyOf(`${kind}Join`, path, name);
    return this.#adding(kind, key, new OuterJoin({ kind, relation: path, as: name }));
  }

  #on(kind: TableJoin, name: unknown, value: unknown, mine: unknown, theirs: unknown): this {
    const given = givenTable(value, this.draft.source);
    if (!("table" in given)) return this.take(failed({ ...given, path: "joins" }));
    const { table } = given;
    const by = connection(mine, theirs);
    const key = keyByConditions(keyOf(`${kind} join on ${idOf(table)}`, name, ...by.names), by.conditions);
    return this.#adding(kind, key, by.joining(kind, name, table), "On");
  }

  #adding(kind: TableJoin, key: string | undefined, join: object, how: string = "", query?: AnyDraft): this {
    const problem = kind === "right" || kind === "full" ? tooLate(`${kind}Join${how}`) : undefined;
    return this.take({
      key,
      operands: query === undefined ? [] : [query],
      on: (draft) => {
        const longer = draft.adding("joins", [join]).failing(...(query?.problems ?? []));
        return problem !== undefined && hasRows(draft) ? longer.failing(problem) : longer;
      },
    });
  }
}

/** How a table is connected: by two fields, or by a condition. */
interface Connection {
  /** The fields. */
  readonly names: readonly unknown[];
  /** The condition. */
  readonly conditions: readonly unknown[];
  readonly joining: (kind: TableJoin, name: unknown, table: AnyTable) => object;
}

function connection(mine: unknown, theirs: unknown): Connection {
  if (!isByCondition(mine, theirs))
    return {
      names: [mine, theirs],
      conditions: [],
      joining: (kind, name, table) => new JoinOn({ kind, name, table, mine, theirs }),
    };
  const [condition] = specsOf([mine]);
  return {
    names: [],
    conditions: [mine],
    joining: (kind, name, table) => new JoinWhere({ kind, name, table, condition }),
  };
}

function tooLate(method: string): Problem {
  const message = `${method} comes before fields and with`;
  return { code: "INVALID_RELATION", message, path: "joins" };
}

function hasRows({ spec }: AnyDraft): boolean {
  return ("fields" in spec && spec.fields !== undefined) || ("with" in spec && spec.with !== undefined);
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
