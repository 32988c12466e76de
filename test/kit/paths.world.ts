/** A table with JSON of every shape that paths lead into. */
import { column, type Database, type Insert, json, table } from "rowtype";
import { z } from "zod";

export const Profile = table(
  "profiles",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    meta: json(
      z.object({
        title: z.string(),
        theme: z.enum(["dark", "light"]).nullable(),
        score: z.number(),
        level: z.int().optional(),
        beta: z.boolean(),
        tags: z.array(z.string()),
        size: z.object({ w: z.number(), unit: z.string() }).optional(),
        at: z.date(),
        total: z.bigint(),
      }),
    ),
    extra: json(z.object({ notes: z.array(z.object({ text: z.string() })) })).nullable(),
  }),
);

const at = new Date("2026-01-02T03:04:05.678Z");
const plain = { theme: null, beta: false, tags: [], at, total: 0n };

export const profiles: readonly Insert<typeof Profile>[] = [
  {
    id: 1,
    name: "Ann",
    meta: {
      ...plain,
      title: "Zebra",
      theme: "dark",
      score: 0.1,
      level: 9007199254740991,
      beta: true,
      tags: ["b", ""],
      size: { w: 1e300, unit: "cm" },
      total: 9007199254740993n,
    },
    extra: { notes: [{ text: 'quote " and \\ and \u0001' }, { text: "second" }] },
  },
  {
    id: 2,
    name: "Bob",
    meta: { ...plain, title: "apple", score: 1e-7, level: -3, tags: ["B"], size: { w: 5e-324, unit: "m" } },
  },
  { id: 3, name: "Cy", meta: { ...plain, title: "éclair \u{1F600}", theme: "light", score: 10, beta: true } },
  { id: 4, name: "Dé", meta: { ...plain, title: "", score: -9.5, level: 0 }, extra: { notes: [] } },
];

const repositories = (db: Database<"sqlite">) => ({ profiles: db.repository(Profile) });

export const profileWorld = {
  tables: [Profile],
  repositories,
  create: async (db: Database): Promise<void> => {
    await db.createTables(Profile);
    await db.repository(Profile).insert().execBatch(profiles);
  },
};
