/** Specs and builders are two forms of one thing: each goes to the other and back, on every dialect. */

import fc from "fast-check";
import type { Database, Dialect } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { type SpecCase, type SpecKind, specCases } from "../kit/spec-generators.js";
import { byMethods, fromSpec, hasMethods, peopleOf } from "../kit/spec-methods.js";
import { patience, rounds } from "../rounds.js";

const databases: Readonly<Record<Dialect, Database>> = {
  sqlite: sqlite() as unknown as Database,
  postgres: postgres() as unknown as Database,
  mariadb: mariadb() as unknown as Database,
  oracle: oracle() as unknown as Database,
};
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;
const SPECS = rounds({ small: 1_000, full: 100_000 });
const PATIENCE_MS = patience(60_000, 5, SPECS);

describe.each(dialects)("specs and builders on %s", (dialect) => {
  const people = peopleOf(databases[dialect]);
  const property = (predicate: (one: SpecCase) => void) =>
    fc.assert(fc.property(specCases(dialect), predicate), { numRuns: SPECS });

  test(
    "a spec becomes a builder, which gives the same spec",
    () => {
      const seen = new Set<SpecKind>();
      property((one) => {
        seen.add(one.kind);
        const builder = fromSpec(people, one);
        builder.render();
        expect(builder.toSpec()).toEqual(one.spec);
        // What travels as JSON comes out as it went in.
        expect(JSON.parse(JSON.stringify(builder.toSpec()))).toEqual(builder.toSpec());
      });
      expect(seen.size).toBe(11);
    },
    PATIENCE_MS,
  );

  test(
    "a builder becomes a spec, which gives a builder with the same text",
    () => {
      let written = 0;
      property((one) => {
        if (!hasMethods(one.spec)) return;
        written++;
        const builder = byMethods(people, one);
        const rendered = builder.render();
        expect(fromSpec(people, { kind: one.kind, spec: builder.toSpec() }).render()).toEqual(rendered);
        expect(fromSpec(people, one).render()).toEqual(rendered);
      });
      expect(written).toBeGreaterThan(SPECS / 2);
    },
    PATIENCE_MS,
  );
});
