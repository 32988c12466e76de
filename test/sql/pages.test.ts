import { cases } from "./pages.cases.js";
import { describeCasesOf } from "./run-cases.js";
import { openShop, shop, shopOn } from "./shop.js";

describeCasesOf({ tables: Object.values(shop), create: openShop, repositories: shopOn }, "pages", cases);
