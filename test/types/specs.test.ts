/** What an editor shows of the schemas of specs: the allowed fields, and little else. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./editor.js";

const editor = openEditor(`
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const User = table("users", z.object({
  id: column(z.int(), { primaryKey: true }),
  email: z.email(),
  age: z.int().nullable(),
}));
const users = sqlite().repository(User);
`);

describe("specs in an editor", () => {
  test("the allowed fields and the options are completed", () => {
    expect(editor.completions(`users.specs({ fields: ["/*|*/"] })`).sort()).toEqual(["age", "email", "id"]);
    expect(editor.completions("users.specs({ /*|*/ })").sort()).toEqual([
      "aggregates",
      "defaultLimit",
      "fields",
      "locks",
      "maxConditions",
      "maxDepth",
      "maxJoins",
      "maxLimit",
      "maxRows",
      "operators",
      "regex",
      "relations",
    ]);
  });

  test("a misspelt field is refused with the list of what is allowed", () => {
    expect(editor.errors(`users.specs({ fields: ["idd"] })`)).toEqual([
      `Type '"idd"' is not assignable to type '"id" | "email" | "age"'.`,
    ]);
  });

  test("hovers show the fields, not the types behind them", () => {
    const specs = `users.specs({ fields: ["email"] })`;
    expect(editor.hover(`const schemas/*|*/ = ${specs};`)).toBe('const schemas: SpecSchemas<"email", never>');
    expect(editor.hover(`${specs}.query/*|*/`)).toBe(
      '(property) SpecSchemas<"email", never>.query: SpecSchema<QuerySpec<"email">, never, "joins" | "with">',
    );
    expect(editor.hover(`const spec/*|*/ = ${specs}.modify.parse({});`)).toBe(
      [
        "const spec: {",
        '    where: readonly ConditionSpec<"email">[];',
        '    set?: SetSpec<"email"> | undefined;',
        "    set_expr?: {",
        "        readonly email?: ArithmeticSpec | undefined;",
        "    } | undefined;",
        "}",
      ].join("\n"),
    );
    const query = editor.hover(`const spec/*|*/ = ${specs}.query.parse({});`);
    expect(query).toContain('fields?: readonly FieldSpec<"email">[] | undefined;');
    expect(query).toContain("limit?: number | undefined");
    expect(query).not.toMatch(/NonNullable|Exclude/);
  });
});
