/** The API: typed handlers over the repositories, and the engine that serves and describes them. */
import {
  BuildError,
  c,
  count,
  type Database,
  field,
  type Insert,
  or,
  ParameterError,
  raw,
  sum,
} from "rowtype";
import {
  Conflict,
  createEngine,
  DELETE,
  GET,
  NotFound,
  PATCH,
  POST,
  UnprocessableEntity,
} from "rowtype/http";
import { mapSqlErrors } from "rowtype/http/sql";
import { z } from "zod";
import * as tables from "./tables.js";

const { Country } = tables;
const code = Country.schema.shape.code;
const NoSuchCountry = NotFound.withDetails({ resource: "country" });

const atlantis: Insert<typeof Country> = {
  code: "ATL",
  name: "Atlantis",
  officialName: "Kingdom of Atlantis",
  capital: "Poseidonis",
  region: "Europe",
  area: 1000,
  landlocked: false,
  languages: ["Atlantean"],
  flag: "🔱",
};

const largest = {
  fields: ["code", "name", "area"],
  where: [
    { field: "area", operator: ">=", param: "min" },
    { field: "region", operator: "IN", param: "regions" },
  ],
  order_by: [{ field: "area", direction: "desc" }],
  limit: 10,
  params: { min: 1_000_000, regions: ["Africa", "Americas"] },
};

/** Makes the engine of the demo on a database. */
export function makeApi(db: Database<"sqlite">) {
  const { Country: countries, Border: borders } = db.repositories(tables);
  const byCode = countries.select().where("code", "=", "code");

  // The conditions of a search are one chain; a condition whose parameter is not given does not apply.
  const matching = countries
    .query()
    .whereOptional("region", "=", "region")
    .whereOptional(or(c("name", "ICONTAINS", "name"), c("officialName", "ICONTAINS", "name")))
    .whereOptional("landlocked", "=", "landlocked")
    .whereOptional("area", ">=", "minArea")
    .whereOptional("area", "<=", "maxArea");
  const total = matching.count();
  const page = matching.limitParam("limit").offsetParam("offset");

  const list = GET(
    "/countries",
    {
      summary: "List, filter, sort and page",
      tags: ["Countries"],
      query: {
        region: Country.schema.shape.region.optional(),
        name: z.string().min(1).optional().describe("Part of the name or the official name, in any case"),
        landlocked: z.boolean().optional(),
        minArea: z.number().min(0).optional(),
        maxArea: z.number().min(0).optional(),
        sort: z.enum(["name", "area", "region", "code"]).default("name"),
        order: z.enum(["asc", "desc"]).default("asc"),
        limit: z.int().min(1).max(100).default(20),
        offset: z.int().min(0).default(0),
      },
      output: z.object({ total: z.int(), items: z.array(Country.schema) }),
    },
    async ({ params: { query } }) => {
      const { sort, order, limit, offset, ...given } = query;
      const rows = page.orderBy(sort, order).orderBy("code", "asc");
      return { total: await total.exec(given), items: await rows.exec({ ...given, limit, offset }) };
    },
  );

  const show = GET(
    "/countries/{code}",
    {
      summary: "One country",
      tags: ["Countries"],
      path: { code },
      output: Country.schema,
      errors: [NotFound],
    },
    async ({ params }) => (await byCode.execOrNull(params.path)) ?? NoSuchCountry,
  );

  // A country without neighbours has an empty list; one that there is not, no row.
  const withNeighbours = countries
    .select()
    .fields("code")
    .with(
      "borders",
      borders
        .query()
        .join("beyond")
        .fields("beyond.code", "beyond.name", "beyond.flag")
        .orderBy("beyond.name", "asc"),
    )
    .where("code", "=", "code");

  const neighbours = GET(
    "/countries/{code}/neighbours",
    {
      summary: "The countries that share a border with one",
      tags: ["Countries"],
      path: { code },
      output: z.array(Country.schema.pick({ code: true, name: true, flag: true })),
      errors: [NotFound],
    },
    async ({ params }) => {
      const found = await withNeighbours.execOrNull(params.path);
      return found === null ? NoSuchCountry : found.borders.map(({ beyond }) => beyond);
    },
  );

  // SQLite keeps a list as JSON, of which only a function of its own knows the length.
  const languagesOf = raw(z.int())`json_array_length(${field("languages")})`;
  const perRegion = countries
    .query()
    .fields("region", count().as("countries"), sum(languagesOf).as("spoken"), sum("area").as("totalArea"))
    .groupBy("region")
    .orderBy("totalArea", "desc");

  const regions = GET(
    "/regions",
    {
      summary: "Countries, spoken languages and land area of each region",
      tags: ["Countries"],
      output: z.array(
        z.object({
          region: Country.schema.shape.region,
          countries: z.int(),
          spoken: z.int().nullable().describe("The languages of each country, added up"),
          totalArea: z.number().nullable(),
        }),
      ),
    },
    () => perRegion.exec(),
  );

  const create = POST(
    "/countries",
    {
      summary: "Add a country",
      tags: ["Countries"],
      status: 201,
      body: Country.insertSchema.omit({ updatedAt: true }).meta({ example: atlantis }),
      output: Country.schema,
      errors: [Conflict],
    },
    ({ body }) => countries.insert().exec(body),
  );

  const update = PATCH(
    "/countries/{code}",
    {
      summary: "Change a country: the given keys, and no others",
      tags: ["Countries"],
      path: { code },
      body: Country.updateSchema.omit({ updatedAt: true }).meta({ example: { capital: "Kathmandu" } }),
      output: Country.schema,
      errors: [NoSuchCountry],
    },
    ({ params, body }) =>
      countries
        .modify()
        .where("code", "=", "code")
        .execPatch({ ...body, updatedAt: new Date() }, params.path),
  );

  const remove = DELETE(
    "/countries/{code}",
    {
      summary: "Remove a country and its borders",
      tags: ["Countries"],
      status: 204,
      path: { code },
      errors: [NotFound],
    },
    async ({ params }) => {
      const removed = await db.transaction(async (tx) => {
        await borders
          .remove()
          .whereOr(c("country", "=", "code"), c("neighbour", "=", "code"))
          .execTx(tx, params.path);
        return countries.remove().where("code", "=", "code").execTx(tx, params.path);
      });
      if (removed === 0) throw NoSuchCountry;
    },
  );

  const search = POST(
    "/countries/search",
    {
      summary: "Search by a query spec",
      description: "The body is the JSON form of a query, and the values of its parameters beside it.",
      tags: ["Search"],
      body: countries
        .specs({ maxLimit: 100 })
        .query.extend({ params: z.record(z.string(), z.unknown()).optional() })
        .meta({ example: largest }),
      output: z.array(Country.schema.partial()),
      errors: [UnprocessableEntity],
    },
    ({ body: { params, ...spec } }) => countries.queryFromSpec(spec).exec(params),
  );

  return (
    createEngine()
      .withOpenAPIInfo({
        title: "Countries of the world",
        version: "1.0.0",
        description: "The demo of rowtype. Data: github.com/mledoze/countries, Open Database License 1.0.",
      })
      .withTag("Countries", "Countries and their neighbours")
      .withTag("Search", "Queries as JSON")
      .withMiddleware((request, response, next) => {
        if (request.method === "GET" && request.path === "/") response.redirect("docs");
        else next();
      })
      // The database detects taken and missing keys; a search reports errors that its schema cannot detect.
      .withErrorMapper(mapSqlErrors)
      .withErrorMapper(refusedSearch)
      .withHandlers(list, regions, show, neighbours, create, update, remove, search)
  );
}

function refusedSearch(error: unknown) {
  if (!(error instanceof BuildError || error instanceof ParameterError)) return undefined;
  return UnprocessableEntity.withDetails({ reason: error.message });
}
