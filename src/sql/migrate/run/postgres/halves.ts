/**
 * What a failed step of PostgreSQL leaves: an incomplete index, or a constraint that checks only new rows.
 */
import { z } from "zod";
import type { Database } from "../../../door/database.js";
import { runPlain } from "../../../door/plain.js";

const WRITTEN_NAME = '("(?:[^"]|"")+"|[\\w$]+)';
const BUILDS_ALONE = new RegExp(
  `^\\s*CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+CONCURRENTLY\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${WRITTEN_NAME}(?![\\w$&])(?:\\s+ON\\s+(?:ONLY\\s+)?${WRITTEN_NAME}\\s*\\.)?`,
  "i",
);
const Name = z.object({ name: z.string() });

/** An index that a statement builds while others write, as PostgreSQL keeps it: it has the schema of its table. */
interface BuiltIndex {
  readonly name: string;
  /** The schema, if the statement names it. */
  readonly schema: string | undefined;
}

/** The index that a statement builds while others write; undefined for any other statement. */
function indexBuiltAlone(sql: string): BuiltIndex | undefined {
  const [, name, schema] = BUILDS_ALONE.exec(sql) ?? [];
  return name === undefined
    ? undefined
    : { name: keptName(name), schema: schema === undefined ? undefined : keptName(schema) };
}

function keptName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written.toLowerCase();
}

/** Drops an index that a failed CREATE INDEX CONCURRENTLY left: it would be kept up to date and never used. */
export async function dropInvalidIndex(db: Database, sql: string): Promise<void> {
  const index = indexBuiltAlone(sql);
  if (index === undefined) return;
  for (const { name } of await indexesOf(db, index, "NOT i.indisvalid"))
    await runPlain(db, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** Whether the index that a statement builds exists and is complete; undefined for any other statement. */
export async function isIndexWhole(db: Database, sql: string): Promise<boolean | undefined> {
  const index = indexBuiltAlone(sql);
  return index === undefined ? undefined : (await indexesOf(db, index, "i.indisvalid")).length > 0;
}

function indexesOf(
  db: Database,
  { name, schema }: BuiltIndex,
  state: string,
): Promise<readonly z.output<typeof Name>[]> {
  const place = schema === undefined ? "pg_table_is_visible(c.oid)" : "n.nspname = :schema";
  const text = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname = :name AND ${place} AND ${state}`;
  return db.sql(text, Name).exec(schema === undefined ? { name } : { name, schema });
}

const NAME = '(?:"(?:[^"]|"")+"|[\\w$]+)';
const VALIDATES = new RegExp(`^(ALTER TABLE (?:${NAME}\\.)?${NAME}) VALIDATE CONSTRAINT (${NAME})$`);

/** The statement that drops a constraint, if the step before the validating one added it. */
export function dropOfConstraint(validating: string, adding: string): string | undefined {
  const [, alter = "", name = ""] = VALIDATES.exec(validating) ?? [];
  const adds = adding.startsWith(`${alter} ADD CONSTRAINT ${name} `) && adding.endsWith(" NOT VALID");
  return name !== "" && adds ? `${alter} DROP CONSTRAINT ${name}` : undefined;
}
