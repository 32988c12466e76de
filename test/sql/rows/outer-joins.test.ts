import { describeCasesOf } from "../../kit/run-cases.js";
import { market, marketOn, openMarket } from "../../kit/sales.js";
import { cases } from "./outer-joins.cases.js";

describeCasesOf(
  { tables: Object.values(market), create: openMarket, repositories: marketOn },
  "right joins",
  cases,
);
