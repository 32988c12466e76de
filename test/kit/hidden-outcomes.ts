/** What the programs of `hidden-programs.ts` do in each of the databases of `hidden-world.ts`. */
import { add, type Database, value } from "rowtype";
import { call, type Place } from "./hidden-conditions.js";
import { type Ids, isChange, type Program } from "./hidden-programs.js";
import {
  type Copies,
  type Copy,
  type Loose,
  names,
  repositoriesOf,
  storedIn,
  textOf,
} from "./hidden-world.js";

/** What a program gave, and what was stored afterwards. */
export interface Outcome {
  readonly result: string;
  readonly isOk: boolean;
  /** The rows of before that were hidden; and all others. */
  readonly hidden: string;
  readonly others: string;
}

class Undo extends Error {}

/** Runs a program in a transaction that is undone. Calls that wait for `atomic` commit: the rows are new afterwards. */
export async function outcomeIn(
  copy: Copy,
  program: Program,
  ids: Ids,
  which: "of" | "open" = "of",
): Promise<Outcome> {
  const isBound = program.form === "bind" || program.form === "bindMany";
  let outcome: Outcome | undefined;
  const { db } = copy;
  const look = async (place: object): Promise<Outcome> => {
    const { result, isOk } = await resultIn(place as Database, program, which);
    // After an error a transaction has nothing more to say.
    const seen = repositoriesOf(isOk ? place : db).open;
    const isLater = !isOk && !isBound;
    const [hidden, others] = isLater || !isChange(program.kind) ? ["", ""] : await storedIn(seen, ids);
    return { result, isOk, hidden, others };
  };
  if (isBound) return look(db);
  await db
    .transaction(async (tx) => {
      outcome = await look(tx);
      throw new Undo();
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (outcome === undefined) throw new Error("the transaction did not run");
  return outcome;
}

async function resultIn(
  db: Database,
  program: Program,
  which: "of" | "open",
): Promise<Pick<Outcome, "result" | "isOk">> {
  try {
    const place = { of: repositoriesOf(db)[which], db: db as unknown as Loose };
    return { result: textOf(await executed(program, program.build(place), place)), isOk: true };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return { result: code, isOk: false };
  }
}

async function executed(program: Program, builder: Loose, place: Place): Promise<unknown> {
  const { kind, form, params, records } = program;
  const given = Object.keys(params).length > 0 ? [params] : [];
  const { db } = place;
  if (form === "explain") return textless(call(builder, "explain", ...given));
  if (form === "stream") {
    const rows: unknown[] = [];
    for await (const row of call(builder, "stream", ...given) as unknown as AsyncIterable<unknown>)
      rows.push(row);
    return rows;
  }
  const atomic = (bound: unknown) => call(db, "atomic", [bound]);
  if (kind === "insert") {
    const [record] = records;
    if (form === "execFrom") return call(builder, "execFrom", numbersFrom(place, program.offset), ...given);
    if (form === "execTx") return call(builder, "execTx", db, record, ...given);
    if (form === "bind") return atomic(call(builder, "bind", record, ...given));
    if (form === "bindMany") return atomic(call(builder, "bindMany", records, ...given));
    return call(builder, form, form === "exec" ? record : records, ...given);
  }
  if (form === "execTx") return call(builder, "execTx", db, ...given);
  if (form === "bind" || form === "bindMany") return atomic(call(builder, form, ...given));
  if (form === "execBatch" || form === "execEach")
    return call(
      builder,
      form,
      records.map((one) => ({ ...params, ...one })),
    );
  if (form === "execPatch") return call(builder, "execPatch", { n: 8 }, ...given);
  const result = await (call(builder, form, ...given) as unknown as Promise<unknown>);
  if (kind !== "page") return result;
  const { rows, next } = result as { readonly rows: readonly unknown[]; readonly next: string | null };
  if (next === null) return rows;
  const more = await (call(builder, "exec", ...given, { after: next }) as unknown as Promise<typeof result>);
  return [rows, (more as { rows: unknown }).rows];
}

// The words of a plan depend on what else a table holds.
const textless = async (plan: unknown): Promise<string> => typeof (await plan);

/** New rows by a query over documents: their numbers. */
function numbersFrom({ of, db }: Place, offset = 50): Loose {
  const key = (from: string, as: string) =>
    ((add as unknown as (...args: readonly unknown[]) => Loose)(from, value(offset)) as Loose)["as"]?.(as);
  const inner = call(call(call(of.docs, "query"), "fields", key("id", "k"), "n"), "as", "x");
  return call(call(db, "from", inner), "fields", key("k", "id"), "n");
}

/** The keys of the rows of a filled database. */
export async function idsIn({ among, alone }: Copies): Promise<Ids> {
  const all = await Promise.all(
    names.map(async (name) => {
      const [rows, visible] = await Promise.all([keysOf(among.open[name]), keysOf(alone.open[name])]);
      return [name, { visible, hidden: rows.filter((id) => !visible.includes(id)) }] as const;
    }),
  );
  return Object.fromEntries(all) as unknown as Ids;
}

async function keysOf(repository: Loose): Promise<readonly number[]> {
  const rows = (await call(call(call(repository, "query"), "fields", "id"), "exec")) as unknown as readonly {
    id: number;
  }[];
  return rows.map(({ id }) => id);
}
