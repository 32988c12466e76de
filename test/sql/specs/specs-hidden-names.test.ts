/**
 * What the refusal of a client's spec says: words of the JSON that the client sent, and no name that its own schema does
 * not show. The hidden names of these tables have a mark in them, which no spec has.
 */
import { column, type Database, many, one, table } from "rowtype";
import { createEngine, on, POST } from "rowtype/http";
import { serveRequest } from "rowtype/http/testing";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { Chance } from "../../campaigns/expression-chance.js";
import { OddSpecs } from "../../kit/odd-specs.js";
import { rounds } from "../../rounds.js";

const MARK = "xhiddenx";
const SPECS = rounds({ small: 1_500, full: 200_000 });

const tables = {
  tasks: table(
    `tasks_${MARK}`,
    z.object({
      id: column(z.int(), { primaryKey: true, name: `id_${MARK}` }),
      title: column(z.string(), { name: `title_${MARK}`, unique: true }),
      due: z.date().nullable(),
      notes: z.unknown().nullable(),
      ownerId: column(z.int(), { name: `owner_${MARK}` }),
      [`secret_${MARK}`]: column(z.string(), { unique: true }),
    }),
    {
      relations: {
        owner: one("people", "ownerId"),
        steps: many("steps", "taskId"),
        [`log_${MARK}`]: many("steps", "taskId"),
      },
    },
  ),
  people: table(
    `people_${MARK}`,
    z.object({
      id: column(z.int(), { primaryKey: true }),
      name: z.string(),
      [`salary_${MARK}`]: z.int(),
    }),
    { relations: { tasks: many("tasks", "ownerId") } },
  ),
  steps: table(`steps_${MARK}`, z.object({ id: z.int(), taskId: z.int(), text: z.string() })),
  [`other_${MARK}`]: table(`other_${MARK}`, z.object({ id: z.int(), [`value_${MARK}`]: z.string() })),
};

const words = {
  fields: ["id", "title", "due", "notes", "owner.name", "steps.text", "name", "text", "owner", "tasks.id"],
  relations: ["owner", "steps", "owner.tasks", "tasks", "title"],
};

const fields = ["id", "title", "due", "notes"] as const;
const options = {
  "with relations": {
    fields,
    maxLimit: 50,
    relations: {
      owner: { fields: ["name"], relations: { tasks: { fields: ["id", "title"] } } },
      steps: { fields: ["text"], maxLimit: 5 },
    },
  },
  "of all fields": { relations: { steps: { fields: ["id", "text"] } } },
  "of few words": { fields: ["id", "title"], operators: ["=", "IN"], aggregates: false, locks: true },
} as const;

const kinds = ["query", "select", "aggregate", "insert", "modify", "remove", "compound"] as const;
type Schemas = Record<(typeof kinds)[number], z.ZodObject>;

function schemasOn(db: unknown, option: object): Schemas {
  const { tasks } = (db as Database<"sqlite">).repositories(tables);
  return (tasks as unknown as { specs(given: object): Schemas }).specs(option);
}

/** The messages of all issues, those inside of unions too. */
const messagesOf = (issues: readonly z.core.$ZodIssue[]): readonly string[] =>
  issues.flatMap((issue) => [
    issue.message,
    ...(issue.code === "invalid_union" ? issue.errors.flatMap(messagesOf) : []),
  ]);

const databases = { sqlite, postgres, mariadb, oracle };

describe.each(Object.entries(options))("specs %s", (name, option) => {
  // With all fields the client sees the marked ones of the table itself, as its document does.
  const shown = name === "of all fields" ? [`secret_${MARK}`] : [];

  test.each(Object.entries(databases))("are refused without a hidden name: %s", (_, open) => {
    const schemas = schemasOn(open(), option);
    const chance = new Chance(17);
    const odd = new OddSpecs(chance, words);
    let refused = 0;
    for (let i = 0; i < SPECS; i++) {
      const kind = chance.of(kinds);
      const spec = odd.of(kind);
      const { error } = schemas[kind].safeParse(spec);
      if (error === undefined) continue;
      refused++;
      const text = shown.reduce((all, one) => all.replaceAll(one, ""), messagesOf(error.issues).join("\n"));
      expect(text, JSON.stringify(spec)).not.toContain(MARK);
      // Nor in the words of programs: a call, or a name that only they have.
      expect(text, JSON.stringify(spec)).not.toMatch(/\w\(|FromSpec|isNull|repositor|builder|undefined key/);
    }
    expect(refused).toBeGreaterThan(SPECS / 2);
  });
});

describe("a query of another table in a condition", () => {
  const inner = { field: "id", operator: "IN", query: { table: "nope", fields: ["zzz"] } };
  const places: Readonly<Record<string, readonly [kind: keyof Schemas, spec: object]>> = {
    query: ["query", { where: [inner] }],
    select: ["select", { where: [inner] }],
    aggregate: ["aggregate", { where: [inner] }],
    modify: ["modify", { set: { title: "title" }, where: [inner] }],
    remove: ["remove", { where: [inner] }],
    "a compound": ["compound", { base: { where: [inner] }, operands: [{ operation: "union", query: {} }] }],
    "a group": ["query", { where: [{ logic: "OR", group: [inner] }] }],
    "rows of a relation": ["query", { where: [{ exists: "steps", where: [inner] }] }],
    "rows of a joined table": [
      "query",
      { joins: [{ relation: "owner" }], where: [{ exists: "owner.tasks", where: [inner] }] },
    ],
    "nested rows": ["query", { with: { steps: { where: [inner] } } }],
  };
  test.each(Object.entries(places))("is refused by its key: %s", (_, [kind, spec]) => {
    const schema = schemasOn(sqlite(), options["with relations"])[kind];
    const names = [`other_${MARK}`, "people", "nope"];
    const refusals = names.map((name) => {
      const { error } = schema.safeParse(JSON.parse(JSON.stringify(spec).replace("nope", name)));
      return error?.issues.map(({ path, message }) => [path.at(-1), message]);
    });
    // Whatever is asked for, the same is said, and nothing else.
    expect(refusals[0]).toEqual([["query", expect.stringMatching(/^unknown key "query"; keys: field, /)]]);
    expect(refusals).toEqual(names.map(() => refusals[0]));
  });
});

test("neither a 422 nor an event has a hidden name", async () => {
  const schemas = schemasOn(sqlite(), options["with relations"]);
  const engine = createEngine({ onError: false }).withHandlers(
    ...kinds.map((kind) => POST(`/${kind}`, { body: schemas[kind] }, () => "taken")),
  );
  const heard: string[] = [];
  const publicly = ({ error, ...fields }: object & { readonly error?: unknown }) =>
    `${JSON.stringify(fields)} ${String(error)} ${JSON.stringify(error)}`;
  const stop = on("http.request.validation.input.failed", (event) => heard.push(publicly(event)));
  const chance = new Chance(23);
  const odd = new OddSpecs(chance, words);
  onTestFinished(stop);
  let refused = 0;
  for (let i = 0; i < 150; i++) {
    const kind = chance.of(kinds);
    const answer = await serveRequest(engine, "POST", `/${kind}`, odd.of(kind));
    expect([200, 422]).toContain(answer.status);
    if (answer.status === 422) refused++;
    expect(answer.text()).not.toContain(MARK);
  }
  expect(heard).toHaveLength(refused);
  expect(heard.join("\n")).not.toContain(MARK);
});
