/**
 * Random orders, walked page by page: every row comes once and in order, while other rows are inserted, changed and
 * deleted beside the walk. In full there are 2,000 walks on each server. `ROWTYPE_SEED` repeats a run.
 */
import { column, type Database, decimal, many, one, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { cutInto, type Walked, walk } from "../kit/walk.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, serversAndLocales, titleOf } from "../servers.js";
import { Chance } from "./expression-chance.js";

const SMALL = 60;
const WALKS = rounds({ small: SMALL, full: 2_000 });
const ROWS = 70;
/** Joined rows, and those that are added before the walk has seen as many as there were, one on a page each. */
const MOST_PAGES = 6 * ROWS;
// A small run repeats one seed, for it guards what stands; a larger one looks for what is new.
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (WALKS > SMALL ? Date.now() % 4294967296 : 7));

const owners = table(
  "walk_owners",
  z.object({ id: column(z.int(), { primaryKey: true }), rank: z.int().nullable(), name: z.string() }),
);
const marks = table(
  "walk_marks",
  z.object({ id: column(z.int(), { primaryKey: true }), eventId: z.int(), weight: z.number().nullable() }),
);
const events = table(
  "walk_events",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    ownerId: z.int().nullable(),
    i1: z.int(),
    i2: z.int().nullable(),
    b1: z.bigint(),
    b2: z.bigint().nullable(),
    p1: decimal(18, 6),
    p2: decimal(6, 2).nullable(),
    n1: z.number(),
    n2: z.number().nullable(),
    t1: z.string(),
    t2: z.string().nullable(),
    f1: z.boolean(),
    f2: z.boolean().nullable(),
    d1: z.date(),
    d2: z.date().nullable(),
  }),
  { relations: { owner: one("owners", "ownerId"), marks: many("marks", "eventId") } },
);
const tables = { owners, marks, events };

/** A query whose methods take what the compiler does not know. */
interface Loose {
  leftJoin(path: string): Loose;
  with(relation: string, query?: Loose): Loose;
  limit(rows: number): Loose;
  fields(...fields: readonly string[]): Loose;
  where(field: string, operator: string, param: string): Loose;
  orderBy(field: string, direction: string): Loose;
  orderByNulls(field: string, direction: string, nulls: string): Loose;
  page(size: number): Walked<Row>;
  exec(params: object): Promise<Row[]>;
}

interface Row {
  readonly id: number;
  readonly [part: string]: unknown;
}

const own = ["i1", "i2", "b1", "b2", "p1", "p2", "n1", "n2", "t1", "t2", "f1", "f2", "d1", "d2", "ownerId"];

const some = {
  i: [-1, 0, 1, 2, 9_007_199_254_740_991],
  b: [-(2n ** 63n), 0n, 9_007_199_254_740_993n, 2n ** 63n - 1n],
  p1: ["-0.000001", "0.000000", "123456789012.012345", "123456789012.012346"],
  p2: ["-1.50", "0.00", "9999.99"],
  n: [-0.1, 0, 0.1, 0.30000000000000004, 1e300, 5e-320],
  t: ["a", "A", "b", "Z", "é", "a b", "~", "%", "\u{1f600}"],
  d: [0, 1, 999, 1_000, 1_500_000_000_123].map((ms) => new Date(ms)),
} as const;

class Walks extends Chance {
  orNull<T>(value: T): T | null {
    return this.below(4) === 0 ? null : value;
  }

  event(id: number) {
    return {
      id,
      ownerId: this.orNull(1 + this.below(5)),
      i1: this.of(some.i),
      i2: this.orNull(this.of(some.i)),
      b1: this.of(some.b),
      b2: this.orNull(this.of(some.b)),
      p1: this.of(some.p1),
      p2: this.orNull(this.of(some.p2)),
      n1: this.of(some.n),
      n2: this.orNull(this.of(some.n)),
      t1: this.of(some.t),
      t2: this.orNull(this.of(some.t)),
      f1: this.below(2) === 0,
      f2: this.orNull(this.below(2) === 0),
      d1: this.of(some.d),
      d2: this.orNull(this.of(some.d)),
    };
  }

  /** A query in a random order that holds the keys. */
  query({ events, marks, nests }: Started): { readonly query: Loose; readonly params: object } {
    let query = events;
    const terms: string[] = [];
    const params: Record<string, unknown> = {};
    const joins = this.below(3);
    if (joins > 0) query = query.leftJoin("owner");
    if (joins === 2) query = query.leftJoin("marks");
    const names =
      joins === 0 ? own : [...own, "owner.rank", "owner.name", ...(joins === 2 ? ["marks.weight"] : [])];
    for (let left = this.below(4); left > 0; left--) terms.push(this.of(names));
    terms.splice(this.below(terms.length + 1), 0, "id");
    if (joins === 2) terms.splice(this.below(terms.length + 1), 0, "marks.id");
    for (const term of terms) {
      const direction = this.of(["asc", "desc"]);
      query =
        this.below(3) === 0
          ? query.orderByNulls(term, direction, this.of(["first", "last"]))
          : query.orderBy(term, direction);
    }
    if (this.below(3) === 0) {
      query = query.where("f1", "=", "f1");
      params["f1"] = true;
    }
    // The values of the order are read whether the rows hold them or not.
    if (joins > 0 || this.below(2) === 0)
      query = query.fields("id", this.of(own), ...(joins === 2 ? ["marks.id", "owner.name"] : []));
    // Nested rows stand beside the joined ones, under names that no join has.
    if (nests && joins === 0 && this.below(3) === 0) query = query.with("owner");
    if (nests && joins < 2 && this.below(3) === 0) {
      const inside = marks.orderBy("weight", "desc").orderBy("id", "asc");
      query = query.with("marks", this.below(2) === 0 ? inside : inside.fields("weight").limit(2));
    }
    return { query, params };
  }
}

/** What a walk is made of: all events, and all marks to nest in them. */
interface Started {
  readonly events: Loose;
  readonly marks: Loose;
  readonly nests: boolean;
}

// A joined mark is a part with a key; nested ones are a list, and do not tell rows apart.
const keyOf = (row: Row) => `${row.id}/${(row["marks"] as { id?: number } | null | undefined)?.id ?? ""}`;

describe.each(
  serversAndLocales
    .filter(({ available }) => available)
    .map((server) => ({ title: titleOf(server), server })),
)("walks on $title", ({ server }) => {
  let lent: Lent;
  let of: ReturnType<typeof typed>;
  const typed = (db: Database) => (db as Database<"sqlite">).repositories(tables);
  const chance = new Walks(SEED);
  const start = (): Started => ({
    events: of.events.query() as unknown as Loose,
    marks: of.marks.query() as unknown as Loose,
    // H2 has no JSON lists that are large objects.
    nests: server.name !== "h2",
  });

  beforeAll(async () => {
    lent = await server.lend();
    await lent.db.createTables(owners, events, marks);
    of = typed(lent.db);
    const ranks = [1, null, 2, null, 2];
    await of.owners
      .insert()
      .execBatch(ranks.map((rank, i) => ({ id: i + 1, rank, name: i < 3 ? "n" : "N" })));
    await of.events.insert().execBatch(Array.from({ length: ROWS }, (_, i) => chance.event(i + 1)));
    await of.marks.insert().execBatch(
      Array.from({ length: ROWS }, (_, i) => ({
        id: i + 1,
        eventId: 1 + chance.below(ROWS),
        weight: chance.orNull(chance.below(3)),
      })),
    );
  });
  afterAll(() => lent.close());

  test(
    `${WALKS} random orders give what the whole query gives`,
    async () => {
      for (let number = 0; number < WALKS; number++) {
        const { query: asked, params } = chance.query(start());
        const size = 1 + chance.below(12);
        const title = `seed ${SEED}, walk ${number}`;
        const whole = await asked.exec(params);
        const walked = await walk(asked.page(size), { params, most: whole.length + 1, title });
        expect(walked, title).toEqual(cutInto(whole, size));
      }
    },
    patience(60_000, 1_000, WALKS),
  );

  test(
    "rows that stay come once and in order, while others come and go",
    async () => {
      let nextId = 1_000;
      for (let number = 0; number < WALKS; number++) {
        const { query: asked, params } = chance.query(start());
        const before = new Set((await asked.exec(params)).map(keyOf));
        const title = `seed ${SEED}, walk ${number}`;
        let seenSoFar = 0;
        const between = async (rows: readonly Row[]) => {
          seenSoFar += rows.length;
          // The row at which the next page begins may be gone when it is read.
          const gone = chance.of([...rows.map(({ id }) => id), 1 + chance.below(ROWS)]);
          await of.events.remove().where("id", "=", "id").exec({ id: gone });
          // With ever more rows behind it no walk would end.
          if (seenSoFar > ROWS) return;
          await of.events.insert().execBatch([chance.event(nextId++), chance.event(nextId++)]);
        };
        const pages = asked.page(1 + chance.below(12));
        const walked = await walk(pages, { params, most: MOST_PAGES, title, between });
        const keys = walked.flat().map(keyOf);
        expect(new Set(keys).size, `${title}: a row came twice`).toBe(keys.length);
        const now = (await asked.exec(params)).map(keyOf);
        const seen = new Set(keys);
        const stayed = now.filter((key) => before.has(key));
        expect(
          stayed.filter((key) => !seen.has(key)),
          `${title}: lost`,
        ).toEqual([]);
        const still = new Set(now);
        expect(keys.filter((key) => still.has(key))).toEqual(now.filter((key) => seen.has(key)));
        // As many rows for the next walk.
        await of.events.remove().where("id", ">", "most").exec({ most: ROWS });
        const there = new Set((await of.events.query().fields("id").exec()).map(({ id }) => id));
        const missing = Array.from({ length: ROWS }, (_, i) => i + 1).filter((id) => !there.has(id));
        await of.events.insert().execBatch(missing.map((id) => chance.event(id)));
      }
    },
    patience(60_000, 3_000, WALKS),
  );
});
