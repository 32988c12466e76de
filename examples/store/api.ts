/** The store as an API: the catalogue, customers, what the staff does, and the reports. */
import { BuildError, ParameterError } from "rowtype";
import { createEngine, GET, UnprocessableEntity } from "rowtype/http";
import { mapSqlErrors } from "rowtype/http/sql";
import { z } from "zod";
import { admin } from "./admin.js";
import { catalogue } from "./catalogue.js";
import { customersOf } from "./customers.js";
import type { StoreDatabase } from "./data.js";
import { makeReports } from "./reports.js";
import * as tables from "./tables.js";

const { customers, employees } = tables;
const name = z.object({ name: z.string() });

/**
 * Makes the engine of the store on a database.
 * @param covers the folder of the pictures of albums
 */
export function makeApi(db: StoreDatabase, covers: string) {
  const reports = makeReports(db);
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
    .withTag("Catalogue", "Tracks, and where they are from; as files too")
    .withTag("Customers", "Customers and what they bought")
    .withTag("Admin", "What the staff does: `x-staff` is the number of an employee")
    .withTag("Reports", "Each of them one query")
    .withMiddleware((request, response, next) => {
      if (request.method === "GET" && request.path === "/") response.redirect("docs");
      else next();
    })
    .withErrorMapper(mapSqlErrors)
    .withErrorMapper(refusedInput)
    .withHandlers(...catalogue(db, covers), ...customersOf(db), ...admin(db, covers))
    .withHandlers(top, genres, playlists, sales, staff);
}

function refusedInput(error: unknown) {
  if (!(error instanceof BuildError || error instanceof ParameterError)) return undefined;
  return UnprocessableEntity.withDetails({ reason: error.message });
}
