/** The parts that all commands share: their input, their answer, and opening and closing the database. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Database } from "../../door/database.js";
import type { OpenedDatabase } from "../words/config.js";
import type { Arguments } from "./arguments.js";
import { type LoadedConfig, loadConfig, openDatabase } from "./load-config.js";

/** The input of a command. */
export interface CommandContext extends Pick<Arguments, "values" | "rest"> {
  readonly cwd: string;
}

/** The answer of a command. */
export interface Answer {
  readonly json: unknown;
  /** For people; it ends with a line break, or is empty. */
  readonly text: string;
  /** Whether something is left to do. */
  readonly isOpen: boolean;
}

/** Opens the database of the configuration for some work, and closes it. */
export async function withDatabase(
  asked: CommandContext,
  work: (db: Database, loaded: LoadedConfig) => Promise<Answer>,
): Promise<Answer> {
  const loaded = await loadConfig(asked.values.config, asked.cwd);
  const opened = await openDatabase(loaded);
  return closing(opened, () => work(opened.db, loaded));
}

/** Does some work with a database, and closes it. */
export async function closing<T>({ close }: OpenedDatabase, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await close?.();
  }
}

/** Writes a text into a file, or returns it as the answer. */
export async function written(
  { cwd }: CommandContext,
  out: string | undefined,
  source: string,
  json: unknown,
  more: string,
): Promise<Answer> {
  if (out === undefined) return done(json, source.endsWith("\n") ? source : `${source}\n`);
  await writeFile(resolve(cwd, out), source);
  return done(json, `wrote ${out}\n${more}`);
}

/** An answer that leaves nothing to do. */
export function done(json: unknown, text: string): Answer {
  return { json, text, isOpen: false };
}

/** A number of things, in words. */
export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
