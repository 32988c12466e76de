/** The reports of the music store, against sums over its rows in plain code, on SQLite and PostgreSQL. */

import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { HostLoopback } from "rowtype/http";
import { assertInSync, diff, migrate, status } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeApi } from "../../examples/store/api.js";
import { prepare, type StoreDatabase } from "../../examples/store/data.js";
import { makeReports } from "../../examples/store/reports.js";
import * as tables from "../../examples/store/tables.js";
import { expectValid } from "../http/validate-document.js";
import { type Lent, servers, titleOf } from "../servers.js";

const folder = fileURLToPath(new URL("../../examples/store/migrations", import.meta.url));
const cents = (text: string) => BigInt(text.replace(".", ""));
const money = (sum: bigint) => `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`;

/** The rows of a list by what they have in common. */
function grouped<T>(list: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of list) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

const sumOf = (list: readonly string[]) => money(list.reduce((sum, one) => sum + cents(one), 0n));

async function rowsOf(db: StoreDatabase) {
  const store = db.repositories(tables);
  const [customers, invoices, lines, tracks, genres, playlists, listings, employees] = await Promise.all([
    store.customers.query().orderBy("id", "asc").exec(),
    store.invoices.query().exec(),
    store.invoiceLines.query().exec(),
    store.tracks.query().exec(),
    store.genres.query().exec(),
    store.playlists.query().exec(),
    store.playlistTracks.query().exec(),
    store.employees.query().exec(),
  ]);
  return { customers, invoices, lines, tracks, genres, playlists, listings, employees };
}

for (const server of servers.filter(({ name }) => name === "sqlite" || name === "postgres"))
  describe.skipIf(!server.available)(`the store on ${titleOf(server)}`, () => {
    let lent: Lent;
    let reports: ReturnType<typeof makeReports>;
    let rows: Awaited<ReturnType<typeof rowsOf>>;
    beforeAll(async () => {
      lent = await server.lend();
      const db = lent.db as unknown as StoreDatabase;
      await prepare(db);
      reports = makeReports(db);
      rows = await rowsOf(db);
    });
    afterAll(() => lent.close());

    test("three migrations, with rows in between, give what the tables declare", async () => {
      const fresh = await server.lend();
      try {
        const db = fresh.db as unknown as StoreDatabase;
        const { applied } = await migrate(db, { folder, to: "20261122_221748_catalogue" });
        expect(applied.map(({ name }) => name)).toEqual(["20261122_221748_catalogue"]);
        const { artists, employees } = db.repositories(tables);
        await artists.insert().exec({ id: 1, name: "Ada" });
        await migrate(db, { folder, to: "20261122_221756_sales" });
        const staff = { name: "Bo", title: "Agent", hiredAt: new Date(0), email: "bo@store.example" };
        await employees.insert().exec({ id: 1, reportsTo: null, ...staff });
        expect((await diff(tables, db)).isEmpty).toBe(false);
        await migrate(db, { folder });
        await assertInSync(db, tables);
        expect(await status(db, { folder })).toMatchObject({ pending: [], changed: [], missing: [] });
        expect(await artists.query().exec()).toEqual([{ id: 1, name: "Ada" }]);
        expect(await employees.query().fields("id", "hiredAt").exec()).toEqual([
          { id: 1, hiredAt: new Date(0) },
        ]);
      } finally {
        await fresh.close();
      }
    });

    test("a second start finds the store as it is", async () => {
      await prepare(lent.db as unknown as StoreDatabase);
      expect(rows).toEqual(await rowsOf(lent.db as unknown as StoreDatabase));
    });

    test("the customers who have paid most", async () => {
      const bought = grouped(rows.invoices, ({ customerId }) => String(customerId));
      const all = rows.customers.flatMap(({ id, name, country }) => {
        const own = bought.get(String(id)) ?? [];
        const revenue = sumOf(own.map(({ total }) => total));
        return own.length === 0 ? [] : [{ id, name, country, revenue, bought: own.length }];
      });
      const byRevenue = all.toSorted((a, b) => Number(cents(b.revenue) - cents(a.revenue)) || a.id - b.id);
      expect(byRevenue.length).toBeGreaterThan(50);
      expect(await reports.topCustomers.exec({ limit: 10 })).toEqual(byRevenue.slice(0, 10));
    });

    test("the sales of a country in a month", async () => {
      const monthOf = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
      const groups = grouped(rows.invoices, (one) => `${one.country} ${monthOf(one.billedAt).toISOString()}`);
      const found = await reports.salesByMonth.exec();
      expect(found.map(({ country, month }) => `${country} ${month.toISOString()}`)).toEqual(
        [...groups.keys()].sort(),
      );
      for (const { country, month, revenue, invoices } of found) {
        const own = groups.get(`${country} ${month.toISOString()}`) ?? [];
        expect({ revenue, invoices }).toEqual({
          revenue: sumOf(own.map(({ total }) => total)),
          invoices: own.length,
        });
      }
    });

    test("the tracks of each genre on a playlist, those without a genre among them", async () => {
      const genreOf = new Map(rows.tracks.map(({ id, genreId }) => [id, genreId]));
      const genreNames = new Map(rows.genres.map(({ id, name }) => [id, name]));
      const playlistNames = new Map(rows.playlists.map(({ id, name }) => [id, name]));
      const groups = grouped(rows.listings, ({ playlistId, trackId }) =>
        JSON.stringify([playlistNames.get(playlistId), genreNames.get(genreOf.get(trackId) ?? 0) ?? null]),
      );
      const found = await reports.genresOfPlaylists.exec();
      const keyed = found.map(({ playlist, genre, tracks }) => [
        JSON.stringify([playlist.name, genre?.name ?? null]),
        tracks,
      ]);
      expect(found.some(({ genre }) => genre === null)).toBe(true);
      expect(Object.fromEntries(keyed)).toEqual(
        Object.fromEntries([...groups].map(([key, list]) => [key, list.length])),
      );
    });

    test("the genres by revenue, to the cent", async () => {
      const genreOf = new Map(rows.tracks.map(({ id, genreId }) => [id, genreId]));
      const sold = rows.lines.filter(({ trackId }) => genreOf.get(trackId) !== null);
      const groups = grouped(sold, ({ trackId }) => String(genreOf.get(trackId)));
      const expected = rows.genres.flatMap(({ id, name }) => {
        const own = groups.get(String(id)) ?? [];
        const revenue = sumOf(own.map(({ price, quantity }) => money(cents(price) * BigInt(quantity))));
        const invoices = new Set(own.map(({ invoiceId }) => invoiceId)).size;
        return own.length === 0 ? [] : [{ genre: { name }, revenue, invoices }];
      });
      const found = await reports.genresByRevenue.exec();
      expect(found).toHaveLength(expected.length);
      expect(found).toEqual(expect.arrayContaining(expected));
      const revenues = found.map(({ revenue }) => cents(revenue ?? "0"));
      expect(revenues).toEqual([...revenues].sort((a, b) => Number(b - a)));
    });

    test("the staff with their managers", async () => {
      const byId = new Map(rows.employees.map((one) => [one.id, one]));
      const staff = await reports.staff.exec();
      expect(staff[0]?.manager).toBeNull();
      for (const { id, manager } of staff) {
        const boss = byId.get(byId.get(id)?.reportsTo ?? 0);
        expect(manager).toEqual(boss === undefined ? null : { id: boss.id, name: boss.name });
      }
    });

    describe("as an API", () => {
      let api: Awaited<ReturnType<ReturnType<typeof makeApi>["start"]>>;
      let stop: () => Promise<unknown>;
      beforeAll(async () => {
        const engine = makeApi(lent.db as unknown as StoreDatabase, tmpdir());
        api = await engine.start(HostLoopback, 0);
        stop = () => engine.shutdown();
      });
      afterAll(() => stop());

      const call = async (path: string, body?: object) => {
        const json = { method: "POST", headers: { "content-type": "application/json" } };
        const response = await fetch(
          api.url + path,
          body === undefined ? {} : { ...json, body: JSON.stringify(body) },
        );
        // Whatever it holds: each test says what it expects.
        return { status: response.status, json: (await response.json()) as never };
      };

      test("a customer comes with those who help them, invoices, lines and names of tracks", async () => {
        const names = new Map(rows.tracks.map(({ id, name }) => [id, name]));
        const newest = rows.invoices
          .filter(({ customerId }) => customerId === 5)
          .sort((a, b) => b.billedAt.getTime() - a.billedAt.getTime());
        const expected = newest.slice(0, 10).map(({ id, billedAt, total }) => ({
          id,
          billedAt: billedAt.toISOString(),
          total,
          lines: rows.lines
            .filter(({ invoiceId }) => invoiceId === id)
            .map(({ price, quantity, trackId }) => ({
              price,
              quantity,
              track: { name: names.get(trackId) },
            })),
        }));
        const { status, json } = await call("/customers/5");
        expect({ status, json }).toMatchObject({ status: 200, json: { id: 5, invoices: expected } });
        expect(await call("/customers/999")).toMatchObject({ status: 404 });
      });

      test("pages give every track that matches once, in order", async () => {
        const found: { id: number; name: string }[] = [];
        let after = "";
        for (let pages = 0; pages < 50; pages++) {
          const path = `/tracks?text=golden${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`;
          const { rows: page, next }: { rows: typeof found; next: string | null } = (await call(path)).json;
          found.push(...page);
          if (next === null) break;
          after = next;
        }
        const expected = rows.tracks.filter(({ name }) => name.toLowerCase().includes("golden"));
        expect(found.length).toBe(expected.length);
        expect(new Set(found.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
        expect(found.map(({ name }) => name)).toEqual(found.map(({ name }) => name).sort());
        expect(await call("/tracks?after=nonsense")).toMatchObject({ status: 422 });
      });

      test("a client searches over several tables, and names nothing that is not listed", async () => {
        const search = (spec: object) => call("/tracks/search", spec);
        const jazz = {
          fields: ["name", "genre.name"],
          joins: [{ relation: "genre" }],
          where: [{ field: "genre.name", operator: "=", param: "genre" }, { exists: "sales" }],
          with: { sales: { fields: ["quantity"], limit: 2 } },
          limit: 3,
          params: { genre: "Jazz" },
        };
        const { status, json }: { status: number; json: { genre: object; sales: object[] }[] } =
          await search(jazz);
        expect(status).toBe(200);
        expect(json).toHaveLength(3);
        for (const { genre, sales } of json) {
          expect(genre).toEqual({ name: "Jazz" });
          expect(sales.length).toBeGreaterThan(0);
        }
        for (const hidden of [
          { fields: ["composer"] },
          { joins: [{ relation: "mediaType" }] },
          { with: { sales: { fields: ["invoiceId"] } } },
          { joins: [{ relation: "sales" }, { relation: "sales.invoice" }] },
          { where: [{ exists: "listings" }] },
        ])
          expect(await search(hidden)).toMatchObject({ status: 422 });
      });

      test("the document is valid, and lists what a search may name", async () => {
        const { json } = await call("/openapi");
        await expectValid(json);
        expect(JSON.stringify(json)).toContain('"artist.name"');
        expect(JSON.stringify(json)).not.toContain("composer");
      });
    });
  });
