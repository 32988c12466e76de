/** Statements of a thousand conditions and more: no dialect has a limit that a caller meets. */
import { and, c, caseWhen, concat, or } from "rowtype";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";

const many = (count: number) => Array.from({ length: count }, (_, i) => c("id", "!=", `p${i}`));
const given = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, -i - 1]));

onEachServer("wide statements", (world) => {
  test("more than a thousand chained conditions", async () => {
    const { people } = world();
    let query = people.query().fields("id");
    for (let i = 0; i < 1_200; i++) query = query.where("id", "!=", `p${i}`) as never;
    expect((await query.exec(given(1_200) as never)).length).toBe((await people.query().exec()).length);
  });

  test("a group of five thousand conditions, and nested large groups", async () => {
    const { people } = world();
    const all = (await people.query().exec()).length;
    const wide = people.query().whereAnd(...many(5_000));
    expect((await wide.exec(given(5_000) as never)).length).toBe(all);
    const nested = Array.from({ length: 40 }).reduce<ReturnType<typeof and>>(
      (inner) => or(and(inner, ...many(40)), ...many(40)) as never,
      and(c("id", "=", "none")) as never,
    );
    const deep = people.query().whereOr(nested as never);
    expect((await deep.exec({ ...given(40), none: -1 } as never)).length).toBe(all);
  });

  test("a filter, a label and a concat of hundreds of parts", async () => {
    const { people } = world();
    const first = people.select().where("id", "=", "id");
    const { name } = await first.fields("name").exec({ id: 1 });
    const joined = concat(...Array.from({ length: 250 }, () => "name" as const)).as("joined");
    expect(await first.fields(joined).exec({ id: 1 })).toEqual({ joined: name.repeat(250) });
    const label = caseWhen(z.string())
      .when(and(...many(1_100)), "yes")
      .else("no")
      .as("label");
    const params = { ...given(1_100), yes: "yes", no: "no", id: 1 };
    expect(await first.fields(label).exec(params as never)).toEqual({ label: "yes" });
  });
});
