/**
 * Random expressions over random rows: in fields, conditions, orders and groups every server gives what an evaluator
 * gives that shares no code with the package. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import {
  boolAnd,
  boolOr,
  column,
  count,
  countDistinct,
  type Database,
  decimal,
  max,
  min,
  sum,
  table,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import { type Built, built, builtCondition, given } from "./expression-builder.js";
import { Beyond, compared, evaluate, evaluateCondition } from "./expression-evaluator.js";
import {
  anyTree,
  Chance,
  type Condition,
  conditionOf,
  type Decimal,
  fields,
  operandsOf,
  type Row,
  rowOf,
  type Tree,
  type Type,
  treeOf,
  type Value,
  withInside,
} from "./expression-trees.js";

const SMALL = 1_200;
const TREES = rounds({ small: SMALL, full: 20_000 });
const IN_A_QUERY = 20;
const DEEPEST = 5;
const NEAR = 24;
const FAR = 8;
// A small run repeats one seed, for it guards what stands; a larger one looks for what is new.
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (TREES > SMALL ? Date.now() % 4294967296 : 12));

const Thing = table(
  "random_things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    i1: z.int(),
    i2: z.int().nullable(),
    b1: z.bigint(),
    b2: z.bigint().nullable(),
    p2: decimal(10, 2),
    p4: decimal(9, 4).nullable(),
    p0: decimal(6, 0).nullable(),
    n1: z.number(),
    n2: z.number().nullable(),
    t1: z.string(),
    t2: z.string().nullable(),
    f1: z.boolean(),
    f2: z.boolean().nullable(),
    d1: z.date(),
    d2: z.date().nullable(),
  }),
);

interface Answer {
  readonly id: number;
  readonly [alias: string]: unknown;
}

/** A query whose methods take what the compiler does not know. */
interface Loose {
  fields(...fields: readonly unknown[]): Loose;
  where(field: string, operator: string, param: string): Loose;
  whereAnd(...conditions: readonly unknown[]): Loose;
  orderBy(operand: unknown, direction: "asc" | "desc"): Loose;
  groupBy(...operands: readonly unknown[]): Loose;
  render(): { readonly native: { readonly sql: string } };
  exec(params: Readonly<Record<string, unknown>>): Promise<readonly Answer[]>;
}

/** Rows, and the parameter that chooses them. */
interface Sample {
  readonly rows: readonly Row[];
  readonly ids: readonly number[];
}

const idOf = (row: Row) => Number(row["id"]);

/** What every server gives for an expression in each row; undefined where one of them may fail. */
function valuesOf(tree: Tree, { rows }: Sample): readonly Value[] | undefined {
  try {
    const values = rows.map((row) => evaluate(tree, row));
    const isSafe = (value: Value) => typeof value !== "bigint" || Number.isSafeInteger(Number(value));
    return tree.type.kind !== "int" || values.every(isSafe) ? values : undefined;
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

function sampleOf(chance: Chance, rows: readonly Row[]): Sample {
  const far = rows.slice(NEAR);
  const some = chance.oneIn(4) ? [chance.of(far), chance.of(far)] : rows.slice(0, NEAR);
  const chosen = [...new Set(some)].sort((one, other) => idOf(one) - idOf(other));
  return { rows: chosen, ids: chosen.map(idOf) };
}

/** Makes something until every server can give it. */
function possible<T>(make: () => T, isPossible: (made: T) => boolean): T {
  for (;;) {
    const made = make();
    if (isPossible(made)) return made;
  }
}

function treeIn(sample: Sample, make: () => Tree): Tree {
  return possible(make, (tree) => valuesOf(tree, sample) !== undefined);
}

function conditionIn(chance: Chance, sample: Sample): Condition {
  return possible(
    () => conditionOf(chance, chance.below(DEEPEST)),
    (condition) => operandsOf(condition).every((tree) => valuesOf(tree, sample) !== undefined),
  );
}

const depthIn = (chance: Chance) => 1 + chance.below(DEEPEST);

/** An expression as the server that gives something else has it, with the least part of it that differs. */
async function difference(tree: Tree, sample: Sample, query: () => Loose): Promise<string> {
  for (const part of withInside(tree)) {
    // Alone it has nothing beside it.
    if (part.op === "param" && !part.typed) continue;
    const params: Record<string, unknown> = { ids: sample.ids };
    const of = query()
      .fields("id", built(part, params).as("x"))
      .where("id", "IN", "ids")
      .orderBy("id", "asc");
    const wanted = (valuesOf(part, sample) ?? []).map((value) => given(value, part.type));
    try {
      const found = (await of.exec(params)).map((row) => row["x"]);
      const at = wanted.findIndex((value, i) => !isSame(value, found[i]));
      if (at === -1) continue;
      const row = sample.rows[at] ?? {};
      return `${of.render().native.sql}\n${shown({ params, row, part, expected: wanted[at], received: found[at] })}`;
    } catch (error) {
      return `${of.render().native.sql}\n${shown({ params, part })}\n${String(error)}: ${String((error as Error).cause)}`;
    }
  }
  return "no part of it alone differs";
}

const shown = (what: unknown): string =>
  JSON.stringify(what, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  return Object.is(one, other);
}

/** Rows in the order of an expression, in which NULL is greater than all. */
function inOrder(rows: readonly Row[], by: Tree, direction: "asc" | "desc"): readonly Row[] {
  const keyed = rows.map((row) => ({ row, key: evaluate(by, row) }));
  const sign = direction === "asc" ? 1 : -1;
  const order = (one: Value, other: Value) =>
    one === null || other === null ? Number(one === null) - Number(other === null) : compared(one, other);
  return keyed
    .sort((one, other) => sign * order(one.key, other.key) || idOf(one.row) - idOf(other.row))
    .map(({ row }) => row);
}

const noType: Type = { kind: "int", scale: 0 };

/** The groups of rows by an expression, with what another one is in each; undefined where a sum may fail. */
function sumsOf(by: Tree, of: Tree, condition: Condition, { rows }: Sample): readonly string[] | undefined {
  const groups = new Map<
    string,
    { readonly g: unknown; readonly values: Value[]; readonly truths: (boolean | null)[] }
  >();
  for (const row of rows) {
    const g = given(evaluate(by, row), by.type);
    const group = groups.get(shown(g)) ?? { g, values: [], truths: [] };
    groups.set(shown(g), group);
    group.values.push(evaluate(of, row));
    group.truths.push(evaluateCondition(condition, row));
  }
  const { kind, scale } = of.type;
  const lines: string[] = [];
  for (const { g, values, truths } of groups.values()) {
    const told = truths.filter((truth) => truth !== null);
    const all = told.length === 0 ? null : told.every(Boolean);
    const any = told.length === 0 ? null : told.some(Boolean);
    const known = values.filter((value) => value !== null);
    const [first = null] = known;
    const units = known.map((value) => (typeof value === "bigint" ? value : (value as Decimal).units));
    const total = units.reduce((sum, one) => sum + one, 0n);
    // A sum of bigints may have more bits than they.
    const most = kind === "int" ? 2n ** 53n : kind === "dec" ? 2n ** 63n : undefined;
    if (most !== undefined && (total >= most || total <= -most)) return undefined;
    const sum = first === null ? null : kind === "dec" ? { units: total, scale } : total;
    const edge = (sign: number) =>
      known.reduce<Value>(
        (one, value) => (one === null || compared(value, one) * sign > 0 ? value : one),
        null,
      );
    const d = new Set(units.map(String)).size;
    const [s, least, greatest] = [sum, edge(-1), edge(1)].map((value) => given(value, of.type));
    lines.push(shown({ g, n: known.length, d, s, least, most: greatest, all, any }));
  }
  return lines.sort();
}

type Aggregate = (of: unknown) => Built;
const aggregates = { boolAnd, boolOr, count, countDistinct, sum, min, max } as unknown as Readonly<
  Record<"boolAnd" | "boolOr" | "count" | "countDistinct" | "sum" | "min" | "max", Aggregate>
>;

for (const server of servers.filter(({ name }) => name !== "oracle" && name !== "h2"))
  describe.skipIf(!server.available)(`random expressions on ${server.name}, with seed ${SEED}`, () => {
    let lent: Lent;
    let db: Database;
    const chance = new Chance(SEED);
    const rows = [
      ...Array.from({ length: NEAR }, (_, i) => rowOf(chance, i + 1, false)),
      ...Array.from({ length: FAR }, (_, i) => rowOf(chance, NEAR + i + 1, true)),
    ];
    const types: Readonly<Record<string, Type>> = { id: { kind: "int", scale: 0 }, ...fields };
    const query = () => db.repository(Thing).query() as unknown as Loose;

    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db;
      await db.createTables(Thing);
      const records = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, given(value, types[name] ?? noType)]),
        ),
      );
      await db
        .repository(Thing)
        .insert()
        .execBatch(records as never);
    });
    afterAll(() => lent.close());

    test("give in fields what the evaluator gives", { timeout: patience(30_000, 20, TREES) }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        const trees = Array.from({ length: IN_A_QUERY }, () =>
          treeIn(sample, () => anyTree(chance, depthIn(chance))),
        );
        const params: Record<string, unknown> = { ids: sample.ids };
        const aliased = trees.map((tree, i) => built(tree, params).as(`x${i}`));
        const found = await query()
          .fields("id", ...aliased)
          .where("id", "IN", "ids")
          .orderBy("id", "asc")
          .exec(params)
          .catch((error: unknown) => error);
        if (!Array.isArray(found)) {
          for (const tree of trees) {
            const why = await difference(tree, sample, query);
            if (!why.startsWith("no part")) expect.fail(why);
          }
          throw found;
        }
        for (const [i, tree] of trees.entries()) {
          const wanted = (valuesOf(tree, sample) ?? []).map((value) => given(value, tree.type));
          const isRight = wanted.every((value, at) => isSame(value, found[at]?.[`x${i}`]));
          if (!isRight) expect.fail(await difference(tree, sample, query));
        }
        expect(found.map(({ id }) => id)).toEqual(sample.ids);
      }
    });

    test("choose and order rows as the evaluator does", {
      timeout: patience(30_000, 20, TREES),
    }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        // A server may look at it before it chooses the rows.
        const condition = conditionIn(chance, { rows, ids: [] });
        const by = treeIn(sample, () => anyTree(chance, depthIn(chance)));
        const direction = chance.of(["asc", "desc"] as const);
        const params: Record<string, unknown> = { ids: sample.ids };
        const of = query()
          .fields("id")
          .where("id", "IN", "ids")
          .whereAnd(builtCondition(condition, params))
          .orderBy(built(by, params), direction)
          .orderBy("id", "asc");
        const found = await of.exec(params).catch((error: unknown) => error);
        const chosen = sample.rows.filter((row) => evaluateCondition(condition, row) === true);
        const wanted = inOrder(chosen, by, direction).map(idOf);
        const ids = Array.isArray(found) ? found.map(({ id }: Answer) => id) : found;
        if (shown(ids) === shown(wanted)) continue;
        for (const tree of [...operandsOf(condition), by]) {
          const why = await difference(tree, sample, query);
          if (!why.startsWith("no part")) expect.fail(why);
        }
        expect.fail(
          `${of.render().native.sql}\n${shown({ params, condition, by, wanted, ids })} ${String((ids as Error).cause)}`,
        );
      }
    });

    test("group rows as the evaluator does", { timeout: patience(30_000, 20, TREES) }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        const by = treeIn(sample, () => anyTree(chance, depthIn(chance)));
        const kind = chance.of(["int", "big", "dec"] as const);
        const of = treeIn(sample, () => treeOf(chance, { kind, scale: 2 }, depthIn(chance)));
        const condition = conditionIn(chance, sample);
        const sums = sumsOf(by, of, condition, sample);
        if (sums === undefined) continue;
        const params: Record<string, unknown> = { ids: sample.ids };
        const gathered = built(of, params);
        const grouped = query()
          .fields(
            built(by, params).as("g"),
            aggregates.count(gathered).as("n"),
            aggregates.countDistinct(gathered).as("d"),
            aggregates.sum(gathered).as("s"),
            aggregates.min(gathered).as("least"),
            aggregates.max(gathered).as("most"),
            aggregates.boolAnd(builtCondition(condition, params)).as("all"),
            aggregates.boolOr(builtCondition(condition, params)).as("any"),
          )
          .where("id", "IN", "ids")
          .groupBy("g");
        const found = await grouped.exec(params).catch((error: unknown) => error);
        const texts = Array.isArray(found) ? found.map(shown).sort() : found;
        if (shown(texts) === shown(sums)) continue;
        for (const tree of [by, of, ...operandsOf(condition)]) {
          const why = await difference(tree, sample, query);
          if (!why.startsWith("no part")) expect.fail(why);
        }
        expect.fail(
          `${grouped.render().native.sql}\n${shown({ params, by, of, condition, sums, texts })} ${String((texts as Error).cause)}`,
        );
      }
    });
  });
