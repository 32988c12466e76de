/**
 * The shapes of the rendering benchmark in rowtype, and the same by hand. The driver's handle is a stub that
 * stores nothing and answers at once, so "send" includes everything of rowtype between the call and the driver:
 * the promise, the cache of prepared statements, the decoding of the one row that an insert returns.
 */
import { and, c, column, count, type Database, isNull, sum, table, upper, value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

export const shapeNames = [
  "by id",
  "five wheres",
  "insert of one",
  "update",
  "nested and/or",
  "union of three",
  "expressions",
  "insert of 100",
] as const;
export type ShapeName = (typeof shapeNames)[number];

/** The values that every library receives. */
export interface Data {
  readonly values: typeof values;
  readonly record: typeof record;
  readonly records: readonly (typeof record)[];
}

/** One shape, with each way to measure it. */
export interface ShapeOf {
  /** Checks the names and values of a call and encodes the values; undefined if no method does only that. */
  readonly bind: (() => unknown) | undefined;
  readonly bindByHand: () => unknown;
  /** The user's call on a kept builder. */
  readonly send: () => Promise<unknown>;
  readonly sendByHand: () => Promise<unknown>;
  /** Renders a fresh builder, for an insert that of a single row; undefined for a batch, which a call renders. */
  readonly buildAndRender: (() => unknown) | undefined;
  readonly buildAndSend: () => Promise<unknown>;
}

/** The table of the benchmarks. */
export const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    email: column(z.email(), { unique: true }),
    name: z.string(),
    age: z.int().nullable(),
    role: z.enum(["admin", "member"]),
    teamId: z.int().nullable(),
    score: z.number(),
    active: z.boolean(),
    createdAt: column(z.date(), { default: "CURRENT_TIMESTAMP" }),
  }),
);

/** A record of the table, with parts that every library takes. */
export const record = {
  email: "ann@example.org",
  name: "Ann",
  age: 30,
  role: "admin",
  teamId: 1,
  score: 1.5,
  active: true,
} as const;
const values = { id: 1, email: "ann%", age: 18, role: "admin", score: 2, active: true, name: "Ann" } as const;
const records = Array.from({ length: 100 }, () => record);

const stored = {
  sqlite: [1, "ann@example.org", "Ann", 30, "admin", 1, 1.5, 1, "2026-01-02 03:04:05.678"],
  postgres: ["1", "ann@example.org", "Ann", "30", "admin", "1", "1.5", "t", "2026-01-02 03:04:05.678+00"],
};

/** A stub handle, for rowtype's driver and for a call by hand. */
interface Stub {
  readonly database: Database<"sqlite">;
  sendByHand(sql: string, params: readonly unknown[]): unknown;
  /** The text of the last statement. */
  lastText(): string;
}

const stubs = {
  sqlite(): Stub {
    let last = "";
    const rows = [stored.sqlite];
    const prepare = (sql: string) => {
      last = sql;
      const answer = sql.startsWith("INSERT") ? rows : [];
      const reader = sql.includes("RETURNING") || sql.startsWith("SELECT");
      const run = () => ({ changes: 1 });
      return { all: () => answer, run, raw() {}, safeIntegers() {}, columns: () => [], reader };
    };
    // By hand too, a statement is prepared once and cached by its text.
    const statements = new Map<string, ReturnType<typeof prepare>>();
    return {
      database: sqlite({ prepare, exec() {}, inTransaction: true }),
      sendByHand(sql) {
        let statement = statements.get(sql);
        if (statement === undefined) {
          statement = prepare(sql);
          statements.set(sql, statement);
        }
        return statement.reader ? statement.all() : statement.run();
      },
      lastText: () => last,
    };
  },
  postgres(): Stub {
    let last = "";
    const rows = [stored.postgres];
    const query = async ({ text }: { readonly text: string }) => {
      if (text !== "BEGIN" && text !== "COMMIT") last = text;
      return { rows: text.startsWith("INSERT") ? rows : [], rowCount: 1, command: "", fields: [] };
    };
    return {
      // The shapes use features that both dialects have, so they are written once.
      database: postgres({
        query,
        connect: async () => ({ query, release() {}, on() {}, off() {} }),
      }) as unknown as Database<"sqlite">,
      sendByHand: (text) => query({ text }),
      lastText: () => last,
    };
  },
};

type Dialect = keyof typeof stubs;
type Given = Readonly<Record<string, unknown>>;

const text = (value: unknown) => {
  if (typeof value === "string" && value.isWellFormed() && !value.includes("\0")) return value;
  throw new TypeError("not a text that every server stores");
};
const integer = (value: unknown) => {
  if (Number.isSafeInteger(value)) return value;
  throw new TypeError("not a whole number");
};
const roles = new Set<unknown>(User.schema.shape.role.options);
const checks: Readonly<Record<string, (value: unknown) => unknown>> = {
  id: integer,
  age: integer,
  teamId: integer,
  least: integer,
  email: text,
  name: text,
  role(value) {
    if (roles.has(value)) return value;
    throw new TypeError("not a role");
  },
  score(value) {
    if (Number.isFinite(value)) return value;
    throw new TypeError("not a number");
  },
  active(value) {
    if (typeof value === "boolean") return value;
    throw new TypeError("not a boolean");
  },
};

// The yardstick: text made before, and what rowtype checks in each call: every name is known and given, every value is
// of its column's type, texts have neither NUL nor lone surrogates.
function byHand(names: readonly string[], dialect: Dialect): (given: Given) => unknown[] {
  const places = new Map(
    names.map((name, place) => [name, { place, check: checks[name] ?? unchecked(name) }]),
  );
  const encode = (value: unknown) =>
    dialect === "sqlite" && typeof value === "boolean" ? Number(value) : value;
  return (given) => {
    const bound = new Array<unknown>(places.size);
    let found = 0;
    for (const name of Object.keys(given)) {
      const known = places.get(name);
      if (known === undefined) throw new TypeError(`unknown parameter ${name}`);
      const value = given[name];
      if (value === undefined) throw new TypeError(`parameter ${name} is missing`);
      bound[known.place] = encode(known.check(value));
      found++;
    }
    if (found !== places.size) throw new TypeError("a parameter is missing");
    return bound;
  };
}

function unchecked(name: string): never {
  throw new TypeError(`nothing checks ${name}: add it to the yardstick`);
}

// The part of `exec` before the driver has no public name, because only this benchmark needs it.
function binderOf(builder: object): (given: Given) => unknown {
  const { draft } = builder as {
    readonly draft?: { request?(given: Given): unknown };
  };
  if (draft?.request === undefined) throw new TypeError("a builder has no draft: adapt the benchmark");
  return (given) => draft.request?.(given);
}

/** All shapes on a dialect. */
export async function shapesOf(dialect: Dialect): Promise<{
  readonly shapes: Readonly<Record<ShapeName, ShapeOf>>;
  readonly data: Data;
}> {
  const stub = stubs[dialect]();
  const users = stub.database.repository(User);

  async function conditional<B extends { render(): { native: { params: readonly (string | null)[] } } }>(
    build: () => B,
    send: (builder: B) => Promise<unknown>,
    params: Given,
  ): Promise<ShapeOf> {
    const builder = build();
    await send(builder);
    const sql = stub.lastText();
    const bind = binderOf(builder);
    const hand = byHand(
      builder.render().native.params.filter((name) => name !== null),
      dialect,
    );
    return {
      bind: () => bind(params),
      bindByHand: () => hand(params),
      send: () => send(builder),
      sendByHand: async () => stub.sendByHand(sql, hand(params)),
      buildAndRender: () => build().render(),
      buildAndSend: () => send(build()),
    };
  }

  const { id, email, age, role, score, active, name } = values;
  const one = users.insert();
  await one.exec(record);
  const oneText = stub.lastText();
  const hand = byHand(Object.keys(record), dialect);
  const properties = Object.keys(User.columns);
  const rowByHand = (rows: unknown) => {
    const [row = []] = rows as unknown[][];
    return Object.fromEntries(properties.map((property, i) => [property, row[i]]));
  };
  const insert: ShapeOf = {
    bind: undefined,
    bindByHand: () => hand(record),
    send: () => one.exec(record),
    sendByHand: async () => {
      const answer = await stub.sendByHand(oneText, hand(record));
      return rowByHand(dialect === "sqlite" ? answer : (answer as { readonly rows: unknown }).rows);
    },
    buildAndRender: () => users.insert().render(),
    buildAndSend: () => users.insert().exec(record),
  };

  const many = users.insert();
  await many.execBatch(records);
  const manyText = stub.lastText();
  const bindAll = () => {
    const all: unknown[] = [];
    for (const each of records) for (const value of hand(each)) all.push(value);
    return all;
  };
  const batch: ShapeOf = {
    bind: undefined,
    bindByHand: bindAll,
    send: () => many.execBatch(records),
    sendByHand: async () => {
      await stub.sendByHand("BEGIN", []);
      await stub.sendByHand(manyText, bindAll());
      await stub.sendByHand("COMMIT", []);
    },
    buildAndRender: undefined,
    buildAndSend: () => users.insert().execBatch(records),
  };

  const shapes = {
    "by id": await conditional(
      () => users.select().where("id", "=", "id"),
      (builder) => builder.execOrNull({ id }),
      { id },
    ),
    "five wheres": await conditional(
      () =>
        users
          .query()
          .fields("id", "email", "name", "role")
          .where("email", "LIKE", "email")
          .where("age", ">", "age")
          .where("role", "=", "role")
          .where("score", "<", "score")
          .where("active", "=", "active")
          .orderBy("name", "asc")
          .limit(10),
      (builder) => builder.exec({ email, age, role, score, active }),
      { email, age, role, score, active },
    ),
    "insert of one": insert,
    update: await conditional(
      () => users.modify().set("name", "name").set("age", "age").where("id", "=", "id"),
      (builder) => builder.execMany({ id, name, age }),
      { id, name, age },
    ),
    "nested and/or": await conditional(
      () =>
        users
          .query()
          .fields("id", "email")
          .whereOr(
            c("age", ">", "age"),
            and(c("role", "=", "role"), c("score", "<", "score")),
            isNull("teamId"),
          ),
      (builder) => builder.exec({ age, role, score }),
      { age, role, score },
    ),
    "union of three": await conditional(
      () =>
        users
          .query()
          .fields("id", "email")
          .where("role", "=", "role")
          .union(users.query().fields("id", "email").where("active", "=", "active"))
          .union(users.query().fields("id", "email").where("name", "=", "name"))
          .orderBy("email", "asc")
          .limit(10),
      (builder) => builder.exec({ role, active, name }),
      { role, active, name },
    ),
    expressions: await conditional(
      () =>
        users
          .query()
          .fields("role", count().as("n"), sum("score").as("total"), upper("role").as("big"))
          .where("active", "=", "active")
          .groupBy("role")
          .having("n", ">", "least")
          .orderBy("n", "desc"),
      (builder) => builder.exec({ active, least: 1 }),
      { active, least: 1 },
    ),
    "insert of 100": batch,
  };
  return { shapes, data: { values, record, records } };
}

/** Builds and renders chains with a parameter of a new name each time, each from a new repository. */
export function neverSeen(dialect: Dialect): Readonly<Record<"by id" | "five wheres", () => unknown>> {
  const { database } = stubs[dialect]();
  let calls = 0;
  return {
    "by id": () => database.repository(User).select().where("id", "=", `id${++calls}`).render(),
    "five wheres": () =>
      database
        .repository(User)
        .query()
        .fields("id", "email", "name", "role")
        .where("email", "LIKE", `email${++calls}`)
        .where("age", ">", "age")
        .where("role", "=", "role")
        .where("score", "<", "score")
        .where("active", "=", "active")
        .orderBy("name", "asc")
        .limit(10)
        .render(),
  };
}

/**
 * Chains made, rendered, bound and sent anew for each call, with new values each time: by parameters, and with the
 * values in their places.
 */
export function withValues(
  dialect: Dialect,
): Readonly<Record<"by id" | "five wheres", Readonly<Record<"parameters" | "values", () => unknown>>>> {
  const users = stubs[dialect]().database.repository(User);
  let calls = 0;
  const { email, age, role, score, active } = values;
  return {
    "by id": {
      parameters: () => users.select().where("id", "=", "id").execOrNull({ id: ++calls }),
      values: () => users.select().where("id", "=", value(++calls)).execOrNull(),
    },
    "five wheres": {
      parameters: () =>
        users
          .query()
          .fields("id", "email", "name", "role")
          .where("email", "LIKE", "email")
          .where("age", ">", "age")
          .where("role", "=", "role")
          .where("score", "<", "score")
          .where("active", "=", "active")
          .orderBy("name", "asc")
          .limit(10)
          .exec({ email, age: age + (++calls % 50), role, score, active }),
      values: () =>
        users
          .query()
          .fields("id", "email", "name", "role")
          .where("email", "LIKE", value(email))
          .where("age", ">", value(age + (++calls % 50)))
          .where("role", "=", value(role))
          .where("score", "<", value(score))
          .where("active", "=", value(active))
          .orderBy("name", "asc")
          .limit(10)
          .exec(),
    },
  };
}
