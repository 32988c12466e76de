/**
 * Fills the store with invented artists, tracks, customers and sales: as many rows as Chinook has, the same ones on
 * every machine. Nothing of it is copied from anywhere.
 */
import { fileURLToPath } from "node:url";
import type { Database, Insert, Transaction } from "rowtype";
import { migrate } from "rowtype/migrate";
import * as tables from "./tables.js";

/** The databases that the example runs on. */
export type StoreDatabase = Database<"sqlite" | "postgres">;

const folder = fileURLToPath(new URL("migrations", import.meta.url));

/** Applies the migrations and, if there are no artists, fills the tables, all or nothing. */
export async function prepare(db: StoreDatabase): Promise<void> {
  await migrate(db, { folder });
  await db.transaction(async (tx) => {
    if ((await tx.repository(tables.artists).count().exec()) === 0) await fill(tx);
  });
}

type Row<T extends keyof typeof tables> = Insert<(typeof tables)[T]>;

async function fill(tx: Transaction<"sqlite" | "postgres">): Promise<void> {
  const store = tx.repositories(tables);
  const random = numbers(1977);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;

  const genreRows = genreNames.map((name, i): Row<"genres"> => ({ id: i + 1, name }));
  await store.genres.insert().execBatch(genreRows);
  const mediaRows = ["MPEG audio", "AAC audio", "Lossless audio", "Video"];
  await store.mediaTypes.insert().execBatch(mediaRows.map((name, i) => ({ id: i + 1, name })));

  const artistRows = listOf(
    275,
    (id): Row<"artists"> => ({ id, name: `${pick(firsts)} ${pick(lasts)} ${roman(id)}` }),
  );
  await store.artists.insert().execBatch(artistRows);
  const albumRows = listOf(
    347,
    (id): Row<"albums"> => ({
      id,
      title: `${pick(adjectives)} ${pick(nouns)}`,
      artistId: id <= 250 ? id : 1 + Math.floor(random() * 250),
    }),
  );
  await store.albums.insert().execBatch(albumRows);
  const trackRows = listOf(3503, (id): Row<"tracks"> => {
    const isVideo = id % 17 === 0;
    return {
      id,
      name: `${pick(adjectives)} ${pick(nouns)} ${pick(["", "(live)", "No. 2", "at Night"])}`.trim(),
      // A few stand alone, as singles do.
      albumId: id % 97 === 0 ? null : 1 + (id % 347),
      mediaTypeId: isVideo ? 4 : 1 + Math.floor(random() * 3),
      genreId: id % 211 === 0 ? null : 1 + Math.floor(random() ** 2 * genreNames.length),
      composer: random() < 0.3 ? null : `${pick(firsts)} ${pick(lasts)}`,
      milliseconds: 60_000 + Math.floor(random() * 400_000),
      price: isVideo ? "1.99" : "0.99",
    };
  });
  await store.tracks.insert().execBatch(trackRows);

  const playlistRows = listOf(18, (id): Row<"playlists"> => ({ id, name: `${pick(adjectives)} mix ${id}` }));
  await store.playlists.insert().execBatch(playlistRows);
  const listings = playlistRows.flatMap(({ id: playlistId }) => {
    const step = 2 + (playlistId % 7);
    return trackRows
      .filter(({ id }) => (id + playlistId) % step === 0)
      .map(({ id: trackId }): Row<"playlistTracks"> => ({ playlistId, trackId }));
  });
  await store.playlistTracks.insert().execBatch(listings);

  await store.employees.insert().execBatch(
    listOf(
      8,
      (id): Row<"employees"> => ({
        id,
        name: `${pick(firsts)} ${pick(lasts)}`,
        title: id === 1 ? "General Manager" : id <= 3 ? "Manager" : "Agent",
        reportsTo: id === 1 ? null : id <= 3 ? 1 : 2 + (id % 2),
        hiredAt: new Date(Date.UTC(2020, id, 3)),
        email: `staff${id}@store.example`,
        address: `${id} Main Street`,
        city: "Calgary",
        country: "Canada",
      }),
    ),
  );
  const customerRows = listOf(
    59,
    (id): Row<"customers"> => ({
      id,
      name: `${pick(firsts)} ${pick(lasts)}`,
      company: id % 5 === 0 ? `${pick(nouns)} Ltd` : null,
      email: `customer${id}@mail.example`,
      // Some buy without any help.
      supportId: id % 11 === 0 ? null : 4 + (id % 5),
      address: `${id} ${pick(nouns)} Road`,
      city: pick(nouns),
      country: pick(countries),
    }),
  );
  await store.customers.insert().execBatch(customerRows);

  const sales = listOf(412, (id) => {
    const customer = customerRows[id % 57] as Row<"customers">;
    const sold = Array.from({ length: 1 + Math.floor(random() * 10) }, () => pick(trackRows));
    const cents = sold.reduce((sum, { price }) => sum + Math.round(Number(price) * 100), 0);
    return {
      customerId: customer.id,
      billedAt: new Date(Date.UTC(2024, 0, 1 + Math.floor(id * 1.77), id % 24, (id * 7) % 60)),
      country: customer.country ?? "Canada",
      total: (cents / 100).toFixed(2),
      lines: sold.map(({ id: trackId, price }) => ({ trackId, price, quantity: 1 })),
    };
  });
  // Each with its lines: the database gives the keys.
  await store.invoices.insert().with("lines").execMany(sales);
}

function listOf<T>(length: number, make: (id: number) => T): T[] {
  return Array.from({ length }, (_, i) => make(i + 1));
}

/** The same numbers from 0 to 1 for a seed: mulberry32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function roman(value: number): string {
  const digits = [
    ["C", 100],
    ["XC", 90],
    ["L", 50],
    ["XL", 40],
    ["X", 10],
    ["IX", 9],
    ["V", 5],
    ["IV", 4],
    ["I", 1],
  ] as const;
  let left = value;
  return digits
    .map(([digit, of]) => {
      const count = Math.floor(left / of);
      left -= count * of;
      return digit.repeat(count);
    })
    .join("");
}

const words = (text: string) => text.split(" ");
const firsts = words(
  "Ada Bo Cleo Dara Enzo Fay Gus Hana Ivo June Kai Lena Milo Nora Otis Pia Quinn Rhea Sol Tess",
);
const lasts = words(
  "Arden Birch Calder Dove Ember Frost Grove Hollis Iver Juno Keene Lark Marlow North Oakes Pryor",
);
const adjectives = words(
  "Amber Broken Crimson Distant Electric Fading Golden Hollow Inner Jagged Kind Last Misty Pale",
);
const nouns = words(
  "Anthem Bridge Canyon Dawn Echo Field Garden Harbour Island Journey Lantern Mirror River Summit",
);
const countries = words(
  "Argentina Austria Brazil Canada Chile Czechia Denmark France Germany India Ireland Norway Portugal",
);
const genreNames = words(
  "Rock Jazz Metal Alternative Blues Latin Reggae Pop Soundtrack Electronic Folk Classical Soul Country Opera",
);
