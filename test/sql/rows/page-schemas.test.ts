/** Cursors that were made before their table was declared anew: they serve its pages, or are refused. */
import { type AnyTable, column, type Database, decimal, ParameterError, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Pages, Untyped } from "../../kit/shop.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true });
const declared = (shape: z.ZodRawShape, name = "versions"): AnyTable =>
  table(name, z.object({ id: id(), ...shape })) as unknown as AnyTable;

interface Change {
  readonly name: string;
  readonly before: AnyTable;
  readonly after: AnyTable;
  /** The value of the ordered field in the row `id`, before and after. */
  readonly valueBefore: (id: number) => unknown;
  readonly valueAfter?: (id: number) => unknown;
  readonly field?: readonly [before: string, after: string];
  /** The order after the change, if it is another. */
  readonly orderAfter?: readonly string[];
  readonly isRefused: boolean;
}

const number = (n: number) => Math.floor(n / 2);
const digits = (n: number) => `${number(n)}.50`;
const letters = (n: number) => `t${number(n)}`;
const unlessFirst = (n: number) => (n < 3 ? null : number(n));
const day = (n: number) => new Date(Date.UTC(2024, 1, 1 + number(n), 8, 9, 10, 120));

const changes: readonly Change[] = [
  {
    name: "a column has another name in the database",
    before: declared({ of: column(z.int(), { name: "of_before" }) }),
    after: declared({ of: column(z.int(), { name: "of_after" }) }),
    valueBefore: number,
    isRefused: false,
  },
  {
    name: "a column was added",
    before: declared({ of: z.int() }),
    after: declared({ of: z.int(), more: z.string().nullable() }),
    valueBefore: number,
    isRefused: false,
  },
  {
    name: "the field has another name",
    before: declared({ of: z.int() }),
    after: declared({ is: z.int() }),
    valueBefore: number,
    field: ["of", "is"],
    isRefused: true,
  },
  {
    name: "the field is gone",
    before: declared({ of: z.int() }),
    after: declared({ is: z.int() }),
    valueBefore: number,
    field: ["of", "is"],
    orderAfter: ["id"],
    isRefused: true,
  },
  {
    name: "the table has another name",
    before: declared({ of: z.int() }),
    after: declared({ of: z.int() }, "versions_after"),
    valueBefore: number,
    isRefused: true,
  },
  {
    name: "numbers are texts",
    before: declared({ of: z.int() }),
    after: declared({ of: z.string() }),
    valueBefore: number,
    valueAfter: letters,
    isRefused: true,
  },
  {
    name: "texts are numbers",
    before: declared({ of: z.string() }),
    after: declared({ of: z.int() }),
    valueBefore: letters,
    valueAfter: number,
    isRefused: true,
  },
  {
    name: "numbers are bigints",
    before: declared({ of: z.int() }),
    after: declared({ of: z.bigint() }),
    valueBefore: number,
    valueAfter: (n) => BigInt(number(n)),
    isRefused: true,
  },
  {
    name: "dates are texts",
    before: declared({ of: z.date() }),
    after: declared({ of: z.string() }),
    valueBefore: day,
    valueAfter: (n) => day(n).toISOString(),
    isRefused: true,
  },
  {
    name: "decimals have more digits",
    before: declared({ of: decimal(12, 2) }),
    after: declared({ of: decimal(14, 4) }),
    valueBefore: digits,
    valueAfter: (n) => `${digits(n)}00`,
    isRefused: true,
  },
  {
    name: "values may be null",
    before: declared({ of: z.int() }),
    after: declared({ of: z.int().nullable() }),
    valueBefore: number,
    isRefused: false,
  },
  {
    name: "values cannot be null any more, and the cursor holds one that was not",
    before: declared({ of: z.int().nullable() }),
    after: declared({ of: z.int() }),
    valueBefore: number,
    isRefused: false,
  },
  {
    name: "values cannot be null any more, and the cursor holds one that was",
    before: declared({ of: z.int().nullable() }),
    after: declared({ of: z.int() }),
    valueBefore: unlessFirst,
    valueAfter: number,
    isRefused: true,
  },
  {
    name: "values are fewer, and that of the cursor is none of them",
    before: declared({ of: z.enum(["t0", "t1", "t2", "t3"]) }),
    after: declared({ of: z.enum(["t2", "t3"]) }),
    valueBefore: letters,
    valueAfter: (n) => `t${Math.max(2, number(n))}`,
    isRefused: true,
  },
];

for (const server of servers)
  describe.skipIf(!server.available)(`cursors of an earlier declaration on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());

    const fill = async (of: AnyTable, field: string, value: (id: number) => unknown): Promise<Untyped> => {
      await lent.db.createTables(of);
      const repository = (lent.db as Database<"sqlite">).repository(of as never) as unknown as Untyped & {
        insert(): { execBatch(records: readonly object[]): Promise<number> };
      };
      const all = [1, 2, 3, 4, 5, 6].map((n) => ({ id: n, [field]: value(n) }));
      await repository.insert().execBatch(all);
      return repository;
    };
    // NULLs are first, so that the cursor of the first page may hold one.
    const pagesOf = (of: Untyped, order: readonly string[]): Pages =>
      order
        .reduce((query, field) => query.orderByNulls(field, "asc", "first"), of.query().fields("id"))
        .page(2);

    test.each(changes)("$name", async (change) => {
      const { before, after, valueBefore, valueAfter = valueBefore, field = ["of", "of"] } = change;
      const old = await fill(before, field[0], valueBefore);
      const { rows, next } = await pagesOf(old, [field[0], "id"]).exec();
      expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
      await lent.db.dropTables(before);
      const renewed = await fill(after, field[1], valueAfter);
      const pages = pagesOf(renewed, change.orderAfter ?? [field[1], "id"]);
      try {
        if (change.isRefused) {
          const error = await sqlErrorOf(pages.exec({}, { after: next }));
          expect(error).toBeInstanceOf(ParameterError);
          expect(error).toMatchObject({ code: "PARAM_TYPE", param: "after" });
        } else {
          const second = await pages.exec({}, { after: next });
          expect(second.rows).toEqual([{ id: 3 }, { id: 4 }]);
          expect((await pages.exec({}, { after: second.next })).rows).toEqual([{ id: 5 }, { id: 6 }]);
        }
      } finally {
        await lent.db.dropTables(after);
      }
    });

    test("a column that the declaration has and the database has not is an error of the server", async () => {
      const of = declared({ of: z.int() });
      const old = await fill(of, "of", number);
      const pages = pagesOf(old, ["of", "id"]);
      const { next } = await pages.exec();
      await lent.db.dropTables(of);
      const bare = declared({ is: z.int() });
      await fill(bare, "is", number);
      const { code } = await sqlErrorOf(pages.exec({}, { after: next }));
      expect(code).toBe("QUERY_FAILED");
      await lent.db.dropTables(bare);
    });
  });
