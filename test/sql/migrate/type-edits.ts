/**
 * Edits of a column's type over rows that are there: every kind with values that are usual, negative, fractions,
 * extreme, NULL and not to be read as another kind; and what becomes of them by the real `generate` and `migrate`.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AnyTable, column, type Database, decimal, json, SqlError, table } from "rowtype";
import { diff, generate, type MigrationError, migrate } from "rowtype/migrate";
import { z } from "zod";
import type { Lent } from "../../servers.js";

/** A kind of column, and values of it. */
export interface EditedKind {
  readonly schema: z.ZodType;
  /** The same that may be null, where the schema is that of a column. */
  readonly nullable?: z.ZodType;
  readonly values: readonly unknown[];
}

const date = (text: string) => new Date(text);
const DATES = ["2024-05-01T10:00:00.123Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"].map(date);

/** The kinds, by a name. */
export const editedKinds: Readonly<Record<string, EditedKind>> = {
  int: { schema: z.int(), values: [15, -7, 0, 1, 9_007_199_254_740_991] },
  bigint: { schema: z.bigint(), values: [15n, -7n, 1n, 9_223_372_036_854_775_807n] },
  number: { schema: z.number(), values: [7, -2.5, 3.5, 7.125, 0.1 + 0.2, 1e300, 5e-324] },
  decimal2: { schema: decimal(10, 2), values: ["15.00", "-1.23", "2.50", "-2.50", "0.01", "99999999.99"] },
  decimal4: { schema: decimal(12, 4), values: ["15.0000", "1.2345", "-0.0050", "99999999.9999"] },
  text: {
    schema: z.string(),
    values: [
      ...[
        "15",
        "-7",
        "1",
        "2",
        " 42 ",
        "007",
        "1.50",
        "2.345",
        "1e3",
        "1e400",
        "99999999999999999999",
        "12abc",
      ],
      ...["hello", "", "true", "no", "low", "nul", '{"a":1}', '["x"]', "\\x6869", "a\\b", "ä"],
      ...[
        "2024-05-01 10:00:00.000",
        "2024-05-01T10:00:00.000Z",
        "2024-02-30 10:00:00.000",
        "0000-00-00 00:00:00",
      ],
      "8f14e45f-ceea-467f-a830-1234567890ab",
    ],
  },
  boolean: { schema: z.boolean(), values: [true, false] },
  date: { schema: z.date(), values: DATES },
  milliseconds: {
    schema: column(z.date(), { type: { sqlite: "INTEGER" } }),
    nullable: column(z.date().nullable(), { type: { sqlite: "INTEGER" } }),
    values: DATES,
  },
  flag: {
    schema: column(z.boolean(), { type: { sqlite: "INTEGER" } }),
    nullable: column(z.boolean().nullable(), { type: { sqlite: "INTEGER" } }),
    values: [true, false],
  },
  enum: { schema: z.enum(["low", "high"]), values: ["low", "high"] },
  uuid: { schema: z.uuid(), values: ["8f14e45f-ceea-467f-a830-1234567890ab"] },
  json: { schema: json(z.unknown()), values: [{ a: 1 }, 5, -2.5, "5", "low", true, ["x"]] },
  list: { schema: z.array(z.string()), values: [[], ["low", "b"]] },
  bytes: {
    schema: z.instanceof(Uint8Array),
    values: [new Uint8Array([1, 255]), Buffer.from("hi"), new Uint8Array()],
  },
};

/** A table whose column "a" is of a kind; it may be null. */
export function tableOf(kind: string, name = "edited"): AnyTable {
  const { schema, nullable } = editedKinds[kind] ?? { schema: z.never() };
  const a = nullable ?? schema.nullable();
  return table(name, z.object({ id: column(z.int(), { primaryKey: true }), a })) as AnyTable;
}

/** What an edit did. */
export type Outcome =
  | { readonly is: "refused"; readonly message: string }
  /** The step failed: the rows, by the declaration of before. */
  | { readonly is: "failed"; readonly message: string; readonly rows: readonly Read[] }
  /** The rows by the new declaration, how many steps there were, and how many are left. */
  | { readonly is: "done"; readonly steps: number; readonly rows: readonly Read[]; readonly left: number };

/** A value as it is read, or that it cannot be read. */
export type Read = { readonly value: unknown } | { readonly code: string };

/** Puts values into a table of one kind and edits its declaration to another, with all that this needs allowed. */
export async function edit(
  { db, run }: Pick<Lent, "db" | "run">,
  folder: string,
  [from, to]: readonly [AnyTable, AnyTable],
  values: readonly unknown[],
): Promise<Outcome> {
  await db.dropTables(from);
  await db.createTables(from);
  await fill(db, from, values);
  const outcome = await tried(db, folder, [from, to], values.length);
  await db.dropTables(to);
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  await run("DELETE FROM rowtype_migrations").catch(() => undefined);
  return outcome;
}

async function fill(db: Database, into: AnyTable, values: readonly unknown[]): Promise<void> {
  // The values are of the kind of the column.
  const rows = values.map((a, id) => ({ id, a })) as never[];
  await db.repository(into).insert().execBatch(rows);
}

async function tried(
  db: Database,
  folder: string,
  [from, to]: readonly [AnyTable, AnyTable],
  count: number,
): Promise<Outcome> {
  let steps = 0;
  try {
    const change = await diff([to], db);
    steps = change.steps.length;
    const allow = change.steps.map(({ kind, table, name }) => `${kind} ${table}${name ? `.${name}` : ""}`);
    await generate([to], db, { folder, name: "edit", allow });
  } catch (error) {
    if (codeOf(error) !== "MIGRATION_REFUSED") throw error;
    return { is: "refused", message: (error as MigrationError).message };
  }
  try {
    if (steps > 0) await migrate(db, { folder, lockWaitMs: 5_000 });
  } catch (error) {
    if (codeOf(error) !== "MIGRATION_FAILED") throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
    return { is: "failed", message: cause, rows: await rowsOf(db, from, count) };
  }
  const left = (await diff([to], db)).steps.length;
  return { is: "done", steps, rows: await rowsOf(db, to, count), left };
}

/** The column of each row, read alone. */
export async function rowsOf(db: Database, of: AnyTable, count: number): Promise<Read[]> {
  // The table has a number as its key.
  const one = db
    .repository(of)
    .query()
    .fields("a" as never)
    .where("id" as never, "=" as never, "id" as never);
  const read: Read[] = [];
  for (let id = 0; id < count; id++)
    read.push(
      await one.exec({ id } as never).then(
        (rows) => ({ value: rows[0]?.["a"] }),
        (error: unknown) => ({ code: codeOf(error) }),
      ),
    );
  return read;
}

function codeOf(error: unknown): string {
  if (error instanceof SqlError) return error.code;
  throw error;
}
