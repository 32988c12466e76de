/** Every method of every builder reads and changes no hidden row. The campaign of hidden rows does it on all servers. */
import { testHiddenRows } from "../../kit/hidden-rows-tests.js";
import { rounds } from "../../rounds.js";
import { servers } from "../../servers.js";

testHiddenRows(
  servers.filter(({ name }) => name === "sqlite"),
  rounds({ small: 1, full: 100 }),
  Number(process.env["ROWTYPE_SEED"] ?? 7),
);
