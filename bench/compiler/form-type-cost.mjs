/**
 * Measures the compile cost of a route of each form, its schemas included, in instantiations: the difference between a
 * program of a hundred such routes and one of ten. Compiles the built package, as `type-cost.mjs` does.
 */
import { costOf } from "./type-cost.mjs";

const imports =
  `import * as http from "rowtype/http";\nimport { createClient } from "rowtype/http/client";\nimport { z } from "zod";\n` +
  `const { bytes, commaSeparated, csv, file, form, GET, group, multipart, ndjson, NotFound, POST, PUT, QUERY, reply, rows, upload } = http;\n`;

const row = (n) => `z.object({ id: z.int(), name${n}: z.string(), at: z.date(), total: z.bigint() })`;
const rowOf = (n) => `{ id: 1, name${n}: "x", at: new Date(), total: 1n }`;

/** A route of each form, by its number. */
const forms = {
  plain: (n) =>
    `GET("/a${n}/{id}", { path: { id: z.int() }, output: ${row(n)}, errors: [NotFound] }, () => (${rowOf(n)}))`,
  outputs: (n) =>
    `GET("/a${n}/{id}", { path: { id: z.int() }, outputs: { 200: ${row(n)}, 204: null }, errors: [NotFound] }, ` +
    `({ params }) => params.path.id === 1 ? reply(204) : reply(200, ${rowOf(n)}))`,
  csv: (n) =>
    `GET("/a${n}/{id}", { path: { id: z.int() }, output: csv(${row(n)}), errors: [NotFound] }, () => [${rowOf(n)}])`,
  file: (n) =>
    `GET("/a${n}/{id}", { path: { id: z.int() }, output: file(), errors: [NotFound] }, () => ({ root: "/", path: "${n}" }))`,
  jsonBody: (n) =>
    `POST("/a${n}/{id}", { path: { id: z.int() }, body: ${row(n)}, output: z.string(), errors: [NotFound] }, ({ body }) => body.name${n})`,
  form: (n) =>
    `POST("/a${n}/{id}", { path: { id: z.int() }, body: form({ id: z.int(), name${n}: z.string() }), output: z.string(), errors: [NotFound] }, ({ body }) => body.name${n})`,
  multipart: (n) =>
    `POST("/a${n}/{id}", { path: { id: z.int() }, body: multipart({ name${n}: z.string(), photo: upload({ maxBytes: 9 }) }), output: z.string(), errors: [NotFound] }, ({ body }) => body.name${n} + body.photo.name)`,
  severalBodies: (n) =>
    `POST("/a${n}/{id}", { path: { id: z.int() }, body: [${row(n)}, form({ name${n}: z.string() })], output: z.string(), errors: [NotFound] }, ({ body }) => body.name${n})`,
  query: (n) =>
    `QUERY("/a${n}/{id}", { path: { id: z.int() }, body: ${row(n)}, output: z.string(), errors: [NotFound] }, ({ body }) => body.name${n})`,
  style: (n) =>
    `GET("/a${n}/{id}", { path: { id: z.int() }, query: { ids: commaSeparated(z.array(z.int())) }, output: ${row(n)}, errors: [NotFound] }, () => (${rowOf(n)}))`,
  ifMatch: (n) =>
    `PUT("/a${n}/{id}", { path: { id: z.int() }, body: ${row(n)}, output: z.string(), ifMatch: "required", errors: [NotFound] }, ({ body, ifMatch }) => { ifMatch("1"); return body.name${n}; })`,
  inGroup: (n) =>
    `tenant.GET("/a${n}/{id}", { path: { id: z.int() }, output: ${row(n)}, errors: [NotFound] }, ` +
    `({ params, context }) => ({ id: params.path.tenant + context.one, name${n}: "x", at: new Date(), total: 1n }))`,
  /** The same without a group. */
  alone: (n) =>
    `GET("/t/{tenant}/a${n}/{id}", { path: { tenant: z.int(), id: z.int() }, output: ${row(n)}, errors: [http.Forbidden, NotFound] }, ` +
    `({ params }) => ({ id: params.path.tenant + 1, name${n}: "x", at: new Date(), total: 1n }))`,
};

const before = {
  inGroup:
    `const tenant = group("/t/{tenant}", { path: { tenant: z.int() }, errors: [http.Forbidden] })` +
    `.use(({ params }) => params.path.tenant === 1 ? { one: 1 } : http.Forbidden);\n`,
};

const programOf = (name, count) => ({
  "routes.ts":
    imports +
    (before[name] ?? "") +
    Array.from({ length: count }, (_, n) => `export const h${n} = ${forms[name](n)};\n`).join(""),
});

/** Measures; see `form-type-cost.d.mts`. */
export function formTypeCost() {
  return Object.fromEntries(
    Object.keys(forms).map((name) => [
      name,
      Math.round((costOf(programOf(name, 100)) - costOf(programOf(name, 10))) / 90),
    ]),
  );
}
