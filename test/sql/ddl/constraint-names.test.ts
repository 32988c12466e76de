/** The names of constraints and indexes that no declaration names: those of PostgreSQL, unique in a table, and never too long. */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, table } from "../../../src/index.js";
import { constraintsOf } from "../../../src/sql/dialect/grammar/constraints.js";
import { grammars } from "../../../src/sql/dialect/grammars.js";

const Other = table("others", z.object({ id: column(z.int(), { primaryKey: true }) }));

describe.each([...grammars])("on %s", (dialect, grammar) => {
  // Oracle's names are quoted in an expression, because they are folded otherwise.
  const inChecks = (text: string) => (dialect === "oracle" ? text.replace("size", '"size"') : text);
  const found = (of: Parameters<typeof constraintsOf>[0]) => constraintsOf(of, grammar);

  test("each kind has its ending, a column has one for each of its constraints, and a given name stays", () => {
    const Thing = table(
      "things",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        kind: column(z.enum(["a", "it's"]), { check: "kind <> 'x'", checkValues: true, name: "kind_of" }),
        flag: column(z.boolean(), { index: true }),
        other: column(z.int(), { references: () => Other, onDelete: "cascade", unique: true, index: true }),
        more: column(z.int().nullable(), { index: "own_idx" }),
        size: z.int(),
      }),
      {
        unique: [["flag", "kind"], ["kind", "flag"], ["flag", "kind"], ["id"]],
        checks: { "own check": "size > 0" },
        foreignKeys: [
          { columns: ["more"], references: () => Other },
          { columns: ["size"], references: () => Other, name: "own_fkey" },
        ],
        indexes: [
          { columns: ["size", ["kind", "desc"]] },
          { columns: ["size"], unique: true, name: "own_size" },
          { expression: " Lower ( kind_of ) " },
          { expression: "size + 1" },
          { expression: { [dialect]: "size + 2" } },
          { expression: { [dialect === "oracle" ? "sqlite" : "oracle"]: "size + 3" } },
        ],
      },
    );
    const { primaryKey, keys, references, checks, indexes } = found(Thing);
    expect(primaryKey).toEqual({ name: "things_pkey", isGiven: false, columns: ["id"] });
    expect(keys.map(({ name, columns, isGiven }) => [name, columns, isGiven])).toEqual([
      ["things_other_key", ["other"], false],
      ["things_flag_kind_of_key", ["flag", "kind_of"], false],
      ["things_kind_of_flag_key", ["kind_of", "flag"], false],
    ]);
    expect(
      references.map(({ name, isGiven, onDelete, onUpdate }) => [name, isGiven, onDelete, onUpdate]),
    ).toEqual([
      ["things_other_fkey", false, "cascade", "no action"],
      ["things_more_fkey", false, "no action", "no action"],
      ["own_fkey", true, "no action", "no action"],
    ]);
    const ofKind = checks.filter(({ columns }) => columns[0] === "kind_of").map(({ name }) => name);
    expect(ofKind.slice(0, 2)).toEqual(["things_kind_of_check", "things_kind_of_check1"]);
    const members = checks.find(({ name }) => name === "things_kind_of_check1");
    expect(members?.condition).toBe(
      `${grammar.quote("kind_of")} IN (${grammar.ddl.text("a")}, ${grammar.ddl.text("it's")})`,
    );
    expect(checks.filter(({ isGiven }) => isGiven)).toEqual([
      { name: "own check", isGiven: true, condition: inChecks("size > 0"), columns: [] },
    ]);
    expect(
      indexes.map(({ name, isGiven, unique, expression }) => [name, isGiven, unique, expression?.trim()]),
    ).toEqual([
      // A key has an index of its own.
      ["things_flag_idx", false, false, undefined],
      ["own_idx", true, false, undefined],
      ["things_size_kind_of_idx", false, false, undefined],
      ["own_size", true, true, undefined],
      ["things_lower_idx", false, false, expect.stringMatching(/lower/i)],
      ["things_expr_idx", false, false, inChecks("size + 1")],
      ["things_expr_idx1", false, false, inChecks("size + 2")],
    ]);
    expect(indexes[2]?.columns).toEqual([
      { name: "size", descending: false },
      { name: "kind_of", descending: true },
    ]);
  });

  test("values of each kind are written as the dialect writes them, and what is for other dialects is left out", () => {
    const other = dialect === "oracle" ? "sqlite" : "oracle";
    const Thing = table(
      "things",
      z.object({
        n: column(z.literal([1, -2]), { checkValues: true }),
        flag: column(z.literal([true, false]), { checkValues: true }),
      }),
      {
        checks: { ours: { [dialect]: "n < 9" }, theirs: { [other]: "n < 8" } },
        indexes: [
          { expression: "1 + abs(n)" },
          { expression: "abs(n) + 1" },
          { expression: "abs(n)" },
          { expression: "abs(n) = sign(n)" },
        ],
      },
    );
    const { checks, indexes } = found(Thing);
    const written = checks.map(({ condition }) => condition.replaceAll(/["`]/g, ""));
    const flag = (is: boolean) => grammar.ddl.flag(is);
    expect(written).toContain("n IN (1, -2)");
    expect(written).toContain(`flag IN (${flag(true)}, ${flag(false)})`);
    expect(checks.filter(({ isGiven }) => isGiven).map(({ name }) => name)).toEqual(["ours"]);
    expect(indexes.map(({ name }) => name)).toEqual([
      "things_expr_idx",
      "things_expr_idx1",
      "things_abs_idx",
      "things_expr_idx2",
    ]);
  });

  test("a name that a check or a foreign key of the declaration has is passed over, as the dialect compares names", () => {
    const of = (taken: readonly string[], isReference: boolean) =>
      found(
        table("t", z.object({ a: column(z.int(), { check: "a > 0" }), b: z.int() }), {
          checks: isReference ? {} : Object.fromEntries(taken.map((name) => [name, "b > 0"])),
          foreignKeys: isReference
            ? taken.map((name) => ({ columns: ["b"] as const, references: () => Other, name }))
            : [],
        }),
      ).checks.find(({ columns }) => columns[0] === "a")?.name;
    for (const isReference of [true, false]) {
      expect(of([], isReference)).toBe("t_a_check");
      expect(of(["t_a_check1"], isReference)).toBe("t_a_check");
      expect(of(["t_a_check"], isReference)).toBe("t_a_check1");
      expect(of(["t_a_check", "t_a_check1", "t_a_check3"], isReference)).toBe("t_a_check2");
      expect(of(["T_A_Check"], isReference)).toBe(grammar.foldsNames ? "t_a_check1" : "t_a_check");
    }
  });

  test("a name of any length fits, ends in its kind, and differs where the whole names differ", () => {
    const most = grammar.maxNameBytes;
    for (const letter of ["a", "\u00e9", "\u{1d465}"]) {
      const bytes = Buffer.byteLength(letter);
      const seen = new Set<string>();
      for (let length = Math.floor(most / bytes) - 12; length <= Math.floor(most / bytes); length++) {
        const name = letter.repeat(length);
        for (const end of ["1", "2"]) {
          const Long = table(
            `${name.slice(0, -letter.length)}${end}`,
            z.object({ c: column(z.int(), { check: "c > 0" }) }),
          );
          const check = found(Long).checks.find(({ columns }) => columns[0] === "c")?.name ?? "";
          const whole = `${Long.name}_c_check`;
          expect(Buffer.byteLength(check)).toBeLessThanOrEqual(most);
          if (Buffer.byteLength(whole) <= most) expect(check).toBe(whole);
          else {
            expect(check).toMatch(/^.*_[0-9a-f]{8}_check$/u);
            // As much of the beginning as fits: less than one letter is left over.
            expect(Buffer.byteLength(check)).toBeGreaterThan(most - bytes);
            expect(whole.startsWith(check.slice(0, -"_01234567_check".length))).toBe(true);
          }
          expect(seen).not.toContain(check);
          seen.add(check);
        }
      }
    }
  });
});
