/**
 * The benchmark of the schemas of clients' specs: the cost of making those of a table with relations, as a handler does
 * for a scope, and of the first spec that they parse. Run by `npm run bench specs`. CPU time of this process, medians
 * over the rounds.
 */

import { column, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
import { measure } from "./kit/measure.js";

const nodes = table(
  "nodes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    state: z.enum(["open", "done"]),
    due: z.date().nullable(),
    parentId: z.int().nullable(),
    ownerId: z.int(),
  }),
  { relations: { owner: one("nodes", "ownerId"), children: many("nodes", "parentId") } },
);
const repository = sqlite().repositories({ nodes }).nodes;
const fields = ["id", "name", "state", "due"] as const;

interface Seen {
  readonly fields: typeof fields;
  readonly maxLimit: number;
  readonly relations: { readonly owner?: Seen; readonly children?: Seen };
}

/** Two relations at each of so many levels. */
function relationsOf(levels: number): Seen["relations"] {
  if (levels === 0) return {};
  const seen = (): Seen => ({ fields, maxLimit: 1, relations: relationsOf(levels - 1) });
  return { owner: seen(), children: seen() };
}

/** A spec that goes through all levels, with a condition at each. */
function nested(levels: number): object {
  const where = [{ field: "name", operator: "=", param: "name" }];
  return levels === 0 ? { where } : { where, with: { children: nested(levels - 1) } };
}

/** The most milliseconds that making the schemas, and the first spec, may take. */
const MOST = 20;

const make = (levels: number) => repository.specs({ fields, maxLimit: 1, relations: relationsOf(levels) });
const first = (levels: number) => {
  const { error } = make(levels).query.safeParse(nested(levels));
  if (error !== undefined) throw error;
};

console.log("levels of two relations | made, ms | first spec, ms");
for (const levels of [0, 2, 4, 6, 8]) {
  const cpu = await measure({ make: () => make(levels), first: () => first(levels) });
  const [made = Number.NaN, both = Number.NaN] = ["make", "first"].map((name) => (cpu.get(name) ?? 0) / 1000);
  const parsed = both - made;
  console.log(`${levels} | ${made.toFixed(2)} | ${parsed.toFixed(2)}`);
  if (made > MOST || parsed > MOST) {
    console.error(`more than ${MOST} ms`);
    process.exitCode = 1;
  }
}
