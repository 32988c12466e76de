/** The shapes of the rendering benchmark in Knex. */
import knex from "knex";

const clients = { sqlite: "better-sqlite3", postgres: "pg" };

/** A search of `bench/searches.ts`. */
export function search(dialect, values) {
  const db = knex({ client: clients[dialect], useNullAsDefault: true });
  return ({ filters, order }) => {
    const query = db("users").select("id", "email", "name", "role");
    for (const [field, operator] of filters) query.where(field, operator.toLowerCase(), values[field]);
    const { sql, bindings } = query.orderBy(order, "asc").limit(20).toSQL().toNative();
    return { sql, params: bindings };
  };
}

export function shapes(dialect, { values, record, records }) {
  const db = knex({ client: clients[dialect], useNullAsDefault: true });
  const { id, email, age, role, score, active, name } = values;
  const builders = {
    "by id": () => db("users").where("id", "=", id).limit(1),
    "five wheres": () =>
      db("users")
        .select("id", "email", "name", "role")
        .where("email", "like", email)
        .where("age", ">", age)
        .where("role", "=", role)
        .where("score", "<", score)
        .where("active", "=", active)
        .orderBy("name", "asc")
        .limit(10),
    "insert of one": () => db("users").insert(record).returning("*"),
    update: () => db("users").where("id", "=", id).update({ name, age }).returning("*"),
    "nested and/or": () =>
      db("users")
        .select("id", "email")
        .where((q) =>
          q
            .where("age", ">", age)
            .orWhere((w) => w.where("role", "=", role).where("score", "<", score))
            .orWhereNull("teamId"),
        ),
    "union of three": () => {
      const one = (column, value) => db("users").select("id", "email").where(column, "=", value);
      return one("role", role)
        .union([one("active", active)])
        .union([one("name", name)])
        .orderBy("email", "asc")
        .limit(10);
    },
    expressions: () =>
      db("users")
        .select("role", db.raw("upper(??) as ??", ["role", "big"]))
        .count({ n: "*" })
        .sum({ total: "score" })
        .where("active", "=", active)
        .groupBy("role")
        .havingRaw("count(*) > ?", [1])
        .orderBy("n", "desc"),
    "insert of 100": () => db("users").insert(records),
  };
  return Object.fromEntries(
    Object.entries(builders).map(([shape, build]) => [
      shape,
      () => {
        const { sql, bindings } = build().toSQL().toNative();
        return { sql, params: bindings };
      },
    ]),
  );
}
