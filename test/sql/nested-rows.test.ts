import { cases } from "./nested-rows.cases.js";
import { describeCasesOf } from "./run-cases.js";
import { openShop, shop, shopOn } from "./shop.js";

describeCasesOf(
  { tables: Object.values(shop), create: openShop, repositories: shopOn },
  "rows inside of rows",
  cases,
);
