/** Chinook, pulled: a query through each of its relations gives the rows of hand-written SQL. */
import type { AnyTable, Dialect } from "rowtype";
import { pull } from "rowtype/migrate";
import { expect, test } from "vitest";
import type { Untyped } from "../../kit/spec-methods.js";
import { servers } from "../../servers.js";
import { chinook, chinookName, chinookRows } from "./chinook.js";
import { runPulled } from "./pulled-file.js";

/** Each relation, by its table and its name: the key of the other side, and the join that a person writes. `a` is ours. */
const JOINS: Readonly<Record<string, Readonly<Record<string, readonly [key: string, join: string]>>>> = {
  Album: {
    artist: ["ArtistId", "LEFT JOIN Artist b ON b.ArtistId = a.ArtistId"],
    Track: ["TrackId", "LEFT JOIN Track b ON b.AlbumId = a.AlbumId"],
  },
  Artist: { Album: ["AlbumId", "LEFT JOIN Album b ON b.ArtistId = a.ArtistId"] },
  Customer: {
    supportRep: ["EmployeeId", "LEFT JOIN Employee b ON b.EmployeeId = a.SupportRepId"],
    Invoice: ["InvoiceId", "LEFT JOIN Invoice b ON b.CustomerId = a.CustomerId"],
  },
  Employee: {
    reportsToByReportsTo: ["EmployeeId", "LEFT JOIN Employee b ON b.EmployeeId = a.ReportsTo"],
    Customer: ["CustomerId", "LEFT JOIN Customer b ON b.SupportRepId = a.EmployeeId"],
    Employee: ["EmployeeId", "LEFT JOIN Employee b ON b.ReportsTo = a.EmployeeId"],
  },
  Genre: { Track: ["TrackId", "LEFT JOIN Track b ON b.GenreId = a.GenreId"] },
  Invoice: {
    customer: ["CustomerId", "LEFT JOIN Customer b ON b.CustomerId = a.CustomerId"],
    InvoiceLine: ["InvoiceLineId", "LEFT JOIN InvoiceLine b ON b.InvoiceId = a.InvoiceId"],
  },
  InvoiceLine: {
    invoice: ["InvoiceId", "LEFT JOIN Invoice b ON b.InvoiceId = a.InvoiceId"],
    track: ["TrackId", "LEFT JOIN Track b ON b.TrackId = a.TrackId"],
  },
  MediaType: { Track: ["TrackId", "LEFT JOIN Track b ON b.MediaTypeId = a.MediaTypeId"] },
  Playlist: {
    PlaylistTrack: ["TrackId", "LEFT JOIN PlaylistTrack b ON b.PlaylistId = a.PlaylistId"],
    Track: [
      "TrackId",
      "LEFT JOIN (PlaylistTrack l JOIN Track b ON b.TrackId = l.TrackId) ON l.PlaylistId = a.PlaylistId",
    ],
  },
  PlaylistTrack: {
    playlist: ["PlaylistId", "LEFT JOIN Playlist b ON b.PlaylistId = a.PlaylistId"],
    track: ["TrackId", "LEFT JOIN Track b ON b.TrackId = a.TrackId"],
  },
  Track: {
    album: ["AlbumId", "LEFT JOIN Album b ON b.AlbumId = a.AlbumId"],
    genre: ["GenreId", "LEFT JOIN Genre b ON b.GenreId = a.GenreId"],
    mediaType: ["MediaTypeId", "LEFT JOIN MediaType b ON b.MediaTypeId = a.MediaTypeId"],
    InvoiceLine: ["InvoiceLineId", "LEFT JOIN InvoiceLine b ON b.TrackId = a.TrackId"],
    PlaylistTrack: ["PlaylistId", "LEFT JOIN PlaylistTrack b ON b.TrackId = a.TrackId"],
    Playlist: [
      "PlaylistId",
      "LEFT JOIN (PlaylistTrack l JOIN Playlist b ON b.PlaylistId = l.PlaylistId) ON l.TrackId = a.TrackId",
    ],
  },
};

const camel = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);
const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();

/** Names in the writing of the script of a dialect; they have small letters, and keywords have none. */
const written = (sql: string, dialect: Dialect) =>
  sql.replace(/\b[A-Z]\w*[a-z]\w*\b/g, (name) => chinookName(name, dialect));

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  test.skipIf(!server.available)(`on ${server.name}`, async () => {
    const lent = await server.lend();
    try {
      for (const sql of [...chinook(server.dialect), ...chinookRows(server.dialect)]) await lent.run(sql);
      const { source } = await pull(lent.db, { names: "camel" });
      const file = runPulled(source);
      const tables = Object.fromEntries(
        [...file.parts.keys()].map((name) => [name, file.get(name) as AnyTable]),
      );
      const of = lent.db.repositories(tables) as unknown as Readonly<Record<string, Untyped>>;
      // No relation without its SQL.
      const relations = Object.entries(tables).map(([name, { relations = {} }]) => [
        name,
        Object.keys(relations),
      ]);
      expect(Object.fromEntries(relations)).toEqual(
        Object.fromEntries(Object.entries(JOINS).map(([name, joins]) => [name, Object.keys(joins)])),
      );
      for (const [name, joins] of Object.entries(JOINS))
        for (const [relation, [theirs, join]] of Object.entries(joins)) {
          const mine = name === "PlaylistTrack" ? ["PlaylistId", "TrackId"] : [`${name}Id`];
          const own = mine.map((key, at) => `a.${key} AS m${at}`).join(", ");
          const rows = await lent.run(
            written(`SELECT ${own}, b.${theirs} AS x FROM ${name} a ${join}`, server.dialect),
          );
          const meant = (rows as readonly object[]).map((row) =>
            Object.values(row).map((one) => one && Number(one)),
          );
          const fields = mine.map(camel);
          const key = camel(theirs);
          const joined = await of[name]
            .query()
            .leftJoin(relation, "b")
            .fields(...fields, `b.${key}`)
            .exec();
          const flat = (row: Untyped, part: Untyped) => [
            ...fields.map((field) => row[field]),
            part?.[key] ?? null,
          ];
          expect([name, relation, sorted(joined.map((row: Untyped) => flat(row, row.b)))]).toEqual([
            name,
            relation,
            sorted(meant),
          ]);
          const nested = await of[name]
            .query()
            .fields(...fields)
            .with(relation)
            .exec();
          const inside = nested.flatMap((row: Untyped) => {
            const parts = [row[relation]].flat();
            return parts.length === 0 ? [flat(row, null)] : parts.map((part) => flat(row, part));
          });
          expect([name, relation, sorted(inside)]).toEqual([name, relation, sorted(meant)]);
          // One row, or more, is found at least.
          expect(meant.some((row) => row.at(-1) !== null)).toBe(true);
        }
    } finally {
      await lent.close();
    }
  });
