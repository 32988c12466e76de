/** The catalogue: pages, exports, a search, covers of albums, playlists. */
import { c, or } from "rowtype";
import { csv, file, GET, NotFound, ndjson, POST, QUERY, UnprocessableEntity } from "rowtype/http";
import { z } from "zod";
import type { StoreDatabase } from "./data.js";
import * as tables from "./tables.js";

const id = z.int().min(1).meta({ example: 3 });
const name = z.object({ name: z.string() });
const after = z.string().optional().describe("The cursor that the page before gave as `next`");
const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({ rows: z.array(row), next: z.string().nullable().describe("The cursor of the next page") });

const { tracks, playlists } = tables;
const Track = tracks.schema.pick({ id: true, name: true, price: true }).extend({
  genre: name.nullable(),
  album: z.object({ title: z.string() }).nullable(),
  artist: name.nullable(),
});
const Exported = tracks.schema.pick({
  id: true,
  name: true,
  milliseconds: true,
  price: true,
});
const Playlist = playlists.schema.extend({
  tracks: z.array(tracks.schema.pick({ id: true, name: true, milliseconds: true })),
});

const longJazz = {
  fields: ["name", "milliseconds", "genre.name", "artist.name"],
  joins: [{ relation: "genre" }, { relation: "album" }, { relation: "album.artist" }],
  where: [
    { field: "genre.name", operator: "=", param: "genre" },
    { exists: "sales", where: [{ field: "quantity", operator: ">=", param: "least" }] },
  ],
  order_by: [{ field: "milliseconds", direction: "desc" }],
  limit: 5,
  params: { genre: "Jazz", least: 1 },
};

/** Makes the handlers of the catalogue. @param covers the folder of the pictures */
export function catalogue(db: StoreDatabase, covers: string) {
  const store = db.repositories(tables);
  const tags = ["Catalogue"];

  // A condition whose parameter is not given does not apply.
  const matching = store.tracks
    .query()
    .leftJoin("genre")
    .leftJoin("album")
    .leftJoin("album.artist")
    .fields("id", "name", "price", "genre.name", "album.title", "artist.name")
    .whereOptional(or(c("name", "ICONTAINS", "text"), c("artist.name", "ICONTAINS", "text")))
    .whereOptional("genre.name", "=", "genre")
    .orderBy("name", "asc")
    .orderBy("id", "asc")
    .page(20);

  const listTracks = GET(
    "/tracks",
    {
      summary: "Tracks by name, twenty on a page",
      tags,
      query: {
        text: z.string().min(1).optional().describe("Part of the name of the track or the artist"),
        genre: z.string().optional(),
        after,
      },
      output: pageOf(Track),
      errors: [UnprocessableEntity],
    },
    ({ params: { query } }) => {
      const { after: cursor, ...given } = query;
      return matching.exec(given, cursor === undefined ? {} : { after: cursor });
    },
  );

  const Search = store.tracks
    .specs({
      fields: ["id", "name", "milliseconds", "price"],
      maxLimit: 50,
      relations: {
        genre: { fields: ["name"] },
        album: { fields: ["title"], relations: { artist: { fields: ["name"] } } },
        sales: { fields: ["quantity", "price"], maxLimit: 20 },
      },
    })
    .query.extend({ params: z.record(z.string(), z.unknown()).optional() })
    .meta({ example: longJazz });
  const find = ({ params, ...spec }: z.output<typeof Search>) =>
    store.tracks.queryFromSpec(spec).exec(params);
  const searching = {
    tags,
    description: "The body is the JSON form of a query, and the values of its parameters beside it.",
    body: Search,
    output: z.array(z.record(z.string(), z.unknown())),
    errors: [UnprocessableEntity],
  } as const;

  const search = QUERY(
    "/tracks/search",
    { ...searching, summary: "Search over tracks, albums, artists, genres and sales by QUERY", etag: true },
    ({ body }) => find(body),
  );
  // For proxies and clients that do not know QUERY.
  const searchByPost = POST(
    "/tracks/search",
    { ...searching, summary: "Search over tracks, albums, artists, genres and sales by a query spec" },
    ({ body }) => find(body),
  );

  // Rows go out as the database gives them.
  const all = store.tracks.query().fields("id", "name", "milliseconds", "price").orderBy("id", "asc");
  const sheet = GET(
    "/catalogue.csv",
    { summary: "All tracks as a sheet", tags, output: csv(Exported) },
    ({ signal }) => all.stream({}, { signal }),
  );
  const lines = GET(
    "/catalogue.ndjson",
    { summary: "All tracks as lines of JSON", tags, output: ndjson(Exported) },
    ({ signal }) => all.stream({}, { signal }),
  );

  const albumType = store.albums.select().fields("coverType").where("id", "=", "id");
  const cover = GET(
    "/albums/{id}/cover",
    {
      summary: "The cover of an album, or a part of it",
      tags,
      path: { id },
      output: file({ types: ["image/*"] }),
      errors: [NotFound],
    },
    async ({ params }) => {
      const album = await albumType.execOrNull(params.path);
      if (album?.coverType == null) return NotFound;
      return { root: covers, path: String(params.path.id), type: album.coverType };
    },
  );

  // Through the table between: one row for each listing.
  const listed = store.playlists
    .select()
    .fields("id", "name")
    .with(
      "tracks",
      store.tracks
        .query()
        .fields("id", "name", "milliseconds")
        .orderBy("name", "asc")
        .orderBy("id", "asc")
        .limit(20),
    )
    .where("id", "=", "id");
  const playlist = GET(
    "/playlists/{id}",
    {
      summary: "A playlist with its first twenty tracks",
      tags,
      path: { id },
      output: Playlist,
      errors: [NotFound],
    },
    async ({ params }) => (await listed.execOrNull(params.path)) ?? NotFound,
  );

  return [listTracks, search, searchByPost, sheet, lines, cover, playlist] as const;
}
