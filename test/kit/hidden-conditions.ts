/** Conditions of builders by the names of their methods, for random programs over the tables of `hidden-world.ts`. */
import {
  and,
  between,
  c,
  compare,
  count,
  exists,
  existsOn,
  field,
  inQuery,
  isNull,
  max,
  not,
  notExists,
  notExistsOn,
  notNull,
  of as ofRelation,
  or,
  raw,
  value,
} from "rowtype";
import { z } from "zod";
import type { Chance } from "../campaigns/expression-chance.js";
import { type Loose, type Name, names, type Repositories, ways } from "./hidden-world.js";

/** Where a program is built: the repositories of a database or a transaction, and that itself. */
export interface Place {
  readonly of: Repositories;
  readonly db: Loose;
}
export type Step = (builder: Loose, place: Place) => Loose;

/** What is known of a program while it is made. */
export interface Plan {
  readonly own: Name;
  readonly chance: Chance;
  /** The names of joined tables. */
  readonly places: Map<string, Name>;
  readonly params: Record<string, unknown>;
  /** Whether a join may give one row at most for a row of the own table. */
  readonly isSingle: boolean;
  /** The relation that the program is about, if it is about one. */
  readonly path?: string | undefined;
  /** Methods that the program has used. */
  readonly used: Set<string>;
}

export const call = (of: unknown, method: string, ...args: readonly unknown[]): Loose => {
  const known = (of as Loose)[method];
  if (known === undefined) throw new Error(`no method ${method}`);
  return known.apply(of, args as unknown[]);
};

// What the compiler knows of conditions says nothing about random ones.
export type Function = (...args: readonly unknown[]) => Loose;
export const loose = (one: unknown) => one as Function;

/** Numbers of a table, which conditions compare. */
export const fieldsOf = (name: Name) => (name === "marks" ? ["id", "n"] : ["id", "n", "m"]);
/** A number, as a value. */
export const constant = (chance: Chance) => value(chance.below(6));
const comparisons = ["=", "!=", "<", "<=", ">", ">="];

/** A field of the own table or of one that was joined. */
export function someField({ own, places, chance }: Plan): string {
  const all = [...fieldsOf(own)];
  for (const [name, table] of places) all.push(...fieldsOf(table).map((one) => `${name}.${one}`));
  return chance.of(all);
}

/** The relations of a table, those to one row or to several alone if asked. */
export const paths = ({ own, path: asked }: Plan, isOne?: boolean): readonly string[] => {
  const all = Object.entries(ways[own]).flatMap(([path, [, one]]) =>
    isOne === undefined || one === isOne ? [path] : [],
  );
  return asked !== undefined && all.includes(asked) ? [asked] : all;
};
/** Where a relation leads. */
export const target = (name: Name, path: string): Name => {
  const way = ways[name][path];
  if (way === undefined) throw new Error(`no relation ${path}`);
  return way[0];
};

type Maker<T> = (place: Place) => T;

/** Rows of another table: its repository, its query, or a part of it. */
export function rowsOf({ chance }: Plan, name: Name, isOrdered = false): Maker<Loose> {
  const dice = chance.below(isOrdered ? 4 : 3);
  const least = value(1 + chance.below(3));
  return ({ of }) => {
    if (dice === 0) return of[name];
    const query = call(of[name], "query");
    if (dice === 1) return query;
    if (dice === 2) return call(query, "where", "n", ">=", least);
    return call(call(query, "orderBy", "id", "asc"), "limit", 2);
  };
}

/** A pair of fields of which each has an equal one now and then. */
export const pairOf = ({ chance, isSingle }: Plan): readonly [string, string] =>
  isSingle ? ["id", "id"] : [chance.of(["id", "n"]), chance.of(["id", "n"])];

/** A condition: every function that makes one has its turn. */
export function conditionOf(plan: Plan, depth = 0): Maker<unknown> {
  const { chance, own } = plan;
  const dice = chance.below(depth > 1 ? 7 : 12);
  const by = someField(plan);
  const [op, x] = [chance.of(comparisons), constant(chance)];
  const other = chance.of(names);
  const [mine, theirs] = pairOf(plan);
  if (dice === 0) return () => loose(isNull)(by);
  if (dice === 1) return () => loose(notNull)(by);
  if (dice === 2) return () => loose(between)(by, value(1), x);
  if (dice < 5) return () => loose(c)(by, op, x);
  if (dice === 5) return () => loose(compare)(by, op, "n");
  if (dice === 6) {
    const query = rowsOf(plan, other);
    return (place) => loose(inQuery)(by, "IN", call(asQuery(query(place)), "fields", "n"));
  }
  if (dice === 7) {
    const rows = rowsOf(plan, other);
    const make = chance.oneIn(2) ? existsOn : notExistsOn;
    return (place) => loose(make)(asQuery(rows(place)), mine, theirs);
  }
  if (dice === 8 && paths(plan).length > 0) {
    const path = chance.of(paths(plan));
    const rows = chance.oneIn(2) ? rowsOf(plan, target(own, path)) : undefined;
    const make = chance.oneIn(2) ? exists : notExists;
    return (place) => loose(make)(path, ...(rows === undefined ? [] : [asQuery(rows(place))]));
  }
  if (dice === 9 && paths(plan, false).length > 0) {
    const path = chance.of(paths(plan, false));
    const aggregate = chance.oneIn(2) ? loose(count)() : loose(max)("n");
    return () => loose(c)(loose(ofRelation)(path, aggregate), op, x);
  }
  const members = [conditionOf(plan, depth + 1), conditionOf(plan, depth + 1)];
  if (dice === 10) return (place) => loose(not)(members[0]?.(place));
  const make = chance.oneIn(2) ? and : or;
  return (place) => loose(make)(...members.map((one) => one(place)));
}
/** The query of a repository; a query as it is. */
export const asQuery = (rows: Loose): Loose => ("query" in rows ? call(rows, "query") : rows);

/** Makers of steps by the names of methods. */
export type Makers = Readonly<Record<string, (plan: Plan) => Step>>;

/** A method of one condition, for each builder that has conditions. */
export const conditions: Makers = {
  where: (plan) => {
    const [by, op, x] = [someField(plan), plan.chance.of(comparisons), constant(plan.chance)];
    return (b) => call(b, "where", by, op, x);
  },
  whereAnd: (plan) => {
    const one = conditionOf(plan);
    return (b, place) => call(b, "whereAnd", one(place));
  },
  whereOr: (plan) => {
    const list = [conditionOf(plan), conditionOf(plan)];
    return (b, place) => call(b, "whereOr", ...list.map((one) => one(place)));
  },
  whereNull: ({ own }) => {
    const by = own === "marks" ? "docId" : "m";
    return (b) => call(b, "whereNull", by);
  },
  whereNotNull: ({ own, chance }) => {
    const by = chance.of(fieldsOf(own));
    return (b) => call(b, "whereNotNull", by);
  },
  whereBetween: (plan) => {
    const [by, high] = [someField(plan), constant(plan.chance)];
    return (b) => call(b, "whereBetween", by, value(1), high);
  },
  whereNotBetween: (plan) => {
    const [by, high] = [someField(plan), constant(plan.chance)];
    return (b) => call(b, "whereNotBetween", by, value(3), high);
  },
  whereFields: (plan) => {
    const [left, op] = [someField(plan), plan.chance.of(comparisons)];
    return (b) => call(b, "whereFields", left, op, "n");
  },
  // Without parentheses around it, the OR would leave the conditions of the rules behind.
  whereRaw: () => (b) =>
    call(b, "whereRaw", raw(z.boolean())`${field("n")} < ${value(3)} OR ${field("n")} >= ${value(3)}`),
};

/** The methods that find rows by others. */
export const filtering: Makers = {
  ...conditions,
  ...Object.fromEntries(
    (["whereExists", "whereNotExists"] as const).map((method) => [
      method,
      (plan: Plan): Step => {
        const all = paths(plan);
        const path = all.length > 0 ? plan.chance.of(all) : "none";
        const rows =
          all.length > 0 && plan.chance.oneIn(2) ? rowsOf(plan, target(plan.own, path)) : undefined;
        return (b, place) => call(b, method, path, ...(rows === undefined ? [] : [asQuery(rows(place))]));
      },
    ]),
  ),
  ...Object.fromEntries(
    (["whereExistsOn", "whereNotExistsOn"] as const).map((method) => [
      method,
      (plan: Plan): Step => {
        const rows = rowsOf(plan, plan.chance.of(names));
        const [mine, theirs] = pairOf(plan);
        const isCondition = plan.chance.oneIn(2);
        return (b, place) =>
          isCondition
            ? call(
                b,
                method,
                call(asQuery(rows(place)), "as", "inner"),
                loose(compare)(mine, "=", `inner.${theirs}`),
              )
            : call(b, method, asQuery(rows(place)), mine, theirs);
      },
    ]),
  ),
  whereQuery: (plan) => {
    const other = plan.chance.of(names);
    const isCount = plan.chance.oneIn(3);
    const rows = rowsOf(plan, other);
    return (b, place) =>
      isCount
        ? call(b, "whereQuery", "n", "<=", call(place.of[other], "count"))
        : call(b, "whereQuery", "n", "IN", call(asQuery(rows(place)), "fields", "n"));
  },
};
