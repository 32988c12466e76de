import { describeCasesOf } from "../../kit/run-cases.js";
import { openShop, shop, shopOn } from "../../kit/shop.js";
import { cases } from "./joins.cases.js";

describeCasesOf({ tables: Object.values(shop), create: openShop, repositories: shopOn }, "joins", cases);
