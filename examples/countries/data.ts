/**
 * Fills the database from the package `world-countries` (github.com/mledoze/countries), licensed under the Open
 * Database License 1.0. It is read from `node_modules`; this repository contains none of it.
 */

import { createRequire } from "node:module";
import type { Database, Insert } from "rowtype";
import { z } from "zod";
import { Border, Country } from "./tables.js";

const Source = z.object({
  cca3: z.string(),
  name: z.object({ common: z.string(), official: z.string() }),
  capital: z.array(z.string()),
  region: Country.schema.shape.region,
  subregion: z.string(),
  area: z.number(),
  landlocked: z.boolean(),
  languages: z.record(z.string(), z.string()),
  borders: z.array(z.string()),
  flag: z.string(),
});

const load = createRequire(import.meta.url);

/** Creates the tables and, if they are empty, fills them, all or nothing. */
export async function prepare(db: Database<"sqlite">): Promise<void> {
  await db.createTables(Country, Border);
  await db.transaction(async (tx) => {
    if ((await tx.repository(Country).count().exec()) > 0) return;
    const countries = z.array(Source).parse(load("world-countries"));
    await tx.repository(Country).insert().execBatch(countries.map(countryOf));
    const borders = countries.flatMap(({ cca3, borders }) =>
      borders.map((to) => ({ country: cca3, neighbour: to })),
    );
    await tx.repository(Border).insert().execBatch(borders);
  });
}

function countryOf(source: z.infer<typeof Source>): Insert<typeof Country> {
  return {
    code: source.cca3,
    name: source.name.common,
    officialName: source.name.official,
    capital: source.capital[0] || null,
    region: source.region,
    subregion: source.subregion || null,
    // The package represents an unknown area by -1.
    area: Math.max(0, source.area),
    landlocked: source.landlocked,
    languages: Object.values(source.languages),
    flag: source.flag,
  };
}
