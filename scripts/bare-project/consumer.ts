// A user's file, compiled with the library's declarations checked.
import { and, c, column, ddl, type Insert, isNull, or, type ParamsOf, type Row, table } from "rowtype";
import { createEngine, GET, NotFound } from "rowtype/http";
import { serveRequest, testEngine } from "rowtype/http/testing";
import { mariadb } from "rowtype/mariadb";
import { fromJSON, type OpenAPI } from "rowtype/openapi";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

export const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    email: z.email(),
    age: z.int().nullable(),
  }),
);
export const query = postgres().repository(User).query().fields("email").where("age", ">", "min");
export const params: ParamsOf<typeof query> = { min: 18 };
export const rows: Promise<{ email: string }[]> = query.exec(params);
export const created: Promise<Row<typeof User>> = sqlite()
  .repository(User)
  .insert()
  .exec({ email: "a" } satisfies Insert<typeof User>);
const getUser = GET(
  "/users/{id}",
  { path: { id: z.int() }, output: User.schema, errors: [NotFound] },
  ({ params }) => (params.path.id === 1 ? { id: 1, email: "a", age: null } : NotFound),
);
export const api = createEngine().withHandlers(getUser);
export const document: OpenAPI = fromJSON('{"openapi":"3.1.0"}');
export const answered: Promise<number> = serveRequest(testEngine(getUser), "GET", "/users/1").then(
  ({ status }) => status,
);
export const repository = sqlite().repository(User);
export const grouped = repository
  .query()
  .whereOr(and(c("age", ">", "min"), isNull("age")), or(c("email", "LIKE", "like")));
export const optional = repository.count().whereOptional("age", "IN", "ages");
export const rename = repository.modify().set("email", "email").where("id", "=", "id");
export const gone = repository.remove().where("id", "=", "id");
export const foreign = repository.queryFromSpec({});
export const search = repository.specs({ fields: ["id"] }).query;
export const locked = mariadb()
  .repository(User)
  .select()
  .where("id", "=", "id")
  .forShare({ skipLocked: true });
export const removed = oracle().repository(User).remove().where("email", "ILIKE", "like");
export const statements: string[] = ddl(User, "oracle");
