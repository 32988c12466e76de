/** One random recursive schema, deep bodies, and every way through which they go. */
import { compiledFirst } from "../../src/schema/compiled/validator.js";
import { floodSafeValidator } from "../../src/schema/flood.js";
import { readerOf } from "../../src/schema/reader/reader-of.js";
import { validateOutput, validator } from "../../src/schema/validate.js";
import { wireDecoder } from "../../src/schema/wire-decode.js";
import { wireEncoder } from "../../src/schema/wire-encode.js";
import { grammars } from "../../src/sql/dialect/grammars.js";
import { codecOf } from "../../src/sql/value/column-codec.js";
import { bodyOf, type Chance, nodesIn, plansOf, sizeOf, zod3Of, zod4Of } from "./recursive.js";
import { Visits } from "./visits.js";

/** The most visits that a part of a schema may need for a part of a value. */
const EACH = 12;

/** Visits that need no value of any size: whether a value has many items is asked of the first thousand. */
const ALWAYS = 3_000;

const DEPTHS = [1, 3, 20, 60, 200];

/** The visits, of those that are allowed, of the schema and the body that need most. */
export async function visitsOfZod4(chance: Chance): Promise<number> {
  const plans = plansOf(chance);
  const size = sizeOf(plans);
  let most = 0;
  const measure = async (body: unknown, work: (value: unknown) => unknown) => {
    most = Math.max(most, await shareOf(ALWAYS + EACH * size * nodesIn(body), body, work));
  };
  for (const depth of DEPTHS) {
    const body = bodyOf(plans, depth, chance);
    let read: unknown;
    await measure(body, async (value) => {
      const schema = zod4Of(plans);
      const decoded = wireDecoder(schema)?.(value) ?? value;
      const result = await compiledFirst(schema, floodSafeValidator(schema))(decoded);
      if (result.ok) read = result.value;
      await validator(schema)(decoded);
    });
    for (const held of read === undefined ? [body] : [body, read]) {
      await measure(held, async (value) => {
        const schema = zod4Of(plans);
        await validateOutput(schema, value).catch(() => {});
        attempt(() => wireEncoder(schema)?.(value));
      });
      await measure(held, (value) => {
        const grammar = grammars.get("sqlite");
        if (grammar === undefined) throw new Error("there is no grammar of SQLite");
        const codec = codecOf({ storage: { kind: "json" }, schema: zod4Of(plans) }, grammar);
        attempt(() => codec.fault(value));
        attempt(() => codec.encode(value));
        attempt(() => codec.decode(JSON.stringify(body)));
      });
    }
  }
  return most;
}

async function shareOf(allowed: number, body: unknown, work: (value: unknown) => unknown): Promise<number> {
  const visits = new Visits(allowed);
  try {
    await visits.countingZod4(() => work(visits.watched(body)));
  } catch (error) {
    if (!(error instanceof RangeError || isOfFreezing(error))) throw error;
  }
  return visits.count / allowed;
}

/** As `visitsOfZod4`, for schemas of Zod 3. */
export async function visitsOfZod3(chance: Chance): Promise<number> {
  const plans = plansOf(chance);
  const size = sizeOf(plans);
  let most = 0;
  for (const depth of DEPTHS) {
    const body = bodyOf(plans, depth, chance);
    const allowed = ALWAYS + EACH * size * nodesIn(body);
    const visits = new Visits(allowed);
    await visits
      .countingZod3(async () => {
        const schema = zod3Of(plans);
        const reader = readerOf(schema);
        await reader.bodyValidator()(reader.wireDecoder()?.(visits.watched(body)));
      })
      .catch((error: unknown) => {
        if (!isOfFreezing(error)) throw error;
      });
    most = Math.max(most, visits.count / allowed);
  }
  return most;
}

/** Zod freezes what is readonly, and bytes cannot be frozen: it throws, and the visits until then count. */
function isOfFreezing(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith("Cannot freeze");
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // The value is not one of the schema.
  }
}
