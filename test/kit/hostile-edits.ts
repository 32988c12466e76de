/** Turns good specs into what an attacker, or a careless caller, would send: hostile words and wrong shapes anywhere. */
import fc, { type Arbitrary } from "fast-check";

/** Words that would do harm where text is put together, or that only look like a name, an operator, a direction. */
export const hostileWords: readonly string[] = [
  'id"; DROP TABLE people; --',
  "id`; DROP TABLE people; --",
  "[id]",
  "id]; DROP TABLE people; --",
  '"id"',
  "people.id",
  "*",
  "password_hash",
  "email_address",
  "rowid",
  "ctid",
  "xmin",
  "ROWNUM",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "asc; DROP TABLE people",
  "ASC",
  "asc NULLS FIRST",
  "a\u017fc",
  "\u212aEY",
  "L\u0131KE",
  "\u003e\u200b",
  "= 1 OR 1=1 --",
  "IS NULL OR 1=1",
  "OPERATOR(pg_catalog.=)",
  "IN (SELECT 1)",
  "LIKE '%' OR",
  "/*! OR 1=1 */",
  "# comment",
  "-- comment",
  "'; DROP TABLE people; --",
  "\\'; DROP TABLE people; --",
  "now()",
  "pg_sleep(10)",
  "(SELECT password FROM people)",
  "CASE WHEN 1=1 THEN 1 END",
  "id <-> :p; DROP TABLE people",
  "photo <-> :p",
  ":p",
  "$1",
  "?",
  ":p0",
  "count(*)",
  "union all select",
  "update; DROP TABLE people",
  "update of people",
  "a\0b",
  "a\nb",
  "\ud800",
  "\u2028\u202e",
  "n".repeat(64),
  "x".repeat(2_000),
  "",
  " ",
  "1e21",
  "NaN",
  "10",
  "null",
];

const words = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileWords) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

/** Values of every kind where another is due. */
export const hostileValues: Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: words },
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    1e21,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    [],
    {},
    [[]],
    ["id"],
    { sql: "1 = 1", __raw: true },
    { field: "id", operator: "=", param: "p" },
    { logic: "OR", group: [] },
    { func: "count", alias: "n" },
  ),
);

/** One change to a spec: at a place, by its number among all places. */
export interface Edit {
  readonly place: number;
  readonly how: "replace" | "rename" | "add" | "remove" | "wrap" | "repeat";
  readonly value: unknown;
  readonly word: string;
}

export const edits: Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    place: fc.nat(10_000),
    how: fc.constantFrom<Edit["how"][]>(
      "replace",
      "replace",
      "replace",
      "rename",
      "add",
      "remove",
      "wrap",
      "repeat",
    ),
    value: hostileValues,
    word: words,
  }),
  { maxLength: 3 },
);

/** A spec with changes. */
export function edited(spec: unknown, changes: readonly Edit[]): unknown {
  return changes.reduce((one, change) => changed(one, change), spec);
}

function changed(spec: unknown, { place, how, value, word }: Edit): unknown {
  const target = place % placesIn(spec);
  let number = 0;
  const visit = (node: unknown): unknown => {
    if (number++ === target) return apply(node);
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]));
  };
  const apply = (node: unknown): unknown => {
    const isList = Array.isArray(node);
    const isObject = typeof node === "object" && node !== null && !isList;
    if (how === "wrap") return [node];
    if (isList && how === "repeat") return [...node, ...node];
    if (isList && how === "add") return [...node, value];
    if (isList && how === "remove") return node.slice(1);
    if (!isObject || how === "replace" || how === "repeat") return value;
    const entries = Object.entries(node);
    if (how === "add") return Object.fromEntries([...entries, [word, value]]);
    if (how === "remove") return Object.fromEntries(entries.slice(1));
    return Object.fromEntries(entries.map(([key, inner], i) => [i === 0 ? word : key, inner]));
  };
  return visit(spec);
}

function placesIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 1;
  return Object.values(node).reduce<number>((sum, inner) => sum + placesIn(inner), 1);
}
