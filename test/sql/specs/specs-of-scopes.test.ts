/**
 * The specs of a scope over several tables. Two tenants' rows refer to each other in both directions; what a scope answers
 * is what the tables answer that hold no row of the other tenant.
 */
import { column, DeclarationError, many, one, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Chance } from "../../campaigns/expression-chance.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers, titleOf } from "../../servers.js";

/** The tables; `labels` has a field of that name and another kind, and `countries` none. */
const tablesOf = (prefix: string) => ({
  tasks: table(
    `${prefix}_tasks`,
    z.object({
      id: column(z.int(), { primaryKey: true }),
      tenantId: column(z.int(), { name: "tenant" }),
      title: z.string(),
      parentId: z.int().nullable(),
      ownerId: z.int().nullable(),
      leadId: z.int().nullable(),
      countryId: z.int(),
    }),
    {
      relations: {
        // By the tenant too; and through tables that have it, and that have it not.
        lead: one("people", ["tenantId", "leadId"], { key: ["tenantId", "id"], optional: true }),
        helpers: many("people", { through: "helps" }),
        seen: many("countries", { through: "visits" }),
        parent: one("tasks", "parentId"),
        children: many("tasks", "parentId"),
        owner: one("people", "ownerId"),
        country: one("countries", "countryId"),
        labels: many("labels", "taskId"),
      },
    },
  ),
  people: table(
    `${prefix}_people`,
    z.object({ id: column(z.int(), { primaryKey: true }), tenantId: z.int(), name: z.string() }),
    {
      unique: [["tenantId", "id"]],
      relations: {
        tasks: many("tasks", "ownerId"),
        leads: many("tasks", ["tenantId", "leadId"], { key: ["tenantId", "id"] }),
        helped: many("tasks", { through: "helps" }),
      },
    },
  ),
  helps: table(
    `${prefix}_helps`,
    z.object({
      id: column(z.int(), { primaryKey: true }),
      tenantId: z.int(),
      taskId: z.int(),
      personId: z.int(),
    }),
    { relations: { task: one("tasks", "taskId"), person: one("people", "personId") } },
  ),
  visits: table(
    `${prefix}_visits`,
    z.object({ id: column(z.int(), { primaryKey: true }), taskId: z.int(), countryId: z.int() }),
    { relations: { task: one("tasks", "taskId"), country: one("countries", "countryId") } },
  ),
  countries: table(
    `${prefix}_countries`,
    z.object({ id: column(z.int(), { primaryKey: true }), name: z.string() }),
    {
      relations: {
        tasks: many("tasks", "countryId"),
        visitors: many("tasks", { through: "visits" }),
      },
    },
  ),
  labels: table(
    `${prefix}_labels`,
    z.object({ id: column(z.int(), { primaryKey: true }), taskId: z.int(), tenantId: z.string() }),
    { relations: { task: one("tasks", "taskId") } },
  ),
});

const both = tablesOf("both");
const mine = tablesOf("mine");
type Open = ReturnType<typeof sqlite>;
const opened = (db: unknown, of: typeof both = both) => (db as Open).repositories(of);
const scopedOn = (db: unknown, tenantId = 1) => opened(db).tasks.scope({ tenantId });

/** The tables that hold one tenant's rows, whose repository has the same methods. */
const aloneOn = (db: unknown) => opened(db, mine).tasks as unknown as ReturnType<typeof scopedOn>;

const relations = {
  parent: {
    fields: ["id", "title"],
    relations: { owner: { fields: ["id", "name"] }, children: { fields: ["id", "title"] } },
  },
  children: {
    fields: ["id", "title"],
    relations: { parent: { fields: ["id", "title"] }, labels: { fields: ["id"] } },
  },
  owner: {
    fields: ["id", "name"],
    relations: { tasks: { fields: ["id", "title"] }, helped: { fields: ["id", "title"] } },
  },
  lead: { fields: ["id", "name"], relations: { leads: { fields: ["id"] } } },
  helpers: { fields: ["id", "name"], relations: { helped: { fields: ["id"] } } },
  seen: { fields: ["id", "name"], relations: { visitors: { fields: ["id"] } } },
  country: { fields: ["id", "name"], relations: { tasks: { fields: ["id", "title"] } } },
  labels: { fields: ["id"], relations: { task: { fields: ["id"] } } },
} as const;
const options = {
  fields: ["id", "title"],
  maxLimit: 30,
  maxJoins: 40,
  maxConditions: 200,
  maxRows: 1e9,
  maxDepth: 20,
  relations,
} as const;

/** What leads where, as the options say. */
interface Seen {
  readonly fields: readonly string[];
  readonly relations?: Readonly<Record<string, Seen>>;
}

type Spec = Readonly<Record<string, unknown>>;

/** Makes specs that the scope's schemas take. */
class Specs {
  readonly #chance: Chance;
  constructor(chance: Chance) {
    this.#chance = chance;
  }

  query(seen: Seen = options, depth = 0): Spec {
    const joins = this.#joins(seen);
    const names = joins.flatMap(({ name, of }) => of.fields.map((field) => `${name}.${field}`));
    const ids = ["id", ...joins.map(({ name }) => `${name}.id`)];
    return {
      ...(joins.length > 0 ? { joins: joins.map(({ join }) => join) } : {}),
      fields: [...seen.fields, ...names],
      where: this.#conditions(seen, joins, depth),
      order_by: ids.map((field) => ({ field, direction: "asc" })),
      ...(depth < 2 && seen.relations !== undefined && this.#chance.oneIn(2)
        ? { with: this.#nested(seen, joins, depth) }
        : {}),
    };
  }

  /** The spec of an aggregate. */
  aggregate(): Spec {
    const { joins, where } = this.query();
    return joins === undefined ? { where } : { joins, where };
  }

  #joins(seen: Seen) {
    const chance = this.#chance;
    const joins: { readonly name: string; readonly of: Seen; readonly join: object }[] = [];
    let at = { prefix: "", seen };
    for (let i = 0; i < 2; i++) {
      const names = Object.keys(at.seen.relations ?? {});
      if (names.length === 0 || chance.oneIn(2)) break;
      const relation = chance.of(names);
      const of = at.seen.relations?.[relation];
      if (of === undefined) break;
      const name = `j${i}`;
      const kind = chance.of(["left", "left", "inner"]);
      joins.push({ name, of, join: { relation: at.prefix + relation, as: name, kind } });
      at = { prefix: `${name}.`, seen: of };
    }
    return joins;
  }

  #nested(seen: Seen, joins: readonly { readonly name: string }[], depth: number): Spec {
    const names = Object.keys(seen.relations ?? {}).filter(
      (name) => !joins.some((join) => join.name === name),
    );
    const chosen = names.filter(() => this.#chance.oneIn(2));
    return Object.fromEntries(
      chosen.map((name) => [name, this.query(seen.relations?.[name] ?? options, depth + 1)]),
    );
  }

  #conditions(
    seen: Seen,
    joins: readonly { readonly name: string; readonly of: Seen }[],
    depth: number,
  ): readonly object[] {
    const chance = this.#chance;
    return Array.from({ length: chance.below(3) }, (): object => {
      const places = [{ prefix: "", of: seen }, ...joins.map(({ name, of }) => ({ prefix: `${name}.`, of }))];
      const { prefix, of } = chance.of(places);
      const ways = Object.keys(of.relations ?? {});
      const choice = chance.below(4);
      if (choice === 0 && depth < 3)
        return {
          logic: "OR",
          group: [{ field: "id", is_null: true }, ...this.#some(seen, joins, depth + 1)],
        };
      if (choice < 3 && ways.length > 0 && depth < 4) {
        const way = chance.of(ways);
        const where = this.#conditions(of.relations?.[way] ?? options, [], depth + 1);
        return { [chance.of(["exists", "not_exists"])]: prefix + way, where };
      }
      return { field: `${prefix}id`, operator: chance.of(["<=", ">", "!="]), param: chance.of(["a", "b"]) };
    });
  }

  #some(seen: Seen, joins: readonly { readonly name: string; readonly of: Seen }[], depth: number) {
    const conditions = this.#conditions(seen, joins, depth);
    return conditions.length > 0 ? conditions : [{ field: "id", operator: "<=", param: "a" }];
  }
}

/** Rows of both tenants that refer to each other as they like. */
function rowsOf(chance: Chance) {
  const tenant = () => 1 + chance.below(2);
  const people = Array.from({ length: 6 }, (_, i) => ({ id: i + 1, tenantId: tenant(), name: `p${i}` }));
  const tasks = Array.from({ length: 16 }, (_, i) => ({
    id: i + 1,
    tenantId: tenant(),
    title: `t${i}`,
    parentId: i === 0 || chance.oneIn(4) ? null : 1 + chance.below(i),
    ownerId: chance.oneIn(4) ? null : 1 + chance.below(6),
    leadId: chance.oneIn(4) ? null : 1 + chance.below(6),
    countryId: 1 + chance.below(2),
  }));
  const labels = Array.from({ length: 12 }, (_, i) => ({
    id: i + 1,
    taskId: 1 + chance.below(16),
    tenantId: "2",
  }));
  const countries = [
    { id: 1, name: "here" },
    { id: 2, name: "there" },
  ];
  const helps = Array.from({ length: 24 }, (_, i) => ({
    id: i + 1,
    tenantId: tenant(),
    taskId: 1 + chance.below(16),
    personId: 1 + chance.below(6),
  }));
  const visits = Array.from({ length: 12 }, (_, i) => ({
    id: i + 1,
    taskId: 1 + chance.below(16),
    countryId: 1 + chance.below(2),
  }));
  return { people, tasks, labels, countries, helps, visits };
}

const SPECS = rounds({ small: 30, full: 20_000 });

// The server in the place of Oracle has no nested rows.
for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`the specs of a scope on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      const db = lent.db as unknown as Open;
      await db.createTables(...Object.values(both), ...Object.values(mine));
      const { people, tasks, labels, countries, helps, visits } = rowsOf(new Chance(5));
      const fill = async (of: typeof both, isOne: (row: { tenantId: number }) => boolean) => {
        const into = opened(db, of);
        await into.people.insert().execBatch(people.filter(isOne));
        await into.tasks.insert().execBatch(tasks.filter(isOne));
        await into.labels.insert().execBatch(labels);
        await into.countries.insert().execBatch(countries);
        await into.helps.insert().execBatch(helps.filter(isOne));
        await into.visits.insert().execBatch(visits);
      };
      await fill(both, () => true);
      await fill(mine, ({ tenantId }) => tenantId === 1);
    });
    afterAll(() => lent.close());

    const given = (render: () => { readonly params: readonly string[] }) =>
      Object.fromEntries(render().params.map((name) => [name, name === "a" ? 9 : 5]));

    test(`${SPECS} specs: rows and counts are those without the other tenant's rows`, async () => {
      const schemas = scopedOn(lent.db).specs(options);
      const chance = new Chance(29);
      const specs = new Specs(chance);
      let found = 0;
      for (let i = 0; i < SPECS; i++) {
        const spec = schemas.query.parse(specs.query());
        const ours = scopedOn(lent.db).queryFromSpec(spec);
        const params = given(() => ours.render());
        const rows = await ours.exec(params);
        const alone = await aloneOn(lent.db).queryFromSpec(spec).exec(params);
        expect(rows, JSON.stringify(spec)).toEqual(alone);
        found += rows.length;
        const counted = schemas.aggregate.parse(specs.aggregate());
        const count = scopedOn(lent.db).countFromSpec(counted);
        const values = given(() => count.render());
        const other = await aloneOn(lent.db).countFromSpec(counted).exec(values);
        expect(await count.exec(values), JSON.stringify(counted)).toBe(other);
      }
      expect(found).toBeGreaterThan(SPECS);
    });

    test("select, set operations, pages, updates and removals too", async () => {
      const { select, compound, query, modify, remove } = scopedOn(lent.db).specs(options);
      const nobody = { exists: "parent", where: [{ not_exists: "owner" }] };
      const shown = {
        fields: ["id"],
        where: [nobody],
        order_by: [{ field: "id", direction: "asc" }],
      } as const;
      const union = {
        base: { fields: ["id"], where: [nobody] },
        operands: [{ operation: "union", query: { fields: ["id"], where: [{ exists: "children" }] } }],
        order_by: [{ field: "id", direction: "asc" }],
      };
      const answers = async (tasks: ReturnType<typeof scopedOn>) => {
        const rows = await tasks.compoundFromSpec(compound.parse(union)).exec({});
        const page = await tasks.pageFromSpec(query.parse({ ...shown, limit: 2 })).exec({});
        const row = await tasks
          .selectFromSpec(select.parse({ ...shown, with: { children: { fields: ["id"] }, owner: {} } }))
          .execOrNull({});
        const renamed = tasks.modifyFromSpec(modify.parse({ set: { title: "title" }, where: [nobody] }));
        const gone = tasks.removeFromSpec(remove.parse({ where: [{ not_exists: "parent" }, nobody] }));
        return [rows, page.rows, row, await renamed.execBatch([{ title: "t" }]), await gone.exec({})];
      };
      const ours = await answers(scopedOn(lent.db));
      expect(ours).toEqual(await answers(aloneOn(lent.db)));
      expect(ours[0]).not.toEqual([]);
    });

    test("a table that is whole is", async () => {
      const whole = scopedOn(lent.db).specs({
        fields: ["id"],
        relations: {
          parent: { fields: ["id", "tenantId"], whole: true, relations: { owner: { fields: ["id"] } } },
          owner: { fields: ["id"] },
        },
      });
      const spec = whole.query.parse({
        joins: [{ relation: "parent" }, { relation: "parent.owner", as: "boss", kind: "left" }],
        fields: ["id", "parent.id", "parent.tenantId", "boss.id"],
        where: [{ exists: "parent", where: [{ field: "tenantId", operator: "=", param: "other" }] }],
        order_by: [{ field: "id", direction: "asc" }],
      });
      expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
      const rows = await scopedOn(lent.db).queryFromSpec(spec).exec({ other: 2 });
      const { tasks, people } = rowsOf(new Chance(5));
      const expected = tasks.flatMap(({ id, tenantId, parentId }) => {
        const parent = tasks.find((task) => task.id === parentId);
        if (tenantId !== 1 || parent?.tenantId !== 2) return [];
        const boss = people.find((person) => person.id === parent.ownerId && person.tenantId === 1);
        return [
          { id, parent: { id: parent.id, tenantId: 2 }, boss: boss === undefined ? null : { id: boss.id } },
        ];
      });
      expect(rows).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
    });
  });

const dialects = [sqlite(), postgres(), mariadb(), oracle()].map((db) => [db.dialect, db] as const);

describe.each(dialects)("on %s", (_, db) => {
  const scope = scopedOn(db, 7);
  const untyped = scope as unknown as { specs(given: object): Record<string, z.ZodType> };

  test.each([
    [
      "its own table",
      { fields: ["id", "tenantId"] },
      'unknown field "tenantId" on table "both_tasks"; fields: id, title',
    ],
    [
      "a related one",
      { relations: { owner: { fields: ["tenantId"] } } },
      'unknown field "tenantId" on table "both_people"',
    ],
    [
      "a table behind one that is whole",
      {
        relations: { owner: { fields: ["id"], whole: true, relations: { tasks: { fields: ["tenantId"] } } } },
      },
      'unknown field "tenantId"',
    ],
  ])("the scope's field of %s cannot be listed", (_what, given, message) => {
    expect(() => untyped.specs(given)).toThrow(DeclarationError);
    expect(() => untyped.specs(given)).toThrow(message);
    expect(() => untyped.specs(given)).not.toThrow(/fields: .*tenantId/);
  });

  test("nor named, wherever a field stands", () => {
    const { query } = scope.specs(options);
    const joins = [{ relation: "owner" }];
    for (const field of ["tenantId", "owner.tenantId"])
      for (const spec of [
        { joins, fields: [field] },
        { joins, where: [{ field, operator: "=", param: "t" }] },
        { joins, order_by: [{ field, direction: "asc" }] },
        { where: [{ exists: "owner", where: [{ field: "tenantId", is_null: true }] }] },
        { with: { children: { fields: ["tenantId"] } } },
      ])
        expect(query.safeParse(spec).success, JSON.stringify(spec)).toBe(false);
  });

  test("fields of another kind, and tables without them, are as they were", () => {
    expect(() => untyped.specs({ relations: { labels: { fields: ["tenantId"] } } })).not.toThrow();
    const { query } = scope.specs(options);
    const spec = query.parse({ joins: [{ relation: "labels" }, { relation: "country" }] });
    expect(Object.values(scope.queryFromSpec(spec).render().constants ?? {})).toEqual([7]);
  });

  test("a client cannot say that a table is whole, nor is it told the word", () => {
    const { query } = scope.specs({ ...options, relations: { owner: { fields: ["id"], whole: true } } });
    for (const spec of [
      { joins: [{ relation: "owner", whole: true }] },
      { with: { owner: { whole: true } } },
      { where: [{ exists: "owner", whole: true }] },
      { whole: true },
    ]) {
      const { error } = query.safeParse(spec);
      expect(error?.message).toMatch(/nknown key|nrecognized key/);
      expect(error?.message).not.toMatch(/keys: .*whole/);
    }
    expect(JSON.stringify(z.toJSONSchema(query, { io: "input" }))).not.toContain("whole");
  });

  test("whole is said of each use of the relation, and of no other", () => {
    const { query } = scope.specs({
      fields: ["id"],
      maxLimit: 5,
      relations: { owner: { fields: ["id"], whole: true, relations: { tasks: { fields: ["id"] } } } },
    });
    const inner = { exists: "owner", where: [{ exists: "tasks" }] };
    const spec = query.parse({
      joins: [{ relation: "owner", as: "boss" }, { relation: "boss.tasks" }],
      where: [{ logic: "OR", group: [inner, { not_exists: "boss.tasks" }] }],
      with: { owner: { with: { tasks: {} } } },
    });
    expect(spec).toMatchObject({
      joins: [{ relation: "owner", whole: true }, { relation: "boss.tasks" }],
      where: [{ group: [{ ...inner, whole: true }, { not_exists: "boss.tasks" }] }],
      with: { owner: { whole: true, with: { tasks: {} } } },
    });
    expect(JSON.stringify(spec).match(/"whole"/g)).toHaveLength(3);
    // The limits are those of a spec without such tables.
    expect(query.parse({ limit: 2 }).limit).toBe(2);
    expect(query.parse({ limit_param: "n" }).limit).toBe(5);
    expect(query.parse({ limit_param: "n", limit: 2 }).limit).toBe(2);
  });

  test("a builder's joined and nested tables are whole, and its spec says so", () => {
    const { tasks, people } = opened(db);
    const builders = [
      scope.query().join("parent").leftJoin("parent.owner").where("owner.id", "=", "o"),
      scope.query().with("children", tasks.query().fields("id").whereExists("owner")).with("owner"),
      scope.query().whereExists("owner", people.query().where("id", ">", "a")),
      scope.query().whereQuery("ownerId", "IN", people.query().fields("id")),
    ];
    for (const builder of builders) {
      const again = scope.queryFromSpec(builder.toSpec());
      expect(again.render()).toEqual(builder.render());
      expect(again.toSpec()).toEqual(builder.toSpec());
    }
  });

  test("whole is a word of scopes: elsewhere it changes nothing", () => {
    const { tasks } = opened(db);
    const joins = [{ relation: "parent" }];
    const render = (whole?: true) =>
      tasks.queryFromSpec({ joins: [{ relation: "parent", whole }], with: { owner: { whole } } }).render()
        .sql;
    expect(render(true)).toBe(render());
    const odd = { joins: joins.map((join) => ({ ...join, whole: "yes" })) } as unknown as object;
    expect(() => tasks.queryFromSpec(odd).build()).toThrow(/whole of a relation must be true or absent/);
  });
});
