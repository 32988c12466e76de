/**
 * Random batches against the same list sent record by record: the same rows, the same counts, the same results, the
 * same codes.
 */
import { BuildError, type Database, type Dialect, SqlError } from "rowtype";
import { describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { servers } from "../servers.js";
import {
  Chance,
  items,
  kinds,
  type Plan,
  planOf,
  type Repository,
  repositoryOf,
  rowOf,
} from "./batch-world.js";

const BATCHES = rounds({ small: 250, full: 10_000 });
/** After how many batches the tables get new rows. */
const RENEWED = 8;
const ROWS = 24;

interface Outcome {
  readonly result?: unknown;
  readonly code?: string;
  readonly index?: unknown;
}

async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await call };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    // Mistakes of the builder are those of no record.
    return {
      code: error.code,
      ...(error instanceof BuildError ? {} : { index: Reflect.get(error, "index") }),
    };
  }
}

/** The same list, record by record. */
async function oneByOne(db: Database, repository: Repository, plan: Plan): Promise<unknown> {
  const { kind, method, records } = plan;
  const builder = kind === "modify" ? plan.modify(repository) : plan.remove(repository);
  return db.transaction(async (tx) => {
    let count = 0;
    const rows: unknown[] = [];
    for (const [index, record] of records.entries()) {
      if (method === "execBatch") {
        count += await builder.execBatch([record], { tx }).catch((error) => {
          throw Object.assign(error, { index });
        });
        continue;
      }
      const found = await builder.execMany(record, { tx }).catch((error) => {
        throw Object.assign(error, { index });
      });
      if (found.length > 1) throw new Several(index);
      rows.push(found[0] ?? null);
    }
    return method === "execBatch" ? count : rows;
  });
}

class Several extends Error {
  readonly index: number;

  constructor(index: number) {
    super();
    this.index = index;
  }
}

async function expected(db: Database, repository: Repository, plan: Plan): Promise<Outcome> {
  try {
    return await outcomeOf(oneByOne(db, repository, plan));
  } catch (error) {
    if (error instanceof Several) return { code: "MULTIPLE_ROWS", index: error.index };
    throw error;
  }
}

/** Whether a refusal is one of rowtype, which has seen the record alone. */
function ofRecords({ code }: Outcome): boolean {
  return code === "MULTIPLE_ROWS" || code === "PARAM_TYPE";
}

/** Whether the server decides what comes out. */
function mayDiffer(plan: Plan, got: Outcome, wanted: Outcome, dialect: Dialect): boolean {
  if (plan.exchanges && [got.code, wanted.code].includes("UNIQUE_VIOLATION")) return true;
  // PostgreSQL may cut a value to its column before it looks for the row, or only where it finds one.
  const cutsFirst = dialect === "postgres" && plan.says.includes("set short");
  if (cutsFirst && (got.code === undefined) !== (wanted.code === undefined)) return true;
  // Two rows of one record with a fault each: the server changes that one first which it finds first.
  const isOneRecord = got.index !== undefined && got.index === wanted.index && got.code !== wanted.code;
  if (isOneRecord && !plan.says.includes("pk =") && !ofRecords(got) && !ofRecords(wanted)) return true;
  // Two faults: MariaDB looks for all rows before it changes the first.
  return dialect === "mariadb" && got.code === "MULTIPLE_ROWS" && wanted.code !== undefined;
}

const shown = (of: unknown) =>
  JSON.stringify(of, (_, one) =>
    typeof one === "bigint" ? `${one}n` : one instanceof Uint8Array ? Buffer.from(one).toString("hex") : one,
  );

describe.each(servers.filter(({ name }) => name !== "h2"))("batches on $name", (server) => {
  test.skipIf(!server.available)(
    "change what their records change alone",
    async () => {
      const lent = await server.lend();
      const seed = Number(process.env["ROWTYPE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
      try {
        const { db } = lent;
        if (server.dialect === "postgres") {
          await lent.run(
            "CREATE COLLATION batch_folding (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
          );
          await lent.run("CREATE TYPE batch_mood AS ENUM ('low', 'high')");
        }
        const [batched, single] = [items("batched"), items("single")];
        await db.createTables(kinds, batched, single);
        await db
          .repository(kinds)
          .insert()
          .execBatch([1, 2, 3, 4].map((id) => ({ id })));
        const [ours, theirs] = [repositoryOf(db, batched), repositoryOf(db, single)];
        const counts = new Map<string, number>();
        for (let i = 0; i < BATCHES; i++) {
          const chance = new Chance(seed + i);
          if (i % RENEWED === 0 || process.env["ROWTYPE_SEED"] !== undefined) {
            const rows = Array.from({ length: ROWS }, (_, pk) =>
              rowOf(new Chance(seed + i - (i % RENEWED) + pk), pk),
            );
            for (const one of [ours, theirs]) {
              await lent.run(`DELETE FROM ${one === ours ? "batched" : "single"}`);
              await one.insert().execBatch(rows);
            }
          }
          const plan = planOf(chance);
          const says = `batch ${i} of seed ${seed}: ${plan.says}`;
          const builder = plan.kind === "modify" ? plan.modify(ours) : plan.remove(ours);
          const got = await outcomeOf(builder[plan.method](plan.records));
          const wanted = await expected(db, theirs, plan);
          if (mayDiffer(plan, got, wanted, server.dialect)) {
            i += RENEWED - 1 - (i % RENEWED);
            continue;
          }
          expect(shown(got), `${says}\n${shown(plan.records)}`).toBe(shown(wanted));
          const rows = (of: Repository) => of.query().orderBy("pk", "asc").exec();
          const [mine, other] = [await rows(ours), await rows(theirs)];
          for (const [at, row] of mine.entries()) expect(shown(row), says).toBe(shown(other[at]));
          expect(mine.length, says).toBe(other.length);
          const outcome = got.code ?? "changed";
          counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        }
        expect(counts.get("changed") ?? 0).toBeGreaterThan(BATCHES / 3);
      } finally {
        await lent.close();
      }
    },
    patience(60_000, 400, BATCHES),
  );
});
