import { describeCasesOf } from "../../kit/run-cases.js";
import { market, marketOn, openMarket } from "../../kit/sales.js";
import { cases } from "./condition-rows.cases.js";

describeCasesOf(
  { tables: Object.values(market), create: openMarket, repositories: marketOn },
  "rows by conditions",
  cases,
);
