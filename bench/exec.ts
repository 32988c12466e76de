/**
 * The benchmark of calls on SQLite, end to end: a real better-sqlite3 handle in memory, a builder's `exec`
 * compared with the prepared statement that returns object rows, and with other libraries. Run by `npm run bench
 * exec`; `npm ci --prefix bench/peers` installs the peers, and missing peers are left out. The raw
 * statement checks and decodes nothing: its dates are text and its booleans numbers. "By hand" converts its rows
 * to the values that rowtype returns.
 */
import Sqlite from "better-sqlite3";
import { sqlite } from "rowtype/sqlite";
import { measure } from "./kit/measure.js";
import { plain, storedUsers } from "./kit/sqlite-users.js";

const handle = new Sqlite(":memory:");
const db = sqlite(handle);
const users = await storedUsers(db, 100);

interface Stored {
  active: unknown;
  createdAt: unknown;
}
function made(rows: unknown[]): unknown[] {
  for (const row of rows as Stored[]) {
    row.active = row.active === 1;
    row.createdAt = new Date(`${String(row.createdAt)}Z`);
  }
  return rows;
}

const byId = () => users.query().where("id", "=", "id");
const someById = () =>
  users
    .query()
    .fields(...plain)
    .where("id", "=", "id");
const first = () => users.query().where("id", "<=", "last").orderBy("id", "asc");
const someFirst = () =>
  users
    .query()
    .fields(...plain)
    .where("id", "<=", "last")
    .orderBy("id", "asc");
const setScore = () => users.modify().set("score", "score").where("id", "=", "id");

let inserts = 0;
const record = () => ({
  email: `new${++inserts}@example.org`,
  name: "Ann",
  age: 30,
  role: "admin" as const,
  teamId: 1,
  score: 1.5,
  active: true,
});
const insert = handle.prepare(
  `INSERT INTO "users" ("email", "name", "age", "role", "teamId", "score", "active") VALUES (?, ?, ?, ?, ?, ?, ?)
   RETURNING "id", "email", "name", "age", "role", "teamId", "score", "active", "createdAt"`,
);
const insertRaw = () => {
  const { email, name, age, role, teamId, score, active } = record();
  return insert.all(email, name, age, role, teamId, score, active ? 1 : 0);
};

const prepared = (builder: { render(): { native: { sql: string } } }) =>
  handle.prepare(builder.render().native.sql);
const kept = {
  one: users.select().where("id", "=", "id"),
  byId: byId(),
  someById: someById(),
  first: first(),
  someFirst: someFirst(),
  set: setScore(),
  insert: users.insert(),
};
const raw = {
  one: prepared(kept.one),
  byId: prepared(kept.byId),
  someById: prepared(kept.someById),
  first: prepared(kept.first),
  someFirst: prepared(kept.someFirst),
  set: prepared(kept.set),
};

type Calls = Readonly<Record<string, () => unknown>>;
interface Shape {
  readonly raw: () => unknown;
  readonly others: Calls;
  /** The name of the shape in the files of the peers. */
  readonly peers?: "one row" | "twenty rows";
}

const shapes: Readonly<Record<string, Shape>> = {
  "one row of text and numbers": {
    raw: () => raw.someById.all(7),
    others: {
      "kept builder": () => kept.someById.exec({ id: 7 }),
      "fresh builder": () => someById().exec({ id: 7 }),
    },
  },
  "one row with a boolean and a date": {
    raw: () => raw.byId.all(7),
    others: {
      "by hand": () => made(raw.byId.all(7)),
      "kept builder": () => kept.byId.exec({ id: 7 }),
      "fresh builder": () => byId().exec({ id: 7 }),
    },
    peers: "one row",
  },
  // Who reads one row writes `get`, and awaits it where it may come from elsewhere: the promise counts on both sides.
  "the row of a key": {
    raw: async () => raw.one.get(7),
    others: {
      "by hand": async () => made([raw.one.get(7)])[0],
      "kept builder": () => kept.one.exec({ id: 7 }),
      "fresh builder": () => users.select().where("id", "=", "id").exec({ id: 7 }),
    },
  },
  "twenty rows of text and numbers": {
    raw: () => raw.someFirst.all(20),
    others: {
      "kept builder": () => kept.someFirst.exec({ last: 20 }),
      "fresh builder": () => someFirst().exec({ last: 20 }),
    },
  },
  "twenty rows with a boolean and a date": {
    raw: () => raw.first.all(20),
    others: {
      "by hand": () => made(raw.first.all(20)),
      "kept builder": () => kept.first.exec({ last: 20 }),
      "fresh builder": () => first().exec({ last: 20 }),
    },
    peers: "twenty rows",
  },
  "an update that gives its row": {
    raw: () => raw.set.all(1.5, 7),
    others: {
      "by hand": () => made(raw.set.all(1.5, 7)),
      "kept builder": () => kept.set.exec({ score: 1.5, id: 7 }),
      "fresh builder": () => setScore().exec({ score: 1.5, id: 7 }),
    },
  },
  // The last: it makes the table larger.
  "an insert that gives its row": {
    raw: insertRaw,
    others: {
      "by hand": () => made(insertRaw()),
      "kept builder": () => kept.insert.exec(record()),
      "fresh builder": () => users.insert().exec(record()),
    },
  },
};

type Peer = (handle: Sqlite.Database) => Readonly<Record<"one row" | "twenty rows", Calls>>;

// Loaded after our calls were measured: other code in a process makes all its calls less optimised.
async function peers(): Promise<ReturnType<Peer> | undefined> {
  try {
    const { calls }: { calls: Peer } = await import(new URL("peers/sqlite-calls.mjs", import.meta.url).href);
    return calls(handle);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

async function print(title: string, calls: Calls & { readonly raw: () => unknown }): Promise<void> {
  const times = await measure(calls);
  const yardstick = times.get("raw") ?? Number.NaN;
  const cells = [...times].flatMap(([name, time]) =>
    name === "raw" ? [] : [`${name} ${(time / yardstick).toFixed(2)}`],
  );
  console.log(`${title} ÷ raw (${yardstick.toFixed(2)} µs): ${cells.join(", ")}`);
}

for (const [title, { raw, others }] of Object.entries(shapes)) await print(title, { raw, ...others });
const calls = await peers();
console.log(calls === undefined ? "\nno peers are installed" : "\nbeside other libraries, in one process:");
if (calls !== undefined)
  for (const [title, { raw, others, peers }] of Object.entries(shapes))
    if (peers !== undefined) await print(title, { raw, ...others, ...calls[peers] });
