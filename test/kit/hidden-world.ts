/**
 * Tables with rules of every kind, and the same rows in three databases: among hidden ones, alone, and with the hidden
 * ones made visible. What reads or changes no hidden row does the same in the first two; where the third gives
 * something else, it has met a row that was hidden.
 */
import { c, column, type Database, json, many, one, table, value } from "rowtype";
import { z } from "zod";
import type { Chance } from "../campaigns/expression-chance.js";
import type { Lent, Server } from "../servers.js";

const id = column(z.int(), { primaryKey: true });
const maybe = z.int().nullable();
const version = column(z.int(), { auto: "version" });
const updatedAt = column(z.date(), { auto: "updated" });
const deletedAt = column(z.date().nullable(), { auto: "deleted" });
const state = z.enum(["live", "draft"]);
const live = c("state", "=", value("live"));

/** `docs` has all three kinds of rule; `logs` has none. */
export const hidden = {
  docs: table(
    "hid_docs",
    z.object({
      id,
      n: z.int(),
      m: maybe,
      title: z.string(),
      more: json(z.object({ k: z.int().optional() })),
      peerId: maybe,
      state,
      version,
      updatedAt,
      deletedAt,
    }),
    {
      filters: { live },
      relations: {
        peer: one("docs", "peerId", { optional: true }),
        peers: many("docs", "peerId"),
        notes: many("notes", "docId"),
        tags: many("tags", { through: "marks" }),
        marks: many("marks", "docId"),
      },
    },
  ),
  notes: table(
    "hid_notes",
    z.object({ id, n: z.int(), m: maybe, docId: maybe, state, updatedAt, deletedAt }),
    {
      filters: { live },
      relations: {
        doc: one("docs", "docId", { optional: true }),
        logs: many("logs", "noteId"),
      },
    },
  ),
  marks: table("hid_marks", z.object({ id, n: z.int(), docId: maybe, tagId: maybe, state }), {
    filters: { live },
    relations: {
      doc: one("docs", "docId", { optional: true }),
      tag: one("tags", "tagId", { optional: true }),
    },
  }),
  tags: table("hid_tags", z.object({ id, n: z.int(), m: maybe, deletedAt }), {
    relations: { docs: many("docs", { through: "marks" }), marks: many("marks", "tagId") },
  }),
  logs: table("hid_logs", z.object({ id, n: z.int(), m: maybe, noteId: maybe, docId: maybe }), {
    relations: {
      note: one("notes", "noteId", { optional: true }),
      doc: one("docs", "docId", { optional: true }),
    },
  }),
};
export type Name = keyof typeof hidden;

/** The rules of each table, which `without` names. */
export const rules: Readonly<Record<Name, readonly string[]>> = {
  docs: ["live", "deletedAt", "version", "updatedAt"],
  notes: ["live", "deletedAt", "updatedAt"],
  marks: ["live"],
  tags: ["deletedAt"],
  logs: [],
};

/** Where the relations lead, and whether to one row. */
export const ways: Readonly<Record<Name, Readonly<Record<string, readonly [to: Name, isOne: boolean]>>>> = {
  docs: {
    peer: ["docs", true],
    peers: ["docs", false],
    notes: ["notes", false],
    tags: ["tags", false],
    marks: ["marks", false],
  },
  notes: { doc: ["docs", true], logs: ["logs", false] },
  marks: { doc: ["docs", true], tag: ["tags", true] },
  tags: { docs: ["docs", false], marks: ["marks", false] },
  logs: { note: ["notes", true], doc: ["docs", true] },
};
export const names = Object.keys(ways) as readonly Name[];

/** A row, and how it is hidden, if it is. */
interface Planted {
  readonly row: Readonly<Record<string, unknown>>;
  readonly isHidden: boolean;
}

const AT = new Date("2024-03-01T10:00:00Z");
const GONE = new Date("2024-05-01T10:00:00Z");
const ROWS = 7;
// Some keys lead nowhere.
const MOST = ROWS + 2;

/** Few values, so that hidden rows are equal to visible ones in all but their keys. */
function planted(name: Name, at: number, chance: Chance): Planted {
  const some = (most: number) => (chance.oneIn(6) ? null : 1 + chance.below(most));
  const isHidden = name !== "logs" && chance.oneIn(name === "marks" ? 2 : 3);
  const ways = rules[name].filter((rule) => rule === "live" || rule === "deletedAt");
  const by = ways.length === 2 ? chance.of(["live", "deletedAt", "both"]) : ways[0];
  const isDraft = isHidden && by !== "deletedAt";
  const isGone = isHidden && by !== "live";
  const own: Record<Name, object> = {
    docs: { m: some(4), title: isHidden ? "hidden" : "seen", more: { k: at }, peerId: some(MOST) },
    notes: { m: some(4), docId: some(MOST) },
    marks: { docId: some(ROWS), tagId: some(ROWS) },
    tags: { m: some(4) },
    logs: { m: some(4), noteId: some(MOST), docId: some(MOST) },
  };
  const row = {
    id: at,
    n: 1 + chance.below(4),
    ...own[name],
    ...(rules[name].includes("live") ? { state: isDraft ? "draft" : "live" } : {}),
    ...(rules[name].includes("deletedAt") ? { deletedAt: isGone ? GONE : null } : {}),
    ...(rules[name].includes("updatedAt") ? { updatedAt: AT } : {}),
  };
  return { row, isHidden };
}

/** A builder or a repository, whose methods are found by name. */
export interface Loose {
  readonly [method: string]: (...args: readonly unknown[]) => Loose;
}
export type Repositories = Readonly<Record<Name, Loose>>;

/** One of the three databases. */
export interface Copy {
  readonly lent: Lent;
  readonly db: Database;
  readonly of: Repositories;
  /** The same repositories without any rule. */
  readonly open: Repositories;
}

export const repositoriesOf = (db: object): Pick<Copy, "of" | "open"> => {
  const of = (db as Database).repositories(hidden) as unknown as Repositories;
  const open = Object.fromEntries(
    names.map((name) => [name, rules[name].length === 0 ? of[name] : of[name]["without"]?.(...rules[name])]),
  ) as unknown as Repositories;
  return { of, open };
};

async function openCopy(server: Server): Promise<Copy> {
  const lent = await server.lend();
  await lent.db.createTables(...Object.values(hidden));
  return { lent, db: lent.db, ...repositoriesOf(lent.db) };
}

/** The databases: with hidden rows, without them, and with all rows visible. */
export interface Copies {
  readonly among: Copy;
  readonly alone: Copy;
  readonly shown: Copy;
}

export async function openCopies(server: Server): Promise<Copies> {
  const [among, alone, shown] = [await openCopy(server), await openCopy(server), await openCopy(server)];
  return { among, alone, shown };
}

/** Puts new rows into all three. */
export async function refill({ among, alone, shown }: Copies, chance: Chance): Promise<void> {
  for (const name of names) {
    const rows = Array.from({ length: name === "marks" ? 3 * ROWS : ROWS }, (_, at) =>
      planted(name, at + 1, chance),
    );
    const visible = ({ row }: Planted) => ({
      ...row,
      ...("state" in row ? { state: "live" } : {}),
      ...("deletedAt" in row ? { deletedAt: null } : {}),
    });
    const list = [
      [among, rows.map(({ row }) => row)],
      [alone, rows.flatMap((one) => (one.isHidden ? [] : [one.row]))],
      [shown, rows.map(visible)],
    ] as const;
    for (const [copy, records] of list) {
      await copy.lent.run(`DELETE FROM hid_${name}`);
      await (copy.open[name]["insert"]?.()["execBatch"]?.(records) as unknown as Promise<number>);
    }
  }
}

/** Rows and lists as text: in any order, and without the times that a rule sets. */
export function textOf(result: unknown): string {
  return JSON.stringify(plain(result));
}

function plain(one: unknown): unknown {
  if (typeof one === "bigint") return `${one}n`;
  if (one instanceof Date)
    return one.getTime() === AT.getTime() || one.getTime() === GONE.getTime() ? one : "now";
  if (Array.isArray(one))
    return one.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof one !== "object" || one === null) return one;
  return Object.fromEntries(Object.entries(one).map(([key, inside]) => [key, plain(inside)]));
}

/** All rows that are stored: those whose keys were hidden before, and the others. */
export async function storedIn(
  open: Repositories,
  ids: Readonly<Record<Name, { readonly hidden: readonly number[] }>>,
): Promise<readonly [hidden: string, others: string]> {
  const [before, others]: [unknown[], unknown[]] = [[], []];
  for (const name of names) {
    const rows = (await open[name]["query"]?.()["exec"]?.()) as unknown as readonly { readonly id: number }[];
    const isHidden = ({ id }: { readonly id: number }) => ids[name].hidden.includes(id);
    before.push([name, plain(rows.filter(isHidden))]);
    others.push([name, plain(rows.filter((row) => !isHidden(row)))]);
  }
  return [JSON.stringify(before), JSON.stringify(others)];
}
