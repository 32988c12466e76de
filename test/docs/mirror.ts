/**
 * A SQLite database whose calls are also made on a recording database of every other dialect, so that a program shows
 * what each dialect is sent. What comes back is SQLite's; the others are answered with the same rows.
 */
import type { Transaction } from "rowtype";
import * as real from "rowtype/sqlite";
import { recording } from "rowtype/testing";

const dialects = ["postgres", "mariadb", "oracle"] as const;
type Other = (typeof dialects)[number];
type Call = (...args: unknown[]) => unknown;
type Row = Readonly<Record<string, unknown>>;

/** What a call sent, by dialect; or why a dialect cannot. */
export type Sent = Readonly<Record<"sqlite" | Other, readonly string[]>>;

// What gives a result to the program, and what is the same for it on every dialect or only meant for one. All else
// gives a builder, a repository or another value that has builders.
const executing = new Set(
  "exec execTx execOrNull execMany execBatch execEach execPatch createTables dropTables stream explain".split(
    " ",
  ),
);
const plain = new Set(
  "sql ping render safeRender toSpec specs schema insertSchema updateSchema dialect columns".split(" "),
);

/** The value that a mirrored one stands for in a dialect: 0 is SQLite. */
const behind = new WeakMap<object, readonly unknown[]>();
const unfold = (value: unknown, i: number): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const found = behind.get(value);
  if (found !== undefined) return found[i];
  const { tx } = value as { readonly tx?: object };
  return tx === undefined || !behind.has(tx) ? value : { ...value, tx: unfold(tx, i) };
};

/** Opens a mirrored database; `sent` is told what each executing call sent. */
export function mirrored(handle: unknown, sent: (statements: Sent) => void): object {
  let answer: readonly Row[] = [];
  const others = dialects.map((dialect) => recording(dialect, () => answer));
  // SQLite has no recording of its own here: its texts are those of another recording database.
  const sqlite = recording("sqlite", () => answer);
  const all = [real.sqlite(handle as Parameters<typeof real.sqlite>[0]), sqlite, ...others];

  function mirror(objects: readonly unknown[]): object {
    const proxy = new Proxy(
      {},
      {
        get(_, name) {
          const [first] = objects as readonly Record<string | symbol, unknown>[];
          const member = first?.[name];
          if (name === "transaction")
            return (work: Call, options: unknown) => transaction(objects, work, options);
          if (typeof name !== "string" || plain.has(name))
            return typeof member === "function" ? member.bind(first) : member;
          if (typeof member !== "function")
            return typeof member === "object" && member !== null
              ? mirror(objects.map((o) => memberOf(o, name)))
              : member;
          return (...args: unknown[]) =>
            executing.has(name as string)
              ? execute(objects, name as string, args)
              : fold(
                  objects.map((o, i) => (o instanceof Error ? o : attempt(() => callOn(o, name, args, i)))),
                );
        },
      },
    );
    behind.set(proxy, objects);
    return proxy;
  }

  // The results of one method on every dialect: mirrored where they are objects. SQLite's own error is the program's.
  function fold(results: readonly unknown[]): unknown {
    const [first] = results;
    if (first instanceof Error) throw first;
    return typeof first === "object" && first !== null ? mirror(results) : first;
  }

  function execute(objects: readonly unknown[], name: string, args: readonly unknown[]): unknown {
    const result = callOn(objects[0], name, args, 0);
    if (name === "stream") return result;
    return Promise.resolve(result).then(async (value) => {
      answer = rowsOf(value);
      const texts: string[][] = [];
      for (const [i, object] of objects.entries()) {
        if (i === 0) continue;
        const database = i === 1 ? sqlite : others[i - 2];
        const before = database?.statements.length ?? 0;
        const failure = object instanceof Error ? object : await attempt(() => callOn(object, name, args, i));
        const statements = database?.statements.slice(before).map(({ sql }) => sql) ?? [];
        const refused = failure instanceof Error && statements.length === 0;
        texts.push(refused ? [`-- not supported: ${failure.message}`] : statements);
      }
      const [own = [], postgres = [], mariadb = [], oracle = []] = texts;
      sent({ sqlite: own, postgres, mariadb, oracle });
      return value;
    });
  }

  // Opens a transaction on every dialect, and ends the recorded ones after the real one.
  async function transaction(objects: readonly unknown[], work: Call, options: unknown): Promise<unknown> {
    let end: (error?: unknown) => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve as () => void;
    });
    const open: unknown[] = [];
    const closing = objects.slice(1).map((object) => {
      const { transaction: begin } = object as {
        transaction(work: (tx: Transaction) => Promise<void>): Promise<void>;
      };
      return begin.call(object, (tx) => {
        open.push(tx);
        return ended;
      });
    });
    try {
      return await callOn(
        objects[0],
        "transaction",
        [(tx: unknown) => work(mirror([tx, ...open])), options],
        0,
      );
    } finally {
      end();
      await Promise.allSettled(closing);
    }
  }

  return mirror(all);
}

const memberOf = (object: unknown, name: string | symbol): unknown =>
  object instanceof Error ? object : (object as Record<string | symbol, unknown>)[name];

function callOn(object: unknown, name: string | symbol, args: readonly unknown[], i: number): unknown {
  const method = memberOf(object, name) as Call;
  return method.apply(
    object,
    args.map((arg) => unfold(arg, i)),
  );
}

function attempt(run: () => unknown): unknown {
  try {
    const result = run();
    return result instanceof Promise ? result.catch((error: unknown) => asError(error)) : result;
  } catch (error) {
    return asError(error);
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null;
function rowsOf(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.filter(isRow);
  if (isRow(value)) return "rows" in value && Array.isArray(value["rows"]) ? value["rows"] : [value];
  return [{ value }];
}
