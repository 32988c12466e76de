/**
 * Two tables of the same rows, with values of every kind, and random batches for them: one table is changed by the
 * batches, the other record by record.
 */
import {
  abs,
  add,
  c,
  column,
  concat,
  type Database,
  decimal,
  json,
  lower,
  mul,
  param,
  sub,
  table,
  value,
} from "rowtype";
import { z } from "zod";

const FRUIT = ["low", "high", "Ann", "ann", "ANN ", "Änn", "a\u0301nn", "straße", "STRASSE", "ЖЖ", "жж"];
const ODD = [
  "",
  " ",
  "日本",
  "ﬁ",
  "fi",
  "a-b",
  "ab",
  "😀",
  "😁",
  "ñ\"\\'\n\t",
  "%_",
  "ı",
  "I",
  "æ",
  "ae",
  "null",
];
const TEXTS: readonly string[] = [...FRUIT, ...ODD, "{a,NULL}", "\\x00", "x".repeat(300)];

export const kinds = table("kinds", z.object({ id: column(z.int(), { primaryKey: true }) }));

const folding = {
  postgres: 'text COLLATE "batch_folding"',
  mariadb: "varchar(400) COLLATE utf8mb4_unicode_ci",
  sqlite: "TEXT COLLATE NOCASE",
};

/** A table of items: `batched` and `single` are two of them. */
export const items = (name: string) =>
  table(
    name,
    z.object({
      pk: column(z.int(), { primaryKey: true }),
      a: z.int(),
      b: z.int(),
      code: column(z.string(), { unique: true }),
      label: column(z.string(), { type: folding }),
      note: z.string().nullable(),
      n: column(z.int(), { check: { postgres: "n < 1000", mariadb: "n < 1000", sqlite: "n < 1000" } }),
      small: column(z.int(), { type: { postgres: "smallint", mariadb: "smallint" } }),
      short: column(z.string(), { type: { postgres: "varchar(12)", mariadb: "varchar(12)" } }),
      share: z.number(),
      single: column(z.number(), { type: { postgres: "real", mariadb: "float" } }),
      big: z.bigint(),
      amount: decimal(12, 3),
      flag: z.boolean().nullable(),
      at: z.date(),
      fine: column(z.date(), { type: { postgres: "timestamptz(6)", mariadb: "datetime(6)" } }),
      day: column(z.date(), { type: { postgres: "date", mariadb: "date" } }),
      bytes: z.instanceof(Uint8Array),
      doc: json(z.object({ x: z.int().optional(), s: z.string(), l: z.array(z.number()) })),
      tags: z.array(z.string()),
      bigs: z.array(z.bigint()),
      uuid: column(z.uuid(), { type: { postgres: "uuid" } }),
      mood: column(z.enum(["low", "high"]), {
        type: { postgres: "batch_mood", mariadb: "enum('low','high')" },
      }),
      kindId: column(z.int(), { references: () => kinds }),
    }),
    { unique: [["a", "b"]] },
  );

export type Item = z.infer<ReturnType<typeof items>["schema"]>;
export type Field = keyof Item;
type ItemTable = ReturnType<typeof items>;

export const repositoryOf = (db: Database, of: ItemTable) =>
  (db as unknown as Database<"sqlite">).repository(of);
export type Repository = ReturnType<typeof repositoryOf>;

/** A source of chance whose run can be repeated. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  upTo(most: number): number {
    return Math.floor(this.next() * most);
  }

  of<T>(list: readonly T[]): T {
    return list[this.upTo(list.length)] as T;
  }

  some<T>(list: readonly T[], least: number, most: number): T[] {
    const left = [...list];
    const count = Math.min(left.length, least + this.upTo(most - least + 1));
    return Array.from({ length: count }, () => left.splice(this.upTo(left.length), 1)[0] as T);
  }
}

const YEAR = 31_536_000_000;
const day = (i: number) => new Date(Date.UTC(2020, 0, 1 + i));

/** A value of each field: most of them from a few, so that records meet the same rows. */
export const valuesOf: { readonly [F in Field]: (chance: Chance) => Item[F] } = {
  pk: (chance) => chance.upTo(24),
  a: (chance) => chance.upTo(5),
  b: (chance) => chance.upTo(5),
  code: (chance) => (chance.next() < 0.9 ? `c${chance.upTo(30)}` : chance.of(TEXTS)),
  label: (chance) => chance.of(TEXTS),
  note: (chance) => (chance.next() < 0.2 ? null : chance.of(TEXTS)),
  n: (chance) => chance.upTo(40) - 20,
  small: (chance) => (chance.next() < 0.98 ? chance.upTo(50) : 40_000),
  short: (chance) => (chance.next() < 0.98 ? chance.of(FRUIT) : "x".repeat(20)),
  share: (chance) => chance.of([0, 0.1, 1 / 3, -2.5e-7, 1e21, 12.34, 5e-324, chance.next()]),
  single: (chance) => chance.of([0.5, 0.1, 0.100_000_001_4, -3.25, 1e10]),
  big: (chance) => chance.of([0n, 2n ** 53n + 1n, 2n ** 62n + 1n, -(2n ** 62n), 9_007_199_254_740_993n]),
  amount: (chance) => chance.of(["0", "1.5", "1.500", "-12345678.901", "999999999.999", "0.001"]),
  flag: (chance) => chance.of([true, false, null]),
  at: (chance) => new Date(Date.UTC(2026, 0, 1) + chance.upTo(4) * 500),
  fine: (chance) => new Date(Date.UTC(1970, 0, 1) + chance.upTo(4) * 1001 - YEAR * chance.upTo(60)),
  day: (chance) => day(chance.upTo(5)),
  bytes: (chance) => chance.of([new Uint8Array(), new Uint8Array([0, 255, 39]), new Uint8Array([92, 120])]),
  doc: (chance) => ({ x: chance.upTo(3), s: chance.of(TEXTS), l: [0.1, chance.upTo(2)] }),
  tags: (chance) => chance.some(TEXTS, 0, 3),
  bigs: (chance) => chance.some([1n, 2n ** 60n + 1n, -5n], 0, 2),
  uuid: (chance) => {
    const text = `a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1${chance.upTo(6)}`;
    return chance.next() < 0.5 ? text : text.toUpperCase();
  },
  mood: (chance) => chance.of(["low", "high"]),
  kindId: (chance) => (chance.next() < 0.98 ? 1 + chance.upTo(4) : 99),
};

export const fields = Object.keys(valuesOf) as readonly Field[];

/** A row that both tables get. */
export function rowOf(chance: Chance, pk: number): Item {
  const made = Object.fromEntries(fields.map((field) => [field, valuesOf[field](chance)]));
  const row = { ...(made as unknown as Item), pk, a: pk % 5, b: Math.floor(pk / 5), code: `c${pk}` };
  return { ...row, kindId: 1 + (pk % 4), small: pk, short: chance.of(FRUIT), n: row.n };
}

type Modify = ReturnType<ReturnType<Repository["modify"]>["dynamic"]>;
type Remove = ReturnType<ReturnType<Repository["remove"]>["dynamic"]>;

/** What updates and removals have in common here. */
interface Filters {
  where(operand: unknown, operator: string, param: string): this;
  whereNotNull(field: Field): this;
  whereAnd(...conditions: readonly unknown[]): this;
  whereOr(...conditions: readonly unknown[]): this;
}

/** A step of a builder, with the values of its parameters. */
interface Step<B> {
  readonly says: string;
  readonly on: (builder: B) => B;
  readonly params: Readonly<Record<string, (chance: Chance) => unknown>>;
}

const assigned = (field: Exclude<Field, "pk">): Step<Modify> => ({
  says: `set ${field}`,
  on: (builder) => builder.set(field, `new_${field}`),
  params: { [`new_${field}`]: valuesOf[field] },
});

const plainSets = fields.filter((field): field is Exclude<Field, "pk"> => field !== "pk").map(assigned);

/** What sets a field by calculating; each names the field. */
const calculated: readonly (readonly [Field, Step<Modify>])[] = [
  ["n", step("n + :by", (b) => b.setExpr("n", "+", "by"), { by: (chance) => chance.of([1, 2, 7, 400]) })],
  [
    "small",
    step("small - :less", (b) => b.setExpr("small", "-", "less"), { less: (chance) => chance.upTo(9) }),
  ],
  [
    "share",
    step("share * :times", (b) => b.setExpr("share", "*", "times"), { times: (chance) => chance.next() }),
  ],
  [
    "big",
    step("big + :more", (b) => b.setExpr("big", "+", "more"), {
      more: (chance) => chance.of([1n, 2n ** 62n]),
    }),
  ],
  ["amount", step("amount + :paid", (b) => b.setExpr("amount", "+", "paid"), { paid: () => "0.125" })],
  [
    "n",
    step("n = n * 2 - :m", (b) => b.set("n", sub(mul("n", value(2)), param("m"))), {
      m: (chance) => chance.upTo(9),
    }),
  ],
  ["a", step("a = a + b", (b) => b.set("a", add("a", "b")), {})],
  [
    "note",
    step("note = note || :end", (b) => b.set("note", concat("label", param("end", z.string()))), {
      end: (chance) => chance.of(TEXTS),
    }),
  ],
  ["n", step("n = abs(n)", (b) => b.set("n", abs("n")), {})],
  ["doc", step("doc.x", (b) => b.setPath("doc", ["x"], "x"), { x: (chance) => chance.upTo(99) })],
  [
    "doc",
    step("doc.s, doc.l[1]", (b) => b.setPath("doc", ["s"], "s").setPath("doc", ["l", 1], "l1"), {
      s: (chance) => chance.of(TEXTS),
      l1: (chance) => chance.next(),
    }),
  ],
];

function step(says: string, on: Step<Modify>["on"], params: Step<Modify>["params"]): Step<Modify> {
  return { says, on, params };
}

const equal = (field: Field): Step<Filters> => ({
  says: `${field} =`,
  on: (builder) => builder.where(field, "=", `is_${field}`),
  params: { [`is_${field}`]: (chance) => valuesOf[field](chance) ?? "Ann" },
});

const KEYS: readonly (readonly Field[])[] = [["pk"], ["pk"], ["pk"], ["code"], ["a", "b"], ["uuid", "mood"]];
const comparable = fields.filter(
  (field) => field !== "doc" && field !== "flag" && field !== "tags" && field !== "bigs",
);

const others: readonly Step<Filters>[] = [
  {
    says: "n >=",
    on: (b) => b.where("n", ">=", "least"),
    params: { least: (chance) => chance.upTo(40) - 20 },
  },
  { says: "note not null", on: (b) => b.whereNotNull("note"), params: {} },
  {
    says: "lower(label)",
    on: (b) => b.where(lower("label"), "=", "lowered"),
    params: { lowered: () => "ann" },
  },
  {
    says: "group",
    on: (b) => b.whereAnd(c("mood", "=", "m1"), c("small", "=", "s1")),
    params: { m1: valuesOf.mood, s1: valuesOf.pk },
  },
  {
    says: "or",
    on: (b) => b.whereOr(c("mood", "=", "m2"), c("b", "=", "b2")),
    params: { m2: valuesOf.mood, b2: valuesOf.b },
  },
];

/** A random batch: what it does, and its records. */
export interface Plan {
  readonly kind: "modify" | "remove";
  readonly method: "execBatch" | "execEach";
  /** Whether records may exchange unique values. */
  readonly exchanges: boolean;
  readonly says: string;
  readonly modify: (repository: Repository) => Modify;
  readonly remove: (repository: Repository) => Remove;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

export function planOf(chance: Chance): Plan {
  const kind = chance.next() < 0.85 ? "modify" : "remove";
  const method = chance.next() < 0.5 ? "execBatch" : "execEach";
  const keyFields = chance.next() < 0.75 ? chance.of(KEYS) : chance.some(comparable, 1, 3);
  const conditions = [...keyFields.map(equal), ...(chance.next() < 0.12 ? [chance.of(others)] : [])];
  const taken = new Set<Field>(chance.next() < 0.05 ? [] : keyFields);
  const sets: Step<Modify>[] = [];
  if (kind === "modify") {
    for (const [field, one] of chance.some(calculated, 0, 3))
      if (!taken.has(field)) {
        taken.add(field);
        sets.push(one);
      }
    for (const one of chance.some(plainSets, sets.length === 0 ? 1 : 0, 4)) {
      const field = one.says.slice(4) as Field;
      if (taken.has(field) || (RARE.has(field) && chance.next() < 0.7)) continue;
      taken.add(field);
      sets.push(one);
    }
    if (sets.length === 0) sets.push(assigned("share"));
  }
  const returning = method === "execEach" && chance.next() < 0.2;
  const steps: readonly Pick<Step<never>, "says" | "params">[] = [...sets, ...conditions];
  const params = Object.assign({}, ...steps.map((one) => one.params), returning ? { plus: valuesOf.b } : {});
  const record = () =>
    Object.fromEntries(
      Object.entries(params as Step<Modify>["params"]).map(([name, of]) => [name, of(chance)]),
    );
  const filled = <B>(builder: B, list: readonly Step<B>[]) =>
    list.reduce((made, { on }) => on(made), builder);
  // The conditions leave the kind of a builder as it is.
  const where = <B extends Modify | Remove>(builder: B): B =>
    filled(builder as unknown as Filters, conditions) as unknown as B;
  const shown = <B extends Modify | Remove>(builder: B): B =>
    returning
      ? (builder.returning("pk", "label", add("a", param("plus")).as("sum")) as unknown as B)
      : builder;
  return {
    kind,
    method,
    exchanges: sets.some(({ says }) => /\b(?:a|b|code)\b/.test(says)),
    says: `${kind}.${method}: ${steps.map(({ says }) => says).join("; ")}`,
    modify: (repository) => shown(where(filled(repository.modify().dynamic(), sets))),
    remove: (repository) => shown(where(repository.remove().dynamic())),
    records: Array.from({ length: chance.of([1, 2, 3, 5, 12, 30]) }, record),
  };
}

// Fields of which many values are refused.
const RARE: ReadonlySet<Field> = new Set(["code", "a", "b", "kindId"]);
