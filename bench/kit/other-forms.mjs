/** Handlers of every form that a route of JSON does not use, for an engine whose other routes are measured. */
import { z } from "zod";

const Row = z.object({ id: z.int(), name: z.string() });
const row = { id: 1, name: "Ann" };

/** @param http the exports of `rowtype/http`. */
export function otherForms(http) {
  const { GET, PUT, POST, QUERY, HEAD, OPTIONS, NotFound, reply, stream } = http;
  const group = http
    .group("/groups/{groupId}", { path: { groupId: z.int() }, tags: ["groups"], errors: [NotFound] })
    .use(({ params }) => (params.path.groupId > 0 ? { group: params.path.groupId } : NotFound));
  return [
    GET("/export.csv", { output: http.csv(Row) }, () => [row]),
    GET("/export.ndjson", { output: http.ndjson(Row) }, () => [row]),
    GET("/export", { output: http.rows(Row) }, () => [row]),
    GET("/text", { output: http.text() }, () => "text"),
    GET("/page", { output: http.html() }, () => "<p>"),
    GET("/bytes", { output: http.bytes() }, () => new Uint8Array()),
    GET("/stored/{path*}", { output: http.file() }, ({ params }) => ({
      root: "/srv",
      path: params.path.path,
    })),
    GET("/{name}.json", { output: z.string() }, ({ params }) => params.path.name),
    POST("/form", { body: http.form({ name: z.string() }), output: z.string() }, ({ body }) => body.name),
    POST(
      "/upload",
      { body: http.multipart({ file: http.upload({ maxBytes: 1_000 }) }), status: 204 },
      () => {},
    ),
    POST("/stream", { body: http.byteStream(), status: 204 }, () => {}),
    POST("/lines", { body: http.ndjson(Row), status: 204 }, () => {}),
    POST("/several", { body: [Row, http.form({ name: z.string() })], status: 204 }, () => {}),
    POST("/outputs", { body: Row, outputs: { 200: Row, 202: z.string(), 204: null } }, () => reply(204)),
    QUERY("/search", { body: Row, output: z.array(Row) }, () => [row]),
    HEAD("/head", () => undefined),
    OPTIONS("/options", { status: 204 }, () => undefined),
    GET(
      "/styles",
      {
        query: {
          ids: http.commaSeparated(z.array(z.int())),
          price: http.deepObject({ min: z.int().optional() }),
          filter: http.jsonParameter(Row),
        },
        output: z.int(),
      },
      ({ params }) => params.query.ids.length,
    ),
    PUT(
      "/note",
      { body: Row, output: Row, etag: ({ id }) => `${id}`, ifMatch: "required" },
      ({ body, ifMatch }) => {
        ifMatch("1");
        return body;
      },
    ),
    GET("/hidden", { hidden: true, output: Row, etag: true }, () => row),
    GET("/headers", { output: Row, responseHeaders: { "X-Total": z.int() } }, () =>
      reply(200, row, { "X-Total": 1 }),
    ),
    group.GET("/rows", { output: z.array(Row) }, ({ context }) => [{ ...row, id: context.group }]),
    group.group("/admin").POST("/rows", { body: Row, output: Row }, ({ body }) => body),
    stream("GET", "/events", { event: Row }, () => {}),
  ];
}
