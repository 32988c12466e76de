/** The prepared statements of a client, kept by their text. */
import { Lru } from "../../../core/lru.js";
import type { DriverRequest } from "../../contract/driver.js";
import type { SqliteClient, SqliteStatement } from "./client.js";

/** The maximum number of prepared texts, and of their total characters. */
const MOST_TEXTS = 500;
const MOST_CHARACTERS = 2_000_000;

/** Prepared statements by text, bounded. */
export class StatementCache {
  readonly #client: SqliteClient;
  readonly #kept = new Lru<string, Statements>({
    max: MOST_TEXTS,
    maxWeight: MOST_CHARACTERS,
    weigh: (_, sql) => sql.length,
  });

  constructor(client: SqliteClient) {
    this.#client = client;
  }

  get({ sql, prepared }: DriverRequest): SqliteStatement {
    const { givesRows, bigints } = prepared;
    const way: Way = givesRows ? (bigints ? "exact" : "rows") : "count";
    const kept = this.#kept.get(sql);
    return kept?.[way] ?? this.#prepare(sql, way, kept);
  }

  #prepare(sql: string, way: Way, kept: Statements | undefined): SqliteStatement {
    const statement = this.#client.prepare(sql);
    if (statement.reader) statement.raw(true);
    if (way === "exact") statement.safeIntegers(true);
    if (kept !== undefined) kept[way] = statement;
    // A query plan does not change after its statement was prepared, even if the tables do.
    else if (!/^\s*EXPLAIN\b/i.test(sql)) this.#kept.set(sql, { [way]: statement });
    return statement;
  }
}

type Way = "count" | "rows" | "exact";

/** The statements of one text: one for each setting of arrays and exact integers. */
type Statements = { [W in Way]?: SqliteStatement };
