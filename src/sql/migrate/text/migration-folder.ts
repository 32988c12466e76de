/** A folder of migrations: which files belong to it, in which order they are applied, and how one is added. */
import { readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listed, quoted } from "../../../core/errors.js";
import { ignore } from "../../../core/values.js";
import { type Dialect, dialects } from "../../words/dialect.js";
import { MigrationError } from "../words/errors.js";
import type { TextDialect } from "./dialect.js";
import { checksumOf, type FileStep, readMigrationText } from "./migration-file.js";

/** A migration as the folder contains it. */
export interface Migration {
  /** `20261122_013000_add-teams`: files are applied in the order of their names. */
  readonly name: string;
  /** The name of its file for the dialect. */
  readonly file: string;
  readonly path: string;
  readonly checksum: string;
  /** The digest that a further step would have before it. */
  readonly end: string;
  /** The steps of a file of SQL; `undefined` for one of code. */
  readonly steps: readonly FileStep[] | undefined;
}

const NAME = new RegExp(`^(\\d{8}_\\d{6})_([^.]+)(?:\\.(${dialects.join("|")}))?\\.(sql|ts|js|mts|mjs)$`);

/** Whether a migration is meant by its name, or by what follows the stamp in it: `add-teams`. */
export function isMeant(name: string, given: string): boolean {
  return name === given || name.replace(/^\d{8}_\d{6}_/, "") === given;
}

/** The name of the only migration that is meant; `undefined` if none is, or several. */
export function meantBy(names: Iterable<string>, given: string): string | undefined {
  const all = [...names];
  if (all.includes(given)) return given;
  const [first, ...others] = all.filter((name) => isMeant(name, given));
  return others.length === 0 ? first : undefined;
}

/** The parsed name of a file. */
interface Entry {
  readonly name: string;
  readonly stamp: string;
  readonly label: string;
  readonly dialect: string | undefined;
  readonly isCode: boolean;
  readonly file: string;
}

/**
 * Reads the migrations of a folder for a dialect, in the order of their names. Files of other kinds are ignored.
 * @param without the words of a name whose file for the dialect does not exist yet.
 * @throws {MigrationError} `MIGRATION_INVALID` for a folder that does not exist, and for a file that cannot be read.
 */
export async function readFolder(
  folder: string,
  dialect: TextDialect,
  without?: string,
): Promise<readonly Migration[]> {
  const all = await entriesOf(folder);
  const isWanted = ({ name, label }: Entry) =>
    label !== without || all.some((one) => one.name === name && isFor(one, dialect.name));
  const entries = checkEntries(all.filter(isWanted), dialect.name);
  return Promise.all(entries.map((entry) => readEntry(folder, entry, dialect)));
}

/**
 * Writes a new migration file and returns its path. The stamp is the time in UTC, and later than all of the folder.
 * @param label the words of the name: `add-teams`.
 * @param suffix the dialect in the name of the file, if the folder has files for several dialects.
 * @throws {MigrationError} `MIGRATION_INVALID` for a label that cannot be part of a name.
 */
export async function addToFolder(
  folder: string,
  {
    label,
    text,
    suffix,
  }: { readonly label: string; readonly text: string; readonly suffix?: Dialect | undefined },
): Promise<string> {
  checkLabel(label);
  const entries = await entriesOf(folder);
  const twin = entries.find(
    (one) =>
      suffix !== undefined &&
      one.label === label &&
      one.dialect !== undefined &&
      !entries.some(({ name, dialect }) => name === one.name && dialect === suffix),
  );
  const name = twin?.name ?? `${freeStamp(new Date(), new Set(entries.map(({ stamp }) => stamp)))}_${label}`;
  const path = join(folder, `${name}${suffix === undefined ? "" : `.${suffix}`}.sql`);
  // If the disk is full, no file may remain that ends in the middle.
  const draft = join(folder, `.${name}.${process.pid}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(ignore);
    throw invalid(`the file ${quoted(path)} could not be written`, undefined, error);
  }
  return path;
}

/**
 * Checks the words of a name.
 * @throws {MigrationError} `MIGRATION_INVALID`
 */
export function checkLabel(label: unknown): asserts label is string {
  if (typeof label === "string" && /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,99}$/u.test(label)) return;
  throw invalid(
    `a migration is named by letters, digits, "-" and "_", at most 100, as "add-teams"; not ${quoted(label)}`,
  );
}

/** The migrations that have files for other dialects only, by the words of their names. */
export async function labelsWithout(folder: string, dialect: Dialect): Promise<ReadonlySet<string>> {
  const entries = await entriesOf(folder);
  const has = ({ name }: Entry) => entries.some((one) => one.name === name && isFor(one, dialect));
  return new Set(entries.filter((entry) => !has(entry)).map(({ label }) => label));
}

function isFor({ dialect: own }: Entry, dialect: Dialect): boolean {
  return own === undefined || own === dialect;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  if (typeof folder !== "string" || folder === "") throw invalid("folder must be the path of a folder");
  const files = await readdir(folder).catch((error: unknown) => {
    throw invalid(`the folder ${quoted(folder)} cannot be read`, undefined, error);
  });
  return files.sort().flatMap((file) => {
    const [, stamp, label, dialect, kind] = NAME.exec(file) ?? [];
    if (stamp === undefined || label === undefined) {
      if (file.endsWith(".sql") && !file.startsWith("."))
        throw invalid(`${quoted(file)} is not named as a migration: YYYYMMDD_HHMMSS_NAME.sql`, file);
      return [];
    }
    return [{ name: `${stamp}_${label}`, stamp, label, dialect, isCode: kind !== "sql", file }];
  });
}

/** The file of each migration for the dialect. */
function checkEntries(entries: readonly Entry[], dialect: Dialect): readonly Entry[] {
  const byStamp = new Map<string, Entry>();
  for (const entry of entries) {
    const other = byStamp.get(entry.stamp);
    if (other !== undefined && other.name !== entry.name)
      throw invalid(
        `${quoted(other.file)} and ${quoted(entry.file)} have one stamp: rename the one that is not applied yet`,
        entry.file,
      );
    byStamp.set(entry.stamp, entry);
  }
  return [...byStamp.values()].map(({ name }) => {
    const all = entries.filter((one) => one.name === name);
    const [mine, second] = all.filter((one) => isFor(one, dialect));
    if (mine === undefined) {
      const files = listed(all.map(({ file }) => file));
      throw invalid(`migration ${quoted(name)} has no file for ${dialect}; files: ${files}`, all[0]?.file);
    }
    if (second !== undefined)
      throw invalid(
        `${quoted(mine.file)} and ${quoted(second.file)} are one migration: remove one`,
        second.file,
      );
    return mine;
  });
}

async function readEntry(
  folder: string,
  { name, file, isCode }: Entry,
  dialect: TextDialect,
): Promise<Migration> {
  const path = join(folder, file);
  const text = await readFile(path)
    .then((bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
    .catch((error: unknown) => {
      throw invalid(`${quoted(file)} cannot be read as UTF-8`, file, error);
    });
  if (isCode) return { name, file, path, checksum: checksumOf(text), end: "", steps: undefined };
  return { name, file, path, ...readMigrationText(text, file, dialect) };
}

// Later than all of the folder, also those with a stamp in the future: the new file was written after them.
function freeStamp(now: Date, taken: ReadonlySet<string>): string {
  const last = [...taken].sort().at(-1) ?? "";
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(last) ?? [];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const after = Date.UTC(year, month - 1, day, hour, minute, second + 1);
  for (let time = Math.max(now.getTime(), after); ; time += 1_000) {
    const stamp = new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "_");
    if (!taken.has(stamp)) return stamp;
  }
}

function invalid(message: string, file?: string, cause?: unknown): MigrationError {
  return new MigrationError("MIGRATION_INVALID", message, { file }, cause === undefined ? {} : { cause });
}
