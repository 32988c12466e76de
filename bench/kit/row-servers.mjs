/**
 * The servers of the row benchmark: each answers `/?rows=100000` with that many rows of eight fields, as they come from an
 * async iterable. A parent asks for the CPU time of what came since it last asked. Without a name it lists the names.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { z } from "zod";

const COUNT = 1_000;
const kept = Array.from({ length: COUNT }, (_, n) => ({
  id: n + 1,
  name: `Ann Example ${n}`,
  email: `ann${n}@example.org`,
  age: n % 7 === 0 ? null : n % 90,
  active: n % 2 === 0,
  score: n / 8,
  note: n % 10 === 0 ? 'said "no", and left' : "nothing special",
  city: "Freiburg",
}));
const schema = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  age: z.int().nullable(),
  active: z.boolean(),
  score: z.number(),
  note: z.string(),
  city: z.string(),
});

async function* rows(count) {
  for (let n = 0; n < count; n++) yield kept[n % COUNT];
}
const countOf = (url) => Number(new URL(url, "http://localhost").searchParams.get("rows"));

/** Writes what `texts` gives as fast as the client reads. */
function plain(texts) {
  return createServer(async (request, response) => {
    for await (const text of texts(countOf(request.url)))
      if (!response.write(text)) await once(response, "drain");
    response.end();
  });
}

async function* eachRow(count) {
  for await (const row of rows(count)) yield `${JSON.stringify(row)}\n`;
}
async function* inChunks(count) {
  let text = "";
  for await (const row of rows(count)) {
    text += `${JSON.stringify(row)}\n`;
    if (text.length < 16_384) continue;
    yield text;
    text = "";
  }
  yield text;
}

async function engine(kind) {
  const http = await import("rowtype/http");
  return http
    .createEngine()
    .withHandlers(
      http.GET("/", { query: { rows: z.int() }, output: http[kind](schema) }, ({ params }) =>
        rows(params.query.rows),
      ),
    );
}

const servers = {
  /** By hand: a row is a text of JSON, and a text a write. */
  "by hand": () => plain(eachRow),
  /** By hand, with a write for many rows. */
  "by hand, in chunks": () => plain(inChunks),
  ndjson: () => engine("ndjson"),
  csv: () => engine("csv"),
};

const [name] = process.argv.slice(2);
if (name === undefined) {
  console.log(Object.keys(servers).join("\n"));
} else {
  const server = await servers[name]();
  let port;
  if ("start" in server) port = (await server.start("127.0.0.1", 0)).port;
  else {
    await once(server.listen(0, "127.0.0.1"), "listening");
    port = server.address().port;
  }
  let last = process.cpuUsage();
  process.on("message", () => {
    const { user, system } = process.cpuUsage(last);
    process.send({ cpu: user + system });
    last = process.cpuUsage();
  });
  process.on("disconnect", () => process.exit());
  process.send({ port });
}
