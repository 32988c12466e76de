/**
 * The benchmark of the first document: an engine of 300 handlers describes itself, compared with Zod's own conversion of
 * the same schemas alone. Run by `npm run bench document`. A document is made once in a process, so each sample is a
 * process of its own, and the two kinds take turns; what is loaded and declared before is not counted. CPU time, median
 * over the rounds; only the ratio is a result.
 */
import { fileURLToPath } from "node:url";
import { mediansOf } from "./kit/in-turns.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 11);
const HANDLERS = 300;

/** The schemas of a route: some have an id and so become components, the others are described in place. */
function schemasOf(z, i) {
  const Address = z.object({ street: z.string().min(1), city: z.string(), zip: z.string().regex(/^\d{5}$/) });
  const Body = z.object({
    name: z.string().min(1).max(100),
    email: z.email(),
    age: z.int().min(0),
    role: z.enum(["admin", "member"]),
    tags: z.array(z.string()),
    address: Address,
  });
  const Output = z.object({ id: z.int(), createdAt: z.date(), ...Body.shape });
  return {
    path: z.object({ id: z.int() }),
    query: z.object({ verbose: z.boolean().optional(), limit: z.int().default(10) }),
    body: Body,
    output: i % 2 === 0 ? Output.meta({ id: `Output${i}` }) : Output,
  };
}

async function sample(kind) {
  const { z } = await import("zod");
  const all = Array.from({ length: HANDLERS }, (_, i) => schemasOf(z, i));
  let work;
  if (kind === "rowtype") {
    const { createEngine, POST } = await import("rowtype/http");
    const handlers = all.map((options, i) => POST(`/r${i}/{id}`, options, () => null));
    const api = createEngine().withHandlers(...handlers);
    work = () => api.openapi();
  } else {
    // Dates are what JSON Schema does not have.
    const convert = (schema, io) => z.toJSONSchema(schema, { io, unrepresentable: "any" });
    work = () =>
      all.map(({ path, query, body, output }) => [
        convert(path, "input"),
        convert(query, "input"),
        convert(body, "input"),
        convert(output, "output"),
      ]);
  }
  const start = process.cpuUsage();
  const made = work();
  const { user, system } = process.cpuUsage(start);
  if (typeof made !== "object") throw new Error("nothing was made");
  console.log((user + system) / 1000);
}

function compare() {
  const [ours, zod] = mediansOf(fileURLToPath(import.meta.url), ["rowtype", "zod"], ROUNDS);
  console.log(
    `first document of ${HANDLERS} handlers ÷ Zod's conversion alone (${zod.toFixed(0)} ms): ${(ours / zod).toFixed(2)}`,
  );
}

const kind = process.argv[2];
if (kind === undefined) compare();
else await sample(kind);
