/** How Oracle reads values inside JSON. */
import { jsonPath, type PathGrammar } from "../grammar/paths.js";

const TYPE = "JSON_VALUE({f}, '{0}.type()')";

const DIGITS = "JSON_VALUE({f}, '{0}' RETURNING NUMBER)";

export const oraclePaths: PathGrammar = {
  document: () => "{f}",
  // Without the quotes around it, because item methods follow.
  steps: (keys) => jsonPath(keys, JSON.stringify).replaceAll("'", "''"),
  isList: `${TYPE} = 'array'`,
  stored: () => "{f}",
  set: {
    name: "CASE JSON_VALUE({f}, '{2}.type()') WHEN 'object' THEN JSON_TRANSFORM({f}, SET '{0}' = {1} FORMAT JSON) ELSE {f} END",
    place:
      "CASE JSON_VALUE({f}, '{2}.type()') WHEN 'array' THEN JSON_TRANSFORM({f}, REPLACE '{0}' = {1} FORMAT JSON) ELSE {f} END",
  },
  member: {
    text: `CASE ${TYPE} WHEN 'string' THEN JSON_VALUE({f}, '{0}' RETURNING VARCHAR2(4000)) END`,
    number: `CASE ${TYPE} WHEN 'number' THEN JSON_VALUE({f}, '{0}' RETURNING BINARY_DOUBLE) END`,
    integer: `CASE ${TYPE} WHEN 'number' THEN CASE MOD(${DIGITS}, 1) WHEN 0 THEN ${DIGITS} END END`,
    boolean: `CASE ${TYPE} WHEN 'boolean' THEN CASE JSON_VALUE({f}, '{0}') WHEN 'true' THEN 1 ELSE 0 END END`,
    // The server returns a scalar only inside a list, whose brackets are the first and the last character.
    json: `CASE WHEN ${TYPE} <> 'null' THEN REGEXP_REPLACE(JSON_QUERY({f}, '{0}' RETURNING CLOB WITH WRAPPER), '^\\[|\\]$') END`,
  },
};
