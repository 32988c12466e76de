/** How PostgreSQL reads values inside JSON. */
import { MOST_INTEGER, type PathGrammar } from "../grammar/paths.js";

export const postgresPaths: PathGrammar = {
  document: (type) => (type === undefined || /^\s*jsonb\b/i.test(type) ? "{f}" : "CAST({f} AS jsonb)"),
  target: (keys) => `ARRAY[${keys.map((key) => literal(String(key))).join(", ")}]`,
  set: {
    name: `(SELECT CASE WHEN jsonb_typeof(v{2}) = 'object' THEN jsonb_set(v, {0}, CAST({1} AS jsonb)) ELSE v END FROM (SELECT {f} AS v) AS s)`,
    place: `(SELECT CASE WHEN jsonb_typeof(v{2}) = 'array' THEN jsonb_set(v, {0}, CAST({1} AS jsonb), false) ELSE v END FROM (SELECT {f} AS v) AS s)`,
  },
  stored: (type) =>
    type === undefined || /^\s*jsonb\b/i.test(type)
      ? "{f}"
      : `CAST({f} AS ${/^\s*json\b/i.test(type) ? "json" : "text"})`,
  // A place in a value that is neither list nor object is that value.
  isList: "jsonb_typeof({f}{0}) = 'array'",
  steps: (keys) => keys.map((key) => ` -> ${typeof key === "number" ? key : literal(key)}`).join(""),
  member: {
    text: `(CASE jsonb_typeof({f}{0}) WHEN 'string' THEN ({f}{0}) #>> '{}' END) COLLATE "C"`,
    number: "CASE jsonb_typeof({f}{0}) WHEN 'number' THEN CAST({f}{0} AS double precision) END",
    integer: `CASE jsonb_typeof({f}{0}) WHEN 'number' THEN CASE WHEN CAST({f}{0} AS numeric) % 1 = 0 AND abs(CAST({f}{0} AS numeric)) <= ${MOST_INTEGER} THEN CAST({f}{0} AS bigint) END END`,
    boolean: "CASE jsonb_typeof({f}{0}) WHEN 'boolean' THEN CAST({f}{0} AS boolean) END",
    json: "CASE WHEN jsonb_typeof({f}{0}) <> 'null' THEN {f}{0} END",
  },
};

// Backslashes escape in an escape string, whatever the settings of the session are.
function literal(key: string): string {
  const text = key.replaceAll("'", "''");
  return key.includes("\\") ? `E'${text.replaceAll("\\", "\\\\")}'` : `'${text}'`;
}
