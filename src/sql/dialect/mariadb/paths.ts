/** How MariaDB reads values inside JSON. */
import { jsonPath, MOST_INTEGER, type PathGrammar } from "../grammar/paths.js";

const TYPE_OF = "JSON_TYPE(JSON_EXTRACT({f}, {0}))";
const AS_NUMBER = "CAST(JSON_VALUE({f}, {0}) AS DOUBLE)";

export const mariadbPaths: PathGrammar = {
  document: () => "{f}",
  steps: (keys) => literal(jsonPath(keys, JSON.stringify)),
  isList: `${TYPE_OF} = 'ARRAY'`,
  stored: () => "{f}",
  set: {
    name: "JSON_SET({f}, {0}, JSON_EXTRACT({1}, '$'))",
    // A place in a value that is not a list is that value itself, which is then set to itself.
    place:
      "JSON_REPLACE({f}, {0}, JSON_EXTRACT(CASE JSON_TYPE(JSON_EXTRACT({3}, {2})) WHEN 'ARRAY' THEN {1} ELSE JSON_EXTRACT({3}, {0}) END, '$'))",
  },
  // The server finds these names neither written out nor escaped.
  misses: {
    name: (name) => name.startsWith("-") || [...name].some((character) => character < " "),
    feature: "names with a dash at their start, or with control characters, in paths",
    hint: "rename the member, or read the column",
  },
  member: {
    text: `CONVERT(CASE ${TYPE_OF} WHEN 'STRING' THEN JSON_VALUE({f}, {0}) END USING utf8mb4) COLLATE utf8mb4_nopad_bin`,
    number: `CASE WHEN ${TYPE_OF} IN ('INTEGER', 'DOUBLE') THEN ${AS_NUMBER} END`,
    integer: `CASE WHEN ${TYPE_OF} IN ('INTEGER', 'DOUBLE') THEN CASE WHEN ${AS_NUMBER} % 1 = 0 AND ABS(${AS_NUMBER}) <= ${MOST_INTEGER} THEN CAST(${AS_NUMBER} AS SIGNED) END END`,
    // A boolean is read as 1 or 0.
    boolean: `CASE ${TYPE_OF} WHEN 'BOOLEAN' THEN JSON_VALUE({f}, {0}) = '1' END`,
    json: `CASE WHEN ${TYPE_OF} <> 'NULL' THEN JSON_EXTRACT({f}, {0}) END`,
  },
};

// In a literal a backslash would be one or two characters, by the mode of the session.
function literal(text: string): string {
  if (!text.includes("\\")) return `'${text.replaceAll("'", "''")}'`;
  return `CONVERT(0x${Buffer.from(text).toString("hex")} USING utf8mb4)`;
}
