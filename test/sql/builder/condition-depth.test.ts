/** Conditions of builders nest a hundred levels, whatever a level is: a group, a negation, both in turns. */
import * as rowtype from "rowtype";
import { column, table } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: the compiler does not follow a hundred levels.
type Untyped = any;

const { and, c, isNull, not, or }: Untyped = rowtype;

const MOST = 100;
const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() }));

/** What makes one level more of a condition. */
const levels: Readonly<Record<string, (inner: Untyped, i: number) => Untyped>> = {
  negations: (inner) => not(inner),
  "groups by AND": (inner) => and(isNull("n"), inner),
  "groups by OR": (inner) => or(inner, isNull("n")),
  "both groups and negations in turns": (inner, i) =>
    [not(inner), and(inner, isNull("n")), or(isNull("n"), inner)][i % 3],
  "negations, and a group outside": (inner, i) => (i === MOST - 2 ? and(isNull("n"), inner) : not(inner)),
};

describe.each(["postgres", "mariadb", "sqlite", "oracle"] as const)("conditions on %s", (dialect) => {
  const { items }: Untyped = recording(dialect).repositories({ items: Item });

  test.each(Object.entries(levels))("%s", (_name, wrap) => {
    const nested = (count: number) => {
      let condition: Untyped = c("n", "=", "p");
      for (let i = 0; i < count; i++) condition = wrap(condition, i);
      return items.query().fields("id").whereAnd(condition).build();
    };
    // That of `whereAnd` is a level too.
    expect(() => nested(MOST - 1)).not.toThrow();
    for (const more of [MOST, MOST + 1, 3 * MOST])
      expect(sqlErrorIn(() => nested(more))).toMatchObject({
        code: "INVALID_CONDITION",
        message: expect.stringContaining("groups nest more than 100 levels"),
      });
  });
});
