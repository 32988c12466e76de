/** The tables of time zones of a MariaDB server: filled for some zones, and put back as they were found. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import mysql from "mysql2/promise";

const programs = ["mariadb-tzinfo-to-sql", "mysql_tzinfo_to_sql"];
const FOLDER = "/usr/share/zoneinfo";
const tables = ["time_zone_transition", "time_zone_transition_type", "time_zone_name", "time_zone"];

/** The statements that fill the tables for one zone; undefined where its program or its file is missing. */
function statementsOf(zone: string): string | undefined {
  if (!existsSync(`${FOLDER}/${zone}`)) return undefined;
  for (const program of programs)
    try {
      return execFileSync(program, [`${FOLDER}/${zone}`, zone], { encoding: "utf8", stdio: "pipe" });
    } catch {
      // The next one.
    }
  return undefined;
}

/** Why the tables cannot be filled here, if they cannot. */
export function whyNoZones(): string | undefined {
  return statementsOf("UTC") === undefined ? `no ${programs[0]}, or no files in ${FOLDER}` : undefined;
}

/** What fills the tables of a server, and puts them back: what others use is left to them. */
export async function fillZones(url: string, zones: readonly string[]): Promise<() => Promise<void>> {
  const connection = await mysql.createConnection({ uri: url, database: "mysql", multipleStatements: true });
  // One at a time: other files of tests may do it, too.
  await connection.query("SELECT GET_LOCK('rowtype_zones', 300)");
  const [known] = await connection.query<mysql.RowDataPacket[]>("SELECT Name AS name FROM time_zone_name");
  const names = new Set(known.map(({ name }) => name));
  const missing = ["UTC", ...zones].filter((zone) => !names.has(zone));
  for (const zone of missing) await connection.query(statementsOf(zone) ?? "DO 0");
  await connection.query("UNLOCK TABLES");
  return async () => {
    for (const zone of missing) {
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(
        "SELECT Time_zone_id AS id FROM time_zone_name WHERE Name = ?",
        [zone],
      );
      if (row === undefined) continue;
      for (const table of tables)
        await connection.query(`DELETE FROM ${table} WHERE Time_zone_id = ?`, [row["id"]]);
    }
    await connection.query("SELECT RELEASE_LOCK('rowtype_zones')");
    await connection.end();
  };
}
