/** The grammars by the name of their dialect: the only place that imports all of them. */
import type { Dialect } from "../words/dialect.js";
import type { Grammar } from "./grammar/grammar.js";
import { mariadb } from "./mariadb/grammar.js";
import { oracle } from "./oracle/grammar.js";
import { postgres } from "./postgres/grammar.js";
import { sqlite } from "./sqlite/grammar.js";

/** The grammars by name. Names come from outside, so this is a map, not an object. */
export const grammars: ReadonlyMap<Dialect, Grammar> = new Map(
  [postgres, mariadb, sqlite, oracle].map((grammar) => [grammar.dialect, grammar]),
);
