/**
 * Random expressions over random rows: in fields, conditions, orders and groups every server gives what an evaluator
 * gives that shares no code with the package. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import * as rowtype from "rowtype";
import { column, type Database, decimal, json, SqlError, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import { type Built, built, builtCondition, given } from "./expression-builder.js";
import { Chance } from "./expression-chance.js";
import { evaluate, evaluateCondition, unlessBeyond } from "./expression-evaluator.js";
import { anyTree, beyondEnds, conditionOf, pathOf, tooFar, treeOf } from "./expression-generator.js";
import { type GroupPlan, groupsOf } from "./expression-groups.js";
import { idOf, inOrder, isSame, shown } from "./expression-results.js";
import {
  type Condition,
  insideOf,
  operandsOf,
  type Row,
  type Tree,
  type Type,
  type Value,
  withInside,
} from "./expression-trees.js";
import { fields, rowOf } from "./expression-values.js";
import { type WindowPlan, windowsOf } from "./expression-windows.js";

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
    j: json(
      z.object({
        theme: z.string(),
        size: z.number().nullable(),
        on: z.boolean().optional(),
        'a "key.': z.string(),
        inner: z.object({ deep: z.string().nullable().optional(), list: z.array(z.number()) }).nullable(),
        tags: z.array(z.string()),
      }),
    ).nullable(),
  }),
);

/** How a number beyond its range, or a date beyond the calendar, is refused: by the server, or where it is read. */
const REFUSALS: ReadonlySet<string> = new Set(["QUERY_FAILED", "DECODE_FAILED"]);

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

/** What every server gives for an expression in each row; undefined where one of them may fail. */
function valuesOf(tree: Tree, { rows }: Sample): readonly Value[] | undefined {
  const values = unlessBeyond(() => rows.map((row) => evaluate(tree, row)));
  const isSafe = (value: Value) => typeof value !== "bigint" || Number.isSafeInteger(Number(value));
  return tree.type.kind !== "int" || values?.every(isSafe) === true ? values : undefined;
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

const noType: Type = { kind: "int", scale: 0 };

/** The functions of the package without their types. */
const made = rowtype as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Windowed>>;

interface Windowed extends Built {
  over(window: object): Built;
}

function call(func: string, ...args: readonly unknown[]): Windowed {
  const known = made[func];
  if (known === undefined) throw new Error(`no such function: ${func}`);
  return known(...args);
}

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
    const someTree = (sample: Sample) => treeIn(sample, () => anyTree(chance, depthIn(chance)));

    /** Fails with the least expression that the server has otherwise; where there is none, with the query. */
    async function fail(trees: readonly Tree[], of: Loose, facts: object, sample: Sample): Promise<never> {
      for (const tree of trees) {
        const why = await difference(tree, sample, query);
        if (!why.startsWith("no part")) expect.fail(why);
      }
      const causes = Object.values(facts).flatMap((fact) =>
        fact instanceof Error ? [String(fact), String(fact.cause)] : [],
      );
      return expect.fail(`${of.render().native.sql}\n${shown(facts)} ${causes}`);
    }

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

    test("give in fields what the evaluator gives", { timeout: patience(120_000, 60, TREES) }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        const trees = Array.from({ length: IN_A_QUERY }, () =>
          chance.oneIn(15) ? pathOf(chance, "json") : someTree(sample),
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
      timeout: patience(120_000, 60, TREES),
    }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        // A server may look at it before it chooses the rows.
        const condition = conditionIn(chance, { rows, ids: [] });
        const by = someTree(sample);
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
        await fail([...operandsOf(condition), by], of, { params, condition, by, wanted, ids }, sample);
      }
    });

    test("group rows as the evaluator does", { timeout: patience(120_000, 60, TREES) }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        const numbers = chance.of(["int", "big", "dec"] as const);
        const plan: GroupPlan = {
          by: someTree(sample),
          of: treeIn(sample, () => treeOf(chance, { kind: numbers, scale: 2 }, depthIn(chance))),
          condition: conditionIn(chance, sample),
          text: treeIn(sample, () => treeOf(chance, { kind: "text", scale: 0 }, depthIn(chance))),
          separator: chance.of([", ", "", "'", "\\", "\n"]),
          item: someTree(sample),
          order: someTree(sample),
          direction: chance.of(["asc", "desc"]),
        };
        const wanted = groupsOf(plan, sample.rows);
        if (wanted === undefined) continue;
        const params: Record<string, unknown> = { ids: sample.ids };
        const of = built(plan.of, params);
        const orderBy = [
          [built(plan.order, params), plan.direction],
          ["id", "asc"],
        ];
        const mean =
          numbers === "dec"
            ? call("avg", of)
            : call("nullIf", call("max", rowtype.value(1)), rowtype.value(1));
        const grouped = query()
          .fields(
            built(plan.by, params).as("g"),
            call("count", of).as("n"),
            call("countDistinct", of).as("d"),
            call("sum", of).as("s"),
            call("min", of).as("least"),
            call("max", of).as("most"),
            mean.as("mean"),
            call("boolAnd", builtCondition(plan.condition, params)).as("all"),
            call("boolOr", builtCondition(plan.condition, params)).as("any"),
            call("textAgg", built(plan.text, params), rowtype.value(plan.separator), { orderBy }).as("text"),
            call("listAgg", built(plan.item, params), { orderBy }).as("list"),
          )
          .where("id", "IN", "ids")
          .groupBy("g");
        const found = await grouped.exec(params).catch((error: unknown) => error);
        const texts = Array.isArray(found) ? found.map(shown).sort() : found;
        if (shown(texts) === shown(wanted)) continue;
        const { by, text, item, order, condition } = plan;
        await fail(
          [by, plan.of, text, item, order, ...operandsOf(condition)],
          grouped,
          { params, plan, wanted, texts },
          sample,
        );
      }
    });

    test("look through windows as the evaluator does", {
      timeout: patience(120_000, 60, TREES),
    }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const sample = sampleOf(chance, rows);
        const kind = chance.of(["int", "big", "dec"] as const);
        const plan: WindowPlan = {
          partition: someTree(sample),
          order: someTree(sample),
          direction: chance.of(["asc", "desc"]),
          of: treeIn(sample, () => treeOf(chance, { kind, scale: 2 }, depthIn(chance))),
          item: someTree(sample),
          away: 1 + chance.below(3),
        };
        const wanted = windowsOf(plan, sample.rows);
        if (wanted === undefined) continue;
        const params: Record<string, unknown> = { ids: sample.ids };
        const partitionBy = [built(plan.partition, params)];
        const by = [built(plan.order, params), plan.direction];
        const peers = { partitionBy, orderBy: [by] };
        const window = { partitionBy, orderBy: [by, ["id", "asc"]] };
        const within = (start: unknown, end: unknown) => ({ ...window, frame: { rows: [start, end] } });
        const [of, item] = [built(plan.of, params), built(plan.item, params)];
        const { away } = plan;
        const seen = query()
          .fields(
            "id",
            call("rowNumber").over(window).as("place"),
            call("rank").over(peers).as("rank"),
            call("denseRank").over(peers).as("dense"),
            call("ntile", away).over(window).as("bucket"),
            call("lag", item, away).over(window).as("before"),
            call("lead", item, away).over(window).as("behind"),
            call("firstValue", item).over(window).as("first"),
            call("lastValue", item).over(within("unbounded preceding", "unbounded following")).as("last"),
            call("sum", of).over(within("unbounded preceding", "current row")).as("running"),
            call("sum", of)
              .over(within({ preceding: 1 }, { following: 1 }))
              .as("near"),
            call("count").over({ partitionBy }).as("n"),
          )
          .where("id", "IN", "ids")
          .orderBy("id", "asc");
        const found = await seen.exec(params).catch((error: unknown) => error);
        if (shown(found) === shown(wanted)) continue;
        await fail(
          [plan.partition, plan.order, plan.of, plan.item],
          seen,
          { params, plan, wanted, found },
          sample,
        );
      }
    });

    /** Whether a server gives what the evaluator gives, and refuses what that refuses; says whether it refused. */
    async function isRefused(tree: Tree, row: Row): Promise<boolean> {
      const sample = { rows: [row], ids: [idOf(row)] };
      const params: Record<string, unknown> = { ids: sample.ids };
      const of = query()
        .fields("id", built(tree, params).as("x"))
        .where("id", "IN", "ids")
        .orderBy("id", "asc");
      const found = await of.exec(params).catch((error: unknown) => error);
      const values = valuesOf(tree, sample);
      const wanted = values === undefined ? undefined : given(values[0] ?? null, tree.type);
      const isRight = Array.isArray(found)
        ? values !== undefined && isSame(wanted, found[0]?.["x"])
        : values === undefined && found instanceof SqlError && REFUSALS.has(found.code);
      if (isRight) return values === undefined;
      const facts = { params, tree, row, wanted, found: Array.isArray(found) ? found : String(found) };
      return fail([], of, facts, sample);
    }

    test("refuse each step beyond an end", async () => {
      const row = rows[0] ?? {};
      for (const tree of beyondEnds()) expect(await isRefused(tree, row), shown(tree)).toBe(true);
    });

    test("refuse what no server can give", { timeout: patience(120_000, 60, TREES) }, async () => {
      for (let done = 0; done < TREES; done += IN_A_QUERY) {
        const row = chance.of(rows.slice(NEAR));
        const sample = { rows: [row], ids: [idOf(row)] };
        const tree = possible(
          () => tooFar(chance),
          (one) => insideOf(one).every((part) => valuesOf(part, sample) !== undefined),
        );
        await isRefused(tree, row);
      }
    });
  });
