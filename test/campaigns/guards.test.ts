/**
 * Changes whose rows the server checks by itself: whatever the type of a column is, a change gives the rows that a query
 * reads, or it rejects and has changed nothing. Each kind in a column of each type, with values at the edges.
 */
import type { Database } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedKinds, guardedTable, hearing } from "../kit/guarded.js";
import { type Lent, reportServers, servers } from "../servers.js";

reportServers();

/** By dialect the types of columns, each with literals of values: of the usual ones first, then of those at the edges. */
const types: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  postgres: {
    text: ["'a'", "'b'", "'it''s'", "''", "'5'", "'t'", "'2026-01-02'", "'1e400'", "'\\x61'", "'{\"a\":1}'"],
    'text COLLATE "en-x-icu"': ["'B'", "'b'"],
    "char(3)": ["'a'", "'5'"],
    integer: ["5", "0", "-1"],
    smallint: ["1", "2"],
    bigint: ["5", "9007199254740991", "9007199254740992", "-9007199254740992", "9223372036854775807"],
    numeric: ["1.5", "1", "1.50", "1.005", "'NaN'", "'Infinity'", "1e300", "12345678901234567890.12"],
    "numeric(12,2)": ["1.5", "-0.01", "0"],
    "double precision": ["1.5", "1", "'NaN'", "'-Infinity'", "'Infinity'", "1e308", "5e-324", "1e16"],
    real: ["1.5", "'NaN'"],
    boolean: ["true", "false"],
    "timestamptz(3)": ["'2026-01-02 03:04:05.678Z'", "'infinity'", "'0001-01-01Z'", "'9999-12-31 23:00Z'"],
    timestamptz: ["'2026-01-02 03:04:05.678901Z'", "'10000-01-01Z'", "'0044-03-15 BC'", "'-infinity'"],
    timestamp: ["'2026-01-02 03:04:05'", "'2026-01-02 03:04:05.678901'", "'infinity'"],
    date: ["'2026-01-02'", "'infinity'", "'10000-01-01'"],
    time: ["'03:04:05'"],
    bytea: ["'\\x00ff'", "''"],
    jsonb: ["'{\"a\":1}'", '\'{"a":"x"}\'', "'5'", "'\"a\"'", "'true'"],
    "text[]": ["'{a,b}'", "'{NULL}'", "'{}'"],
    mood: ["'a'", "'b'"],
    small: ["5", "7"],
    day: ["'2026-01-02'"],
    uuid: ["'018f4e9c-7b0a-7c3d-9e2f-0123456789ab'"],
    interval: ["'1 day'"],
    oid: ["5"],
  },
  mariadb: {
    longtext: ["'a'", "'A'", "'it''s'", "'a '", "''", "'5'", "'2026-01-02'", "'1e400'", "'{\"a\":1}'"],
    "varchar(40) COLLATE utf8mb4_general_ci": ["'B'", "'b'", "'1'", "'2026-1-5'", "'2026-02-30 00:00:00'"],
    "char(3)": ["'a'", "'5'"],
    "varchar(20) CHARACTER SET latin1": ["'a'", "'é'"],
    int: ["5", "0", "-1", "20260102"],
    "int(6) zerofill": ["5"],
    "tinyint(1)": ["1", "0", "2"],
    bigint: ["5", "9007199254740991", "9007199254740992", "-9007199254740992", "9223372036854775807"],
    "bigint unsigned": ["1", "18446744073709551615"],
    "decimal(12,2)": ["1.5", "1", "0"],
    "decimal(20,3)": ["1.500", "1.005"],
    "decimal(12,0)": ["5"],
    double: ["1.5", "1", "1e308", "1e16", "1.25", "1e-7"],
    float: ["1.5"],
    "datetime(3)": [
      "'2026-01-02 03:04:05.678'",
      "'0000-00-00'",
      "'2026-00-10'",
      "'2026-01-00'",
      "'2026-02-30'",
    ],
    datetime: ["'2026-01-02'", "'0000-01-01'", "'0001-01-01'", "'9999-12-31 23:59:59'"],
    "datetime(6)": ["'2026-01-02 03:04:05.678901'", "'2026-01-02 03:04:05.678'"],
    timestamp: ["'2026-01-02 03:04:05'", "0"],
    date: ["'2026-01-02'", "'0000-00-00'", "'2026-02-30'"],
    time: ["'03:04:05'", "'00:00:00'", "'-01:00:00'"],
    year: ["2026", "0"],
    longblob: ["'a'", "'5'", "''"],
    "bit(1)": ["1", "0"],
    "enum('a', 'b')": ["'a'", "'b'"],
    uuid: ["'018f4e9c-7b0a-7c3d-9e2f-0123456789ab'"],
    inet6: ["'::1'"],
  },
};

/** Modes in which a server stores what it refuses by default. */
const LOOSE = "SET STATEMENT sql_mode = 'ALLOW_INVALID_DATES' FOR ";

for (const server of servers) {
  const ofDialect = types[server.dialect];
  if (ofDialect === undefined) continue;
  describe.skipIf(!server.available)(`changes that the server checks on ${server.name}`, () => {
    const isMariadb = server.dialect === "mariadb";
    let lent: Lent;
    let db: Database<"postgres">;
    beforeAll(async () => {
      lent = await server.lend();
      db = hearing(lent, isMariadb ? "mariadb" : "postgres", []);
      if (isMariadb) return;
      await lent.run("CREATE TYPE mood AS ENUM ('a', 'b')");
      await lent.run("CREATE DOMAIN small AS integer CHECK (VALUE < 100)");
      await lent.run("CREATE DOMAIN day AS timestamptz(3)");
    });
    afterAll(() => lent.close());

    // A server that keeps statements prepared refuses them when the types of a table change: each has a table.
    test.each([...Object.keys(ofDialect).entries()])("table %i, of %s", async (i, type) => {
      const name = `guarded_${i}`;
      await lent.run(`CREATE TABLE ${name} (id bigint PRIMARY KEY, v ${type} NULL)`);
      const store = (id: number, literal: string) =>
        lent.run(`${isMariadb ? LOOSE : ""}INSERT INTO ${name} VALUES (${id}, ${literal})`);
      const count = () =>
        db
          .repository(guardedTable(name, "text", true))
          .count()
          .exec();
      let id = 0;
      for (const literal of [...(ofDialect[type] ?? []), "NULL"]) {
        await store(++id, literal);
        for (const kind of Object.keys(guardedKinds))
          for (const isNullable of literal === "NULL" ? [true, false] : [id % 3 === 0]) {
            // A declared type says how exact a date is.
            const isTyped = kind === "date" && id % 2 === 0;
            const one = guardedTable(name, kind, isNullable, isTyped ? type : undefined);
            const about = `${kind}${isNullable ? ", nullable," : ""} in ${type}, ${literal}`;
            const query = db.repository(one).query().where("id", "=", "id");
            const read = await query.exec({ id }).catch((error: unknown) => error);
            const remove = db.repository(one).remove().where("id", "=", "id");
            const removed = await remove.execMany({ id }).catch((error: unknown) => error);
            if (Array.isArray(read)) {
              expect(removed, about).toEqual(read);
              await store(id, literal);
            } else {
              expect(removed, about).toMatchObject({ code: "DECODE_FAILED" });
              expect(await count(), about).toBe(id);
            }
          }
      }
    });
  });
}
