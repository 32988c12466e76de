/** What the staff does: prices by a file of lines, covers of albums. A group says once who may. */
import { join } from "node:path";
import { Forbidden, group, multipart, NotFound, ndjson, reply, upload } from "rowtype/http";
import { z } from "zod";
import type { StoreDatabase } from "./data.js";
import * as tables from "./tables.js";

/** As many changes are made at once; a longer list is worked off afterwards. */
const AT_ONCE = 500;

const { tracks, albums } = tables;
const Price = tracks.schema.pick({ id: true, price: true });
const Cover = multipart({
  cover: upload({ maxBytes: 2_000_000, types: ["image/png", "image/jpeg", "image/svg+xml"] }),
});
const Report = z.object({ rows: z.int(), changed: z.int(), by: z.string() });
const Job = z.object({ job: z.int(), rows: z.int() });
const JobState = z.object({ rows: z.int(), changed: z.int().nullable().describe("`null` until it is done") });

/** Makes the handlers of the staff. @param covers the folder of the pictures */
export function admin(db: StoreDatabase, covers: string) {
  const store = db.repositories(tables);
  const employee = store.employees.select().fields("id", "name").where("id", "=", "id");

  // Whoever names an employee is one: a real store has sessions or tokens in the place of this header.
  const staff = group("/admin", {
    tags: ["Admin"],
    headers: { "x-staff": z.int().min(1).meta({ example: 1 }) },
    errors: [Forbidden],
  }).use(async ({ params }) => {
    const found = await employee.execOrNull({ id: params.headers["x-staff"] });
    return found === null ? Forbidden : { by: found.name };
  });

  const setPrices = store.tracks.modify().set("price", "price").where("id", "=", "id");
  const jobs = new Map<number, z.output<typeof JobState>>();

  const prices = staff.POST(
    "/prices",
    {
      summary: "Change prices by a file of lines: a short one now, a long one afterwards",
      body: ndjson(Price),
      outputs: { 200: Report, 202: Job },
      maxBodySize: 50_000_000,
    },
    async ({ body, context }) => {
      const list: z.output<typeof Price>[] = [];
      for await (const row of body) list.push(row);
      if (list.length <= AT_ONCE)
        return reply(200, { rows: list.length, changed: await setPrices.execBatch(list), by: context.by });
      const job = jobs.size + 1;
      jobs.set(job, { rows: list.length, changed: null });
      setImmediate(async () => {
        const changed = await setPrices.execBatch(list).catch(() => 0);
        jobs.set(job, { rows: list.length, changed });
      });
      return reply(202, { job, rows: list.length });
    },
  );

  const job = staff.GET(
    "/prices/{job}",
    { summary: "How far a long list is", path: { job: z.int() }, output: JobState, errors: [NotFound] },
    ({ params }) => jobs.get(params.path.job) ?? NotFound,
  );

  const setType = store.albums.modify().set("coverType", "type").where("id", "=", "id");
  const putCover = staff.PUT(
    "/albums/{id}/cover",
    {
      summary: "Upload the cover of an album",
      path: { id: z.int().min(1).meta({ example: 3 }) },
      body: Cover,
      output: albums.schema.pick({ id: true, title: true, coverType: true }),
      errors: [NotFound],
    },
    async ({ params: { path }, body: { cover } }) => {
      const [album] = await setType.execMany({ id: path.id, type: cover.type });
      if (album === undefined) return NotFound;
      await cover.moveTo(join(covers, String(path.id)));
      return album;
    },
  );

  return [prices, job, putCover] as const;
}
