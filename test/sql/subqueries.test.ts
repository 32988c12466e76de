import { describeCasesOf } from "./run-cases.js";
import { openShop, shop, shopOn } from "./shop.js";
import { cases } from "./subqueries.cases.js";

describeCasesOf(
  { tables: Object.values(shop), create: openShop, repositories: shopOn },
  "queries inside others",
  cases,
);
