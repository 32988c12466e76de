/** The store as an API: catalogue, search, customers with their invoices, and the reports. */
import { BuildError, c, or, ParameterError } from "rowtype";
import { createEngine, GET, NotFound, POST, UnprocessableEntity } from "rowtype/http";
import { mapSqlErrors } from "rowtype/http/sql";
import { z } from "zod";
import type { StoreDatabase } from "./data.js";
import { makeReports } from "./reports.js";
import * as tables from "./tables.js";

const NoSuchCustomer = NotFound.withDetails({ resource: "customer" });
const id = z.int().min(1);
const name = z.object({ name: z.string() });
const after = z.string().optional().describe("The cursor that the page before gave as `next`");
const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({ rows: z.array(row), next: z.string().nullable().describe("The cursor of the next page") });

const { tracks, customers, invoices, invoiceLines, employees } = tables;
const Track = tracks.schema.pick({ id: true, name: true, price: true }).extend({
  genre: name.nullable(),
  album: z.object({ title: z.string() }).nullable(),
  artist: name.nullable(),
});
const Line = invoiceLines.schema.pick({ price: true, quantity: true }).extend({ track: name });
const Invoice = invoices.schema
  .pick({ id: true, billedAt: true, total: true })
  .extend({ lines: z.array(Line) });
const Customer = customers.schema.omit({ supportId: true }).extend({
  support: employees.schema.pick({ name: true, email: true }).nullable(),
  invoices: z.array(Invoice),
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

/** Makes the engine of the store on a database. */
export function makeApi(db: StoreDatabase) {
  const store = db.repositories(tables);
  const reports = makeReports(db);

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
      tags: ["Catalogue"],
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

  const search = POST(
    "/tracks/search",
    {
      summary: "Search over tracks, albums, artists, genres and sales by a query spec",
      description: "The body is the JSON form of a query, and the values of its parameters beside it.",
      tags: ["Catalogue"],
      body: store.tracks
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
        .meta({ example: longJazz }),
      output: z.array(z.record(z.string(), z.unknown())),
      errors: [UnprocessableEntity],
    },
    ({ body: { params, ...spec } }) => store.tracks.queryFromSpec(spec).exec(params),
  );

  // One statement: the customer, who looks after them, and their invoices with lines and the names of tracks.
  const whole = store.customers
    .select()
    .leftJoin("support")
    .fields("id", "name", "company", "email", "address", "city", "country", "support.name", "support.email")
    .with(
      "invoices",
      store.invoices
        .query()
        .fields("id", "billedAt", "total")
        .with("lines", store.invoiceLines.query().join("track").fields("price", "quantity", "track.name"))
        .orderBy("billedAt", "desc")
        .limit(10),
    )
    .where("id", "=", "id");

  const showCustomer = GET(
    "/customers/{id}",
    {
      summary: "A customer with the last ten invoices",
      tags: ["Customers"],
      path: { id },
      output: Customer,
      errors: [NotFound],
    },
    async ({ params }) => (await whole.execOrNull(params.path)) ?? NoSuchCustomer,
  );

  const money = z.string().nullable().describe("An exact amount");
  const top = GET(
    "/reports/customers",
    {
      summary: "The customers who have paid most",
      tags: ["Reports"],
      query: { limit: z.int().min(1).max(100).default(10) },
      output: z.array(
        customers.schema
          .pick({ id: true, name: true, country: true })
          .extend({ revenue: money, bought: z.int() }),
      ),
    },
    ({ params }) => reports.topCustomers.exec(params.query),
  );
  const genres = GET(
    "/reports/genres",
    {
      summary: "The genres by revenue",
      tags: ["Reports"],
      output: z.array(z.object({ genre: name, revenue: money, invoices: z.int() })),
    },
    () => reports.genresByRevenue.exec(),
  );
  const playlists = GET(
    "/reports/playlists",
    {
      summary: "How many tracks of each genre a playlist has",
      tags: ["Reports"],
      output: z.array(z.object({ playlist: name, genre: name.nullable(), tracks: z.int() })),
    },
    () => reports.genresOfPlaylists.exec(),
  );
  const sales = GET(
    "/reports/sales",
    {
      summary: "Sales by country and month",
      tags: ["Reports"],
      output: z.array(z.object({ country: z.string(), month: z.date(), revenue: money, invoices: z.int() })),
    },
    () => reports.salesByMonth.exec(),
  );
  const staff = GET(
    "/reports/staff",
    {
      summary: "Employees with their managers",
      tags: ["Reports"],
      output: z.array(
        employees.schema
          .pick({ id: true, name: true, title: true })
          .extend({ manager: employees.schema.pick({ id: true, name: true }).nullable() }),
      ),
    },
    () => reports.staff.exec(),
  );

  return createEngine()
    .withOpenAPIInfo({
      title: "The music store",
      version: "1.0.0",
      description: "An example of rowtype over eleven related tables. All of its data are invented.",
    })
    .withTag("Catalogue", "Tracks, and where they are from")
    .withTag("Customers", "Customers and what they bought")
    .withTag("Reports", "Each of them one query")
    .withMiddleware((request, response, next) => {
      if (request.method === "GET" && request.path === "/") response.redirect("docs");
      else next();
    })
    .withErrorMapper(mapSqlErrors)
    .withErrorMapper(refusedInput)
    .withHandlers(listTracks, search, showCustomer, top, genres, playlists, sales, staff);
}

function refusedInput(error: unknown) {
  if (!(error instanceof BuildError || error instanceof ParameterError)) return undefined;
  return UnprocessableEntity.withDetails({ reason: error.message });
}
