/**
 * Random specs from clients over tables with rules: none sees or changes a hidden row, and none can say that it wants to.
 * They run where the hidden rows are not there, too, and must do the same. In full there are 100,000. `ROWTYPE_SEED`
 * repeats a run.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { idsIn } from "../kit/hidden-outcomes.js";
import type { Ids } from "../kit/hidden-programs.js";
import {
  type Copies,
  type Copy,
  hidden,
  openCopies,
  refill,
  repositoriesOf,
  storedIn,
  textOf,
} from "../kit/hidden-world.js";
import type { Untyped } from "../kit/spec-methods.js";
import { patience, rounds } from "../rounds.js";
import { servers } from "../servers.js";
import { Chance } from "./expression-chance.js";
import { allowed, attacked, HiddenSpecs, type Json, type Sent } from "./hidden-specs.js";

const SMALL = 400;
const SPECS = rounds({ small: SMALL, full: 100_000 });
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (SPECS > SMALL ? Date.now() % 4294967296 : 5));
const ROWS_OF = 200;

class Undo extends Error {}

/** What a spec does, in a transaction that is undone. */
async function doneBy({ db }: Copy, { kind, params }: Sent, spec: unknown, ids: Ids) {
  let done: readonly [result: string, hidden: string, others: string] | undefined;
  const isChange = kind === "modify" || kind === "remove";
  await db
    .transaction(async (tx) => {
      const { docs }: { docs: Untyped } = tx.repositories(hidden) as never;
      const given = isChange ? { ...params, version: 1 } : params;
      try {
        const result = textOf(await docs[`${kind}FromSpec`](spec).exec(given));
        done = [result, ...(isChange ? await storedIn(repositoriesOf(tx).open, ids) : (["", ""] as const))];
      } catch (error) {
        if ((error as { code?: string }).code === undefined) throw error;
        done = [(error as { code: string }).code, "", ""];
      }
      throw new Undo();
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (done === undefined) throw new Error("the transaction did not run");
  return done;
}

const schemaOf = (schemas: Readonly<Record<string, z.ZodType>>, kind: string) =>
  schemas[
    kind === "page" ? "query" : ["count", "sum", "max"].includes(kind) ? "aggregate" : kind
  ] as z.ZodType;

/** The words in which a schema refuses a spec. */
function refusals(schema: z.ZodType, spec: Json): readonly string[] {
  const { error } = schema.safeParse(spec);
  return (error?.issues ?? []).map(({ path, message, code }) => `${path.join(".")}: ${code}: ${message}`);
}

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`specs from clients on ${server.name}, seed ${SEED}`, () => {
    let copies: Copies;
    beforeAll(async () => {
      copies = await openCopies(server);
    }, 60_000);
    afterAll(() => Promise.all(Object.values(copies).map(({ lent }) => lent.close())));

    test("see and change no hidden row", { timeout: patience(60_000, 120, SPECS) }, async () => {
      const chance = new Chance(SEED);
      const maker = new HiddenSpecs(chance);
      const { docs }: { docs: Untyped } = copies.among.of as never;
      const schemas = docs.specs(allowed);
      let ids: Ids | undefined;
      let before = "";
      let [ok, met] = [0, 0];
      for (let i = 0; i < SPECS; i++) {
        if (ids === undefined || i % ROWS_OF === 0) {
          await refill(copies, chance);
          ids = await idsIn(copies);
          [before] = await storedIn(copies.among.open, ids);
        }
        const sent = maker.next();
        const schema = schemaOf(schemas, sent.kind);
        const parsed = schema.safeParse(sent.spec);
        if (!parsed.success) continue;
        const { data: spec } = parsed;
        const [result, kept, others] = await doneBy(copies.among, sent, spec, ids);
        const alone = await doneBy(copies.alone, sent, spec, ids);
        expect([sent, result, others]).toEqual([sent, alone[0], alone[2]]);
        if (kept !== "") expect([sent, kept]).toEqual([sent, before]);
        if (!/^[A-Z_]+$/.test(result)) ok++;
        // Where all rows are visible it finds others, if it is one that could.
        if (i % 4 === 0 && (await doneBy(copies.shown, sent, spec, ids))[0] !== result) met++;
      }
      expect(ok).toBeGreaterThan(SPECS / 2);
      expect(met).toBeGreaterThan(SPECS / 12);
    });

    test("are refused in the words of an invented name where they ask for one", () => {
      const chance = new Chance(SEED + 1);
      const maker = new HiddenSpecs(chance);
      const { docs }: { docs: Untyped } = copies.among.of as never;
      const schemas = docs.specs(allowed);
      for (let i = 0; i < SPECS; i++) {
        const { kind, spec } = maker.next();
        const schema = schemaOf(schemas, kind);
        const { sent, word, as } = attacked(spec, chance);
        const invented = "qzq".padEnd(word.length, "q").slice(0, Math.max(3, word.length));
        const said = refusals(schema, sent);
        expect([kind, sent, said.length > 0]).toEqual([kind, sent, true]);
        const told = (lines: readonly string[], name: string) =>
          lines.map((line) => line.replaceAll(new RegExp(`\\b${name}\\b`, "g"), "…"));
        expect([sent, told(said, word)]).toEqual([sent, told(refusals(schema, as(invented)), invented)]);
      }
    });
  });
