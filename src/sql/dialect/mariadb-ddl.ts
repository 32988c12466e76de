/** How MariaDB declares tables: text by code point, times in UTC, and lengths for what is indexed. */

import type { AnyTable } from "../declare/declaration.js";
import { mariadbByCodePoint } from "./collation.js";
import { columnName } from "./declared.js";
import { existence } from "./forms.js";
import type { DdlGrammar, NameTaken } from "./grammar.js";
import { isTimestamp } from "./mariadb-settings.js";
import { isSameKey } from "./names.js";

export const mariadbDdl: DdlGrammar = {
  byCodePoint: (type, { kind }) =>
    kind === "text" || kind === "array" || kind === "json" ? mariadbByCodePoint(type) : type,
  decimal: undefined,
  identity: () => "AUTO_INCREMENT",
  identityIsKey: false,
  // In a `datetime`, a value in the time zone of the session would be stored without the zone.
  defaultExpression: (expression, storage) =>
    NOW.test(expression) && !isTimestamp(storage) ? "(UTC_TIMESTAMP(3))" : `(${expression})`,
  checkExpression: (expression) => expression,
  kindCheck: () => undefined,
  keyName: () => undefined,
  qualifies: { index: false, indexed: true, referenced: true },
  indexNamesOf: "table",
  namesTaken: keyIndexNames,
  ...existence,
};

// The index of a key, also a foreign key, has the name of its first column.
function keyIndexNames(table: AnyTable): NameTaken[] {
  const { primaryKey, keys, columns } = table;
  const first = keys.flatMap((key) => (isSameKey(key, primaryKey) ? [] : key.slice(0, 1)));
  const foreign = Object.values(columns).filter(({ references }) => references !== undefined);
  return [...first, ...foreign.map(({ property }) => property)].map((property) => {
    const column = columnName(table, property);
    return { name: column, column };
  });
}

const NOW = /^\s*\(?\s*(?:current_timestamp|localtimestamp|localtime|now)(?:\s*\(\s*\d?\s*\))?\s*\)?\s*$/i;
