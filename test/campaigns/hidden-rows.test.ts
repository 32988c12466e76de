/**
 * Every method of every builder reads and changes no hidden row, by random programs on each server. In full a hundred of
 * each method succeed. `ROWTYPE_SEED` repeats a run.
 */
import { testHiddenRows } from "../kit/hidden-rows-tests.js";
import { rounds } from "../rounds.js";
import { servers } from "../servers.js";

testHiddenRows(
  servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)),
  rounds({ small: 2, full: 100 }),
  Number(process.env["ROWTYPE_SEED"] ?? Date.now() % 4294967296),
);
