/** A table with a column of every scalar kind, and rows that tell the dialects apart. */
import { column, type Database, type Insert, json, table } from "rowtype";
import { z } from "zod";

export const Team = table(
  "teams",
  z.object({ id: column(z.int(), { primaryKey: true }), title: z.string() }),
);

export const Person = table(
  "people",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    email: column(z.email(), { unique: true, name: "email_address" }),
    name: z.string(),
    age: column(z.int().nullable(), { check: "age >= 0", index: true }),
    score: z.number(),
    role: column(z.enum(["admin", "member", "guest"]), { default: "'member'" }),
    active: z.boolean(),
    balance: z.bigint(),
    bornAt: column(z.date().nullable(), { name: "born_at" }),
    teamId: column(z.int().nullable(), { name: "team_id", references: () => Team }),
    photo: z.instanceof(Uint8Array).nullable(),
    settings: json(z.object({ theme: z.string(), seen: z.date() })).nullable(),
    tags: z.array(z.string()),
    createdAt: column(z.date(), { name: "created_at", default: "CURRENT_TIMESTAMP" }),
  }),
);

const createdAt = new Date("2026-01-02T03:04:05.678Z");
const plain = {
  photo: null,
  settings: null,
  tags: [],
  createdAt,
  active: true,
  balance: 0n,
  score: 0,
};

export const people: readonly Insert<typeof Person>[] = [
  {
    ...plain,
    id: 1,
    email: "ann@example.org",
    name: "Ann",
    age: 30,
    role: "admin",
    bornAt: new Date("1996-02-29T00:00:00Z"),
    teamId: 1,
    tags: ["a,b", 'quote "', "back\\slash", "", "NULL"],
  },
  {
    ...plain,
    id: 2,
    email: "bob@example.org",
    name: "bob",
    age: 20,
    score: 1.5,
    active: false,
    balance: 9007199254740993n,
    bornAt: null,
    teamId: 1,
  },
  {
    ...plain,
    id: 3,
    email: "cy@example.org",
    name: "Cy_%*?[x]\\",
    age: null,
    role: "guest",
    balance: -9223372036854775808n,
    bornAt: new Date("0099-12-31T23:59:59.999Z"),
    teamId: null,
    photo: new Uint8Array([0, 1, 255]),
  },
  {
    ...plain,
    id: 4,
    email: "dé@example.org".replace("é", "e"),
    name: "Dé \u{1F600}",
    age: 20,
    score: -0.1,
    settings: { theme: "dark", seen: createdAt },
    teamId: 2,
  },
  {
    ...plain,
    id: 5,
    email: "eve@example.org",
    name: "ann ",
    age: 41,
    role: "admin",
    active: false,
    bornAt: new Date("9999-12-31T23:59:59.999Z"),
    teamId: 2,
  },
];

/** Makes both tables and fills them. */
export async function createPeople(db: Database): Promise<void> {
  await db.createTables(Person, Team);
  await db
    .repository(Team)
    .insert()
    .execBatch([
      { id: 1, title: "One" },
      { id: 2, title: "Two" },
    ]);
  await db.repository(Person).insert().execBatch(people);
}
