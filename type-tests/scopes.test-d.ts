// What the compiler knows of scopes: the fixed fields are absent from inserts, updates and set, and stay in rows.
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Task = table(
  "tasks",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    tenantId: z.int(),
    title: z.string(),
    done: column(z.boolean(), { default: "false" }),
  }),
  { unique: [["tenantId", "title"]] },
);
const tasks = sqlite().repository(Task);
const scope = tasks.scope({ tenantId: 1 });

// Rows are whole, and conditions may name the field.
async function rows() {
  const found = await scope.query().where("tenantId", "=", "t").exec({ t: 1 });
  expectType<{ id: number; tenantId: number; title: string; done: boolean }[]>(found);
}
void rows;

// Records, changes and schemas are without it.
void (() => scope.insert().exec({ title: "a" }));
void (() => scope.insert().onConflict("title").doUpdate().set("done", "d").exec({ title: "a" }, { d: true }));
void (() => scope.modify().set("title", "t").where("id", "=", "id").exec({ t: "a", id: 1 }));
void (() => scope.modify().where("id", "=", "id").execPatch({ done: true }, { id: 1 }));
expectType<{ title: string; done?: boolean | undefined }>(scope.insertSchema.parse({}));
// @ts-expect-error the scope sets it
void (() => scope.insert().exec({ title: "a", tenantId: 2 }));
// @ts-expect-error it cannot be set
void (() => scope.modify().set("tenantId", "t"));
// @ts-expect-error nor by an upsert
void (() => scope.insert().onConflict("title").doUpdate().set("tenantId", "t"));
// @ts-expect-error nor by a patch
void (() => scope.modify().where("id", "=", "id").execPatch({ tenantId: 2 }, { id: 1 }));
// @ts-expect-error a value of another type
tasks.scope({ tenantId: "1" });
// @ts-expect-error null is not a value of a scope
tasks.scope({ tenantId: null });
// @ts-expect-error a field that is not there
tasks.scope({ tenant: 1 });
// @ts-expect-error a field that the database sets
tasks.scope({ id: 1 });
// @ts-expect-error it is fixed already
scope.scope({ tenantId: 2 });
