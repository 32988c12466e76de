// Bodies that are not JSON: what a function takes, and what a client sends.
import {
  byteStream,
  bytes,
  createEngine,
  csv,
  file,
  form,
  GET,
  group,
  html,
  multipart,
  ndjson,
  POST,
  rows,
  stream,
  text,
  type Upload,
  upload,
  uploads,
} from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";

const Row = z.object({ id: z.int(), at: z.date() });
declare const blob: Blob;
declare const buffer: Uint8Array;
declare const later: AsyncIterable<{ id: number; at: string }>;

const sign = POST(
  "/sign",
  { body: form({ name: z.string(), tags: z.array(z.string()), age: z.int().optional() }) },
  ({ body }) => {
    expectType<string>(body.name);
    expectType<string[]>(body.tags);
    expectType<number | undefined>(body.age);
  },
);
const whole = POST("/whole", { body: form(z.object({ a: z.bigint() })) }, ({ body }) => {
  expectType<{ a: bigint }>(body);
});
const note = POST("/note", { body: text() }, ({ body }) => {
  expectType<string>(body);
});
const image = POST("/image", { body: bytes(["image/*"]) }, ({ body }) => {
  expectType<Uint8Array>(body);
});
const large = POST("/large", { body: byteStream() }, ({ body }) => {
  expectType<AsyncIterable<Uint8Array>>(body);
});
const lines = POST("/lines", { body: ndjson(Row) }, ({ body }) => {
  expectType<AsyncIterable<{ id: number; at: Date }>>(body);
});
const either = POST("/either", { body: [Row, form({ id: z.int() }), text()] }, ({ body }) => {
  expectType<{ id: number; at: Date } | { readonly id: number } | string>(body);
});
const inGroup = group("/in").POST("/x", { body: text() }, ({ body }) => {
  expectType<string>(body);
});
const album = POST(
  "/albums",
  {
    body: multipart({
      title: z.string(),
      year: z.int().optional(),
      photo: upload({ maxBytes: 1_000 }),
      cover: upload({ maxBytes: 1_000, optional: true }),
      pages: uploads({ maxBytes: 1_000, max: 3, types: ["image/*"] }),
    }),
    output: z.int(),
  },
  ({ body }) => {
    expectType<string>(body.title);
    expectType<number | undefined>(body.year);
    expectType<Upload>(body.photo);
    expectType<Upload | undefined>(body.cover);
    expectType<readonly Upload[]>(body.pages);
    return body.photo.size;
  },
);
const download = GET("/file", { output: file({ types: ["image/*"] }) }, () => ({
  root: "a",
  path: "b",
  name: "c",
}));
// @ts-expect-error a path
GET("/file", { output: file() }, () => ({ root: "a" }));
// @ts-expect-error no bytes
GET("/file", { output: file() }, () => buffer);
stream("POST", "/events", { body: text(), event: z.string() }, ({ body }, { send }) => send(body));

const api = createEngine().withHandlers(
  sign,
  whole,
  note,
  image,
  large,
  lines,
  either,
  inGroup,
  album,
  download,
);
const client = createClient<typeof api>("http://localhost");
client.POST("/sign", { body: { name: "a" } });
client.POST("/sign", { body: { name: "a", tags: ["b"], age: 1 } });
client.POST("/sign", { body: new URLSearchParams("name=a") });
client.POST("/whole", { body: { a: "1" } });
client.POST("/note", { body: "a" });
client.POST("/in/x", { body: blob });
client.POST("/image", { body: buffer });
client.POST("/large", { body: blob.stream() });
client.POST("/lines", { body: later });
client.POST("/lines", { body: [{ id: 1, at: "2026-01-01T00:00:00Z" }] });
client.POST("/either", { body: { id: 1, at: "2026-01-01T00:00:00Z" } });
client.POST("/either", { body: new URLSearchParams("id=1") });

client.POST("/albums", { body: { title: "a", photo: blob } });
expectType<Uint8Array>((await client.GET("/file")).data);
client.POST("/albums", { body: { title: "a", year: 1, photo: blob, cover: blob, pages: [blob] } });
client.POST("/albums", { body: new FormData() });

// @ts-expect-error the photo is missing
client.POST("/albums", { body: { title: "a" } });
// @ts-expect-error a blob
client.POST("/albums", { body: { title: "a", photo: "x" } });
// @ts-expect-error several blobs
client.POST("/albums", { body: { title: "a", photo: blob, pages: blob } });
// @ts-expect-error the name is missing
client.POST("/sign", { body: { tags: [] } });
// @ts-expect-error a field of another type
client.POST("/sign", { body: { name: 1 } });
// @ts-expect-error a form is no JSON
client.POST("/whole", { body: { a: 1n } });
// @ts-expect-error text
client.POST("/note", { body: { a: 1 } });
// @ts-expect-error bytes
client.POST("/image", { body: "a" });
// @ts-expect-error rows in their wire form
client.POST("/lines", { body: [{ id: 1, at: new Date() }] });
// @ts-expect-error a form of a handler of several bodies goes as a form
client.POST("/either", { body: { id: 1 } });
// @ts-expect-error a body is needed
client.POST("/note");

// @ts-expect-error no body
POST("/x", { body: html() }, () => 1);
// @ts-expect-error no body
POST("/x", { body: csv(Row) }, () => 1);
// @ts-expect-error no body
POST("/x", { body: rows(Row) }, () => 1);
// @ts-expect-error no answer
GET("/x", { output: byteStream() }, () => buffer);
// @ts-expect-error no answer
GET("/x", { output: form({ a: z.string() }) }, () => ({ a: "" }));
// @ts-expect-error at least one
POST("/x", { body: [] }, () => 1);
// @ts-expect-error text cannot carry an object
form({ a: z.object({}) });
// @ts-expect-error no schema
form({ a: text() });
// @ts-expect-error text cannot carry an object
multipart({ a: z.object({}) });
// @ts-expect-error a kind of body is no part
multipart({ a: text() });
// @ts-expect-error a limit
upload({});
// @ts-expect-error a number of files
uploads({ maxBytes: 1 });
// @ts-expect-error no option of one file
upload({ maxBytes: 1, max: 2 });
// @ts-expect-error a file is a part of a form
POST("/x", { body: upload({ maxBytes: 1 }) }, () => 1);
