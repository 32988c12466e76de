/** The grammars by the name of their dialect: the one place that knows all of them. */
import type { Dialect } from "../words/dialect.js";
import type { Grammar } from "./grammar.js";
import { mariadb } from "./mariadb.js";
import { oracle } from "./oracle.js";
import { postgres } from "./postgres.js";
import { sqlite } from "./sqlite.js";

/** The grammars by name. Names come from outside, so it is a map and no object. */
export const grammars: ReadonlyMap<Dialect, Grammar> = new Map(
  [postgres, mariadb, sqlite, oracle].map((grammar) => [grammar.dialect, grammar]),
);
