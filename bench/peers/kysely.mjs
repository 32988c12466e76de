/** The shapes of the rendering benchmark in Kysely. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

const parts = {
  sqlite: [SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler],
  postgres: [PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler],
};

function databaseOf(dialect) {
  const [Adapter, Introspector, QueryCompiler] = parts[dialect];
  return new Kysely({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new Introspector(one),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}

/** A search of `bench/searches.ts`. */
export function search(dialect, values) {
  const db = databaseOf(dialect);
  return ({ filters, order }) => {
    let query = db.selectFrom("users").select(["id", "email", "name", "role"]);
    for (const [field, operator] of filters)
      query = query.where(field, operator.toLowerCase(), values[field]);
    const { sql, parameters } = query.orderBy(order, "asc").limit(20).compile();
    return { sql, params: parameters };
  };
}

export function shapes(dialect, { values, record, records }) {
  const db = databaseOf(dialect);
  const { id, email, age, role, score, active, name } = values;
  const builders = {
    "by id": () => db.selectFrom("users").selectAll().where("id", "=", id).limit(1),
    "five wheres": () =>
      db
        .selectFrom("users")
        .select(["id", "email", "name", "role"])
        .where("email", "like", email)
        .where("age", ">", age)
        .where("role", "=", role)
        .where("score", "<", score)
        .where("active", "=", active)
        .orderBy("name", "asc")
        .limit(10),
    "insert of one": () => db.insertInto("users").values(record).returningAll(),
    update: () => db.updateTable("users").set({ name, age }).where("id", "=", id).returningAll(),
    "nested and/or": () =>
      db
        .selectFrom("users")
        .select(["id", "email"])
        .where((e) =>
          e.or([
            e("age", ">", age),
            e.and([e("role", "=", role), e("score", "<", score)]),
            e("teamId", "is", null),
          ]),
        ),
    "union of three": () => {
      const one = (column, value) => db.selectFrom("users").select(["id", "email"]).where(column, "=", value);
      return one("role", role)
        .union(one("active", active))
        .union(one("name", name))
        .orderBy("email", "asc")
        .limit(10);
    },
    expressions: () =>
      db
        .selectFrom("users")
        .select((e) => [
          "role",
          e.fn.countAll().as("n"),
          e.fn.sum("score").as("total"),
          e.fn("upper", ["role"]).as("big"),
        ])
        .where("active", "=", active)
        .groupBy("role")
        .having((e) => e.fn.countAll(), ">", 1)
        .orderBy("n", "desc"),
    "insert of 100": () => db.insertInto("users").values(records),
  };
  return Object.fromEntries(
    Object.entries(builders).map(([shape, build]) => [
      shape,
      () => {
        const { sql, parameters } = build().compile();
        return { sql, params: parameters };
      },
    ]),
  );
}
