/** The words of steps: what a file says behind `-- step`, and what `allow` names. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeText } from "../../../src/sql/migrate/text/change.js";
import { mariadbText } from "../../../src/sql/migrate/text/mariadb.js";
import { postgresText } from "../../../src/sql/migrate/text/postgres.js";
import {
  PART_KINDS,
  readStepWords,
  type Step,
  type StepSubject,
  stepWords,
  WHOLE_KINDS,
} from "../../../src/sql/migrate/words/step.js";

const step = (subject: StepSubject, more: Partial<Step> = {}): Step => ({
  sql: ["SELECT 1"],
  transaction: true,
  lock: "short",
  rewrites: false,
  risks: [],
  why: "",
  ...subject,
  ...more,
});

describe("the words of a step", () => {
  test("quote a name only where it holds anything but letters, digits and _", () => {
    expect(stepWords({ kind: "create table", table: "teams" })).toBe("create table teams");
    expect(stepWords({ kind: "drop column", table: "people", name: "age" })).toBe("drop column people.age");
    expect(stepWords({ kind: "create index", schema: "app", table: "order items", name: "by-day" })).toBe(
      'create index app."order items"."by-day"',
    );
    expect(stepWords({ kind: "drop table", table: "größe_1" })).toBe("drop table größe_1");
  });

  test("stay in one line whatever the names hold", () => {
    const words = stepWords({ kind: "drop column", table: "a", name: 'x"\n-- step drop table b\u2028' });
    expect(words).toBe('drop column a."x""\\u000a-- step drop table b\\u2028"');
  });

  test("are read as what they were written from", () => {
    const name = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed());
    const subject = fc.oneof(
      fc.record(
        { kind: fc.constantFrom(...WHOLE_KINDS), schema: name, table: name },
        { requiredKeys: ["kind", "table"] },
      ),
      fc.record(
        { kind: fc.constantFrom(...PART_KINDS), schema: name, table: name, name },
        { requiredKeys: ["kind", "table", "name"] },
      ),
    );
    fc.assert(
      fc.property(subject, (one) => {
        expect(readStepWords(stepWords(one))).toEqual({ ...one });
      }),
    );
  });

  test("of another author are not read", () => {
    for (const words of [
      "",
      "tidy up",
      "drop column age",
      "create table a.b.c",
      "drop table a b",
      "drop table a.",
    ])
      expect(readStepWords(words)).toBeUndefined();
  });
});

describe("the text of a change", () => {
  const create = step(
    { kind: "create table", table: "teams" },
    { sql: ['CREATE TABLE "teams" ("id" bigint)'] },
  );
  const index = step(
    { kind: "create index", table: "people", name: "people_team_id_idx" },
    { sql: ['CREATE INDEX CONCURRENTLY "people_team_id_idx" ON "people" ("team_id")'], transaction: false },
  );
  const drop = step(
    { kind: "drop column", table: "people", name: "age" },
    { sql: ['ALTER TABLE "people" DROP COLUMN "age"'], risks: ["loses-data", "blocks"] },
  );

  test("has a line for each statement, with the marks of its step", () => {
    expect(changeText([create, index, drop], { dialect: postgresText, name: "add-teams" })).toBe(
      `-- rowtype 1 · postgres · add-teams
-- step create table teams
CREATE TABLE "teams" ("id" bigint)
-- step create index people.people_team_id_idx (no transaction)
CREATE INDEX CONCURRENTLY "people_team_id_idx" ON "people" ("team_id")
-- step drop column people.age (loses data) (blocks)
ALTER TABLE "people" DROP COLUMN "age"
`,
    );
  });

  test("marks what is allowed, and is empty where nothing is to do", () => {
    const text = changeText([drop], { dialect: mariadbText, allowed: new Set(["drop column people.age"]) });
    expect(text).toBe(
      '-- rowtype 1 · mariadb\n-- step drop column people.age (loses data) (blocks) (allowed)\nALTER TABLE "people" DROP COLUMN "age"\n',
    );
    expect(changeText([], { dialect: mariadbText })).toBe("");
  });
});
