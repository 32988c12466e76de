/** Databases over a server's own pools whose sessions are in another time zone. */
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import type { Lent, Server } from "../servers.js";

/** Zones to the far east and west of UTC, and of half hours, as each server writes them. */
export const zones = {
  postgres: ["Pacific/Kiritimati", "Etc/GMT+12", "America/St_Johns", "UTC"],
  mariadb: ["+13:00", "-12:00", "+05:45", "+00:00"],
  sqlite: [""],
};

/** A database whose sessions are in a zone. */
export function zonedDatabase(
  server: Server,
  lent: Lent,
  zone: string,
): { db: Database; end(): Promise<void> } {
  if (server.name === "postgres") {
    const pool = new pg.Pool({ connectionString: lent.url ?? "", options: `-c timezone=${zone}`, max: 2 });
    return { db: postgres(pool), end: () => pool.end() };
  }
  if (server.name === "mariadb") {
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 2 });
    pool.on("connection", (connection) => void connection.query(`SET SESSION time_zone = '${zone}'`));
    return { db: mariadb(pool), end: () => pool.end() };
  }
  return { db: lent.db, end: async () => undefined };
}
