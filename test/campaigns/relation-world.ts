/**
 * Five related tables as plain data, and random rows of them: NULL keys, keys that lead nowhere, equal rows, rows that
 * are all NULL. `relation-builder.ts` declares the same tables with the package; nothing here knows it.
 */

import type { Chance } from "./expression-chance.js";
import { Beyond, textOfDecimal } from "./expression-evaluator.js";
import type { Type as Scalar, Value } from "./expression-trees.js";
import { someOf } from "./expression-values.js";

/** The kind of a field. JSON is a text in rows. */
export interface Type {
  readonly kind: Scalar["kind"] | "json";
  readonly scale: number;
}

export interface Field extends Type {
  readonly nullable: boolean;
}

export interface Relation {
  readonly table: string;
  readonly mine: string;
  readonly theirs: string;
  readonly isMany: boolean;
}

export interface Table {
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields that are keys by themselves. */
  readonly keys: readonly string[];
  readonly relations: Readonly<Record<string, Relation>>;
}

export type Row = Readonly<Record<string, Value>>;

/** The rows of each table. */
export type World = Readonly<Record<string, readonly Row[]>>;

const of = (kind: Type["kind"], scale = 0): Field => ({ kind, scale, nullable: false });
const maybe = (kind: Type["kind"], scale = 0): Field => ({ kind, scale, nullable: true });
const one = (table: string, mine: string, theirs = "id"): Relation => ({
  table,
  mine,
  theirs,
  isMany: false,
});
const many = (table: string, theirs: string): Relation => ({ table, mine: "id", theirs, isMany: true });

export const tables: Readonly<Record<string, Table>> = {
  regions: {
    fields: {
      id: of("int"),
      name: of("text"),
      parentId: maybe("int"),
      area: maybe("dec", 4),
      open: of("bool"),
      founded: maybe("date"),
    },
    keys: ["id"],
    relations: {
      parent: one("regions", "parentId"),
      parts: many("regions", "parentId"),
      people: many("people", "regionId"),
    },
  },
  people: {
    fields: {
      id: of("int"),
      name: of("text"),
      mail: maybe("text"),
      bossId: maybe("int"),
      regionId: maybe("int"),
      since: maybe("date"),
      credit: maybe("dec", 2),
      size: of("big"),
      member: maybe("bool"),
      meta: maybe("json"),
    },
    keys: ["id", "mail"],
    relations: {
      boss: one("people", "bossId"),
      staff: many("people", "bossId"),
      region: one("regions", "regionId"),
      bought: many("orders", "buyerId"),
      paid: many("orders", "payerId"),
      marks: many("marks", "personId"),
    },
  },
  orders: {
    fields: {
      id: of("int"),
      buyerId: maybe("int"),
      payerId: maybe("int"),
      total: of("dec", 2),
      weight: maybe("big"),
      placed: of("date"),
      note: maybe("text"),
      urgent: maybe("bool"),
      rate: of("num"),
      meta: of("json"),
    },
    keys: ["id"],
    relations: {
      buyer: one("people", "buyerId"),
      payer: one("people", "payerId"),
      items: many("items", "orderId"),
      marks: many("marks", "orderId"),
    },
  },
  items: {
    fields: {
      id: of("int"),
      orderId: of("int"),
      sku: of("text"),
      qty: maybe("int"),
      price: maybe("dec", 4),
      count: of("dec", 0),
      ratio: maybe("num"),
      sold: maybe("date"),
    },
    keys: ["id"],
    relations: { order: one("orders", "orderId") },
  },
  // Without a key, as logs are: its rows may be equal, or all NULL.
  marks: {
    fields: {
      orderId: maybe("int"),
      personId: maybe("int"),
      mail: maybe("text"),
      label: maybe("text"),
      points: maybe("int"),
      worth: maybe("dec", 2),
      weight: maybe("big"),
      at: maybe("date"),
      flag: maybe("bool"),
    },
    keys: [],
    relations: {
      order: one("orders", "orderId"),
      person: one("people", "personId"),
      writer: one("people", "mail", "mail"),
    },
  },
};

/** The table of a name. */
export function tableOf(name: string): Table {
  const table = tables[name];
  if (table === undefined) throw new Error(`no such table: ${name}`);
  return table;
}

/** A value in the form in which rows have it. */
export function plainOf(value: Value, { kind }: Type): unknown {
  if (value === null) return null;
  if (kind === "json") return JSON.parse(String(value));
  if (typeof value === "object" && "units" in value) return textOfDecimal(value);
  if (kind !== "int") return value;
  if (!Number.isSafeInteger(Number(value))) throw new Beyond("a whole number that a program cannot hold");
  return Number(value);
}

const counts: Readonly<Record<string, number>> = { regions: 5, people: 8, orders: 9, items: 13, marks: 9 };
// They differ in case and in blanks, so a collation that is not by code point makes them equal.
const mails: readonly string[] = ["a@x", "A@x", "a@x ", "\u05D0@x", "e@x", "", "日@x"];
const documents: readonly string[] = [
  '{"n":1,"t":"a"}',
  '{"n":-0.5,"t":"\\u0001\\"\\\\"}',
  '{"n":9007199254740991,"t":null}',
  '{"n":0,"t":"日本\u{1F600}","deep":[[],{"a":[1,null]}]}',
];
const NOWHERE = 99n;

function someValue(chance: Chance, name: string, { kind, scale }: Field, id: number): Value {
  if (name === "id") return BigInt(id);
  if (name === "mail") return chance.of(mails);
  if (kind === "json") return chance.of(documents);
  if (/Id$/.test(name)) return chance.oneIn(8) && name !== "regionId" ? NOWHERE : BigInt(1 + chance.below(8));
  if (kind === "dec" && chance.oneIn(2))
    return { units: BigInt(chance.below(4) - 1) * 10n ** BigInt(scale), scale };
  return someOf(chance, { kind, scale }, false, 4);
}

function rowOf(chance: Chance, table: string, id: number): Row {
  const { fields } = tableOf(table);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.nullable && chance.oneIn(4) ? null : someValue(chance, name, field, id),
    ]),
  );
}

/** Random rows of all tables. */
export function worldOf(chance: Chance): World {
  const made = (table: string) =>
    Array.from({ length: counts[table] ?? 0 }, (_, i) => rowOf(chance, table, i + 1));
  const taken = new Set<Value>();
  const people = made("people").map((row) => {
    const mail = row["mail"] ?? null;
    const isFree = mail !== null && !taken.has(mail);
    taken.add(mail);
    return isFree ? row : { ...row, mail: null };
  });
  const orders = made("orders");
  const items = made("items").map((row) => ({ ...row, orderId: BigInt(1 + chance.below(7)) }));
  const marks = made("marks");
  const nothing = Object.fromEntries(Object.keys(tableOf("marks").fields).map((name) => [name, null]));
  const [first = nothing] = marks;
  return { regions: made("regions"), people, orders, items, marks: [...marks, nothing, first, nothing] };
}
