/**
 * The programs of docs/expression-tasks.md. What stands between `// begin` and `// end` is on the page as it is here;
 * `docs-expressions.test.ts` compares both, and the SQL and the results beside them.
 */

// begin: The tables
import { column, decimal, json, table } from "rowtype";
import { z } from "zod";

export const Account = table(
  "accounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    tenantId: z.int(),
    name: z.string(),
    email: z.string(),
    settings: json(z.object({ theme: z.string(), beta: z.boolean().optional() })),
  }),
);

export const Invoice = table(
  "invoices",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    tenantId: z.int(),
    accountId: column(z.int(), { references: () => Account }),
    quantity: z.int(),
    price: decimal(10, 2),
    paidAt: z.date().nullable(),
  }),
);

// end

import {
  avg,
  boolAnd,
  c,
  cast,
  concat,
  type Database,
  dateTrunc,
  field,
  length,
  lower,
  mul,
  notNull,
  or,
  param,
  path,
  raw,
  round,
  substring,
  sum,
  textAgg,
  trim,
  upper,
  value,
} from "rowtype";

/** The repositories that the programs use; SQLite's types, for every dialect has what they use. */
export const shopOf = (db: Database<"sqlite">) => ({
  db,
  accounts: db.repository(Account),
  invoices: db.repository(Invoice),
});
type Shop = ReturnType<typeof shopOf>;

/** A program of the page, by its heading; it gives what the page prints. */
export const tasks: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  "A function of a function": async ({ accounts }) => {
    // begin: A function of a function
    const known = accounts
      .query()
      .fields("id", concat(upper(substring("name", value(1), value(1))), value(".")).as("initial"))
      .where(lower(trim("email")), "=", "email")
      .orderBy("id", "asc");
    const rows = await known.exec({ email: "ann@example.org" });
    // end
    return rows;
  },

  "A search box": async ({ accounts }) => {
    // begin: A search box
    const search = accounts
      .query()
      .fields("id", "name")
      .whereOptional(or(c("name", "ICONTAINS", "q"), c("email", "ICONTAINS", "q")))
      .orderBy("name", "asc");
    const rows = await search.exec({ q: "50%" }); // without q: every row
    // end
    return rows;
  },

  "A fragment of SQL of your own": async ({ accounts }) => {
    // begin: A fragment of SQL of your own
    const place = raw(z.int(), {
      postgres: raw`strpos(${lower("name")}, ${param("q", z.string())})`,
      mariadb: raw`locate(${param("q", z.string())}, ${lower("name")})`,
      sqlite: raw`instr(${lower("name")}, ${param("q", z.string())})`,
      oracle: raw`instr(${lower("name")}, ${param("q", z.string())})`,
    });
    const nearest = accounts
      .query()
      .fields("name", place.as("place"))
      .where(place, ">", "least")
      .whereRaw(raw(z.boolean())`${length("email")} > ${value(3)} AND ${field("tenantId")} IS NOT NULL`)
      .orderBy("place", "asc");
    const rows = await nearest.exec({ q: "o", least: 0 });
    // end
    return rows;
  },

  "What a group holds": async ({ invoices }) => {
    // begin: What a group holds
    const perTenant = invoices
      .query()
      .fields(
        "tenantId",
        textAgg(cast("id", "text"), value(", "), { orderBy: [["id", "asc"]] }).as("invoices"),
        boolAnd(notNull("paidAt")).as("allPaid"),
      )
      .groupBy("tenantId")
      .orderBy("tenantId", "asc");
    const rows = await perTenant.exec();
    // end
    return rows;
  },

  "A query made in a loop": async ({ accounts }) => {
    const words = ["o", "50%"];
    const newestFirst = Date.now() > 0;
    // begin: A query made in a loop
    let found = accounts.query().fields("id", "name").dynamic();
    for (const [i] of words.entries()) found = found.where("name", "CONTAINS", `word${i}`);
    if (newestFirst) found = found.orderBy("id", "desc");
    const params = Object.fromEntries(words.map((word, i) => [`word${i}`, word]));
    const rows = await found.limit(10).exec(params); // words: ["o", "50%"]
    const total = await found.count().exec(params); // the same conditions, without order and limit
    // end
    return { rows, total };
  },

  "Revenue per month": async ({ invoices }) => {
    // begin: Revenue per month
    const revenue = invoices
      .query()
      .fields(dateTrunc("month", "paidAt").as("month"), sum(mul("price", "quantity")).as("revenue"))
      .whereNotNull("paidAt")
      .groupBy("month")
      .orderBy("month", "asc");
    const rows = await revenue.exec();
    // end
    return rows;
  },

  "Exact money": async ({ invoices }) => {
    // begin: Exact money
    const totals = invoices
      .query()
      .fields(
        "accountId",
        sum(mul("price", "quantity")).as("net"),
        sum(round(mul(mul("price", "quantity"), param("rate", decimal(5, 4))), 2)).as("tax"),
        avg("price").as("mean"),
      )
      .where(mul("price", "quantity"), ">=", "least")
      .groupBy("accountId")
      .orderBy("net", "desc");
    const rows = await totals.exec({ rate: "0.19", least: "0.10" });
    // end
    return rows;
  },

  "JSON settings": async ({ accounts }) => {
    // begin: JSON settings
    const dark = accounts
      .query()
      .fields("id", path("settings", "theme").as("theme"), path("settings", "beta").as("beta"))
      .where(path("settings", "theme"), "=", "theme")
      .orderBy("id", "asc");
    const rows = await dark.exec({ theme: "dark" });
    const lighten = accounts.modify().setPath("settings", ["theme"], "theme").where("id", "=", "id");
    const changed = await lighten.execBatch([{ id: 3, theme: "light" }]);
    // end
    return { rows, changed };
  },

  "One tenant": async ({ accounts }) => {
    // begin: One tenant
    const mine = accounts.scope({ tenantId: 2 });
    await mine.insert().exec({ id: 9, name: "Dan", email: "dan@example.org", settings: { theme: "light" } });
    const changed = await mine
      .modify()
      .set("name", upper("name"))
      .where("id", "<", "id")
      .execBatch([{ id: 9 }]);
    const rows = await mine.query().fields("id", "tenantId", "name").orderBy("id", "asc").exec();
    // end
    return { changed, rows };
  },

  "An update that calculates": async ({ accounts }) => {
    // begin: An update that calculates
    const clean = accounts
      .modify()
      .set("email", lower(trim("email")))
      .where("tenantId", "=", "tenant");
    const changed = await clean.execBatch([{ tenant: 1 }]);
    // end
    return changed;
  },

  "What a removal returns": async ({ invoices }) => {
    // begin: What a removal returns
    const unpaid = invoices
      .remove()
      .whereNull("paidAt")
      .returning("id", mul("price", param("rate", decimal(3, 2))).as("fee"));
    const removed = await unpaid.execMany({ rate: "0.25" });
    // end
    return removed;
  },
};

/** The rows of both tables. */
export async function fill({ accounts, invoices }: Shop): Promise<void> {
  const day = (text: string) => new Date(`${text}T12:00:00Z`);
  await accounts.insert().execBatch([
    {
      id: 1,
      tenantId: 1,
      name: "Ann Low",
      email: " Ann@Example.org",
      settings: { theme: "dark", beta: true },
    },
    { id: 2, tenantId: 1, name: "Bob & Co, 50% off", email: "bob@example.org", settings: { theme: "light" } },
    { id: 3, tenantId: 2, name: "Cleo", email: "cleo@example.org", settings: { theme: "dark" } },
  ]);
  await invoices.insert().execBatch([
    { id: 1, tenantId: 1, accountId: 1, quantity: 3, price: "0.10", paidAt: day("2026-01-15") },
    { id: 2, tenantId: 1, accountId: 2, quantity: 1, price: "19.99", paidAt: day("2026-01-31") },
    { id: 3, tenantId: 2, accountId: 3, quantity: 7, price: "12345678.90", paidAt: day("2026-02-01") },
    { id: 4, tenantId: 2, accountId: 3, quantity: 2, price: "0.20", paidAt: null },
  ]);
}
