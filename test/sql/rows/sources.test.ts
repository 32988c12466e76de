import type { Database } from "rowtype";
import { describeCasesOf } from "../../kit/run-cases.js";
import { openShop, shop, shopOn, type Untyped } from "../../kit/shop.js";
import { cases, type Sources } from "./sources.cases.js";

function sourcesOn(db: Database): Sources {
  return {
    ...shopOn(db),
    from: (source) => db.from(source as never) as unknown as Untyped,
    once: (name, query) => db.with(name, query as never),
  };
}

describeCasesOf(
  { tables: Object.values(shop), create: openShop, repositories: sourcesOn },
  "queries as tables",
  cases,
);
