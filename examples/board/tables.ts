/** The table of the board and its trigger: an insert of a message notifies every instance. */
import type pg from "pg";
import { column, type Database, table } from "rowtype";
import { z } from "zod";

export const Message = table(
  "board_messages",
  z.object({
    id: column(z.bigint(), { primaryKey: true, generated: true }),
    // Made by the author, so that a message that is sent again is stored once.
    key: column(z.uuid(), { unique: true }),
    author: z.string().min(1).max(50),
    text: z.string().min(1).max(2_000),
    at: column(z.date(), { default: "CURRENT_TIMESTAMP" }),
  }),
);

/** The channel that PostgreSQL notifies. */
export const CHANNEL = "board_messages";

/**
 * Ids are given when a row is inserted, but rows become visible when their transactions commit. Without the
 * lock, message 7 could appear after message 8, and a follower that has seen 8 would never read it.
 */
const PUBLISHING = `
  CREATE OR REPLACE FUNCTION board_begin() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(7301); RETURN NULL; END';
  CREATE OR REPLACE FUNCTION board_publish() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_notify(''${CHANNEL}'', ''''); RETURN NULL; END';
  CREATE OR REPLACE TRIGGER board_begin BEFORE INSERT ON board_messages
    FOR EACH STATEMENT EXECUTE FUNCTION board_begin();
  CREATE OR REPLACE TRIGGER board_publish AFTER INSERT ON board_messages
    FOR EACH STATEMENT EXECUTE FUNCTION board_publish();
`;

/** Creates missing objects; instances that start at the same time wait for each other. */
export async function prepare(db: Database<"postgres">, pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock(7302)");
    await db.createTables(Message);
    await client.query(PUBLISHING);
  } finally {
    await client.query("SELECT pg_advisory_unlock(7302)");
    client.release();
  }
}
