/** How SQLite reads values inside JSON. */
import { jsonPath, MOST_INTEGER, type PathGrammar } from "../grammar/paths.js";

export const sqlitePaths: PathGrammar = {
  document: () => "{f}",
  steps: (keys) => `'${jsonPath(keys, JSON.stringify).replaceAll("'", "''")}'`,
  stored: () => "{f}",
  set: {
    name: "(SELECT CASE json_type(v, {2}) WHEN 'object' THEN json_set(v, {0}, json({1})) ELSE v END FROM (SELECT {f} AS v))",
    place:
      "(SELECT CASE json_type(v, {2}) WHEN 'array' THEN json_replace(v, {0}, json({1})) ELSE v END FROM (SELECT {f} AS v))",
  },
  member: {
    text: "CASE json_type({f}, {0}) WHEN 'text' THEN json_extract({f}, {0}) END",
    number:
      "CASE WHEN json_type({f}, {0}) IN ('integer', 'real') THEN CAST(json_extract({f}, {0}) AS REAL) END",
    integer: `CASE WHEN json_type({f}, {0}) IN ('integer', 'real') THEN CASE WHEN json_extract({f}, {0}) = CAST(json_extract({f}, {0}) AS INTEGER) AND json_extract({f}, {0}) BETWEEN -${MOST_INTEGER} AND ${MOST_INTEGER} THEN CAST(json_extract({f}, {0}) AS INTEGER) END END`,
    boolean: "CASE json_type({f}, {0}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END",
    json: "CASE WHEN json_type({f}, {0}) <> 'null' THEN {f} -> {0} END",
  },
};
