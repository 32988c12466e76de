/** The texts of the cases of joins by conditions. */
export const texts: Readonly<
  Record<
    string,
    { readonly sqlite: string; readonly postgres: string; readonly mariadb: string; readonly oracle: string }
  >
> = {
  "a left join by a range of days: rows without a match have null as a whole": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount" FROM "sales" LEFT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23) AND ("price"."valid_to" IS NULL OR substr("sales"."sold_at" || \'.000\', 1, 23) < substr("price"."valid_to" || \'.000\', 1, 23))) ORDER BY "sales"."id" ASC',
    postgres:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount" FROM "sales" LEFT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) ORDER BY "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `price`.`id` IS NULL THEN 0 ELSE 1 END AS `price.*`, `price`.`amount` AS `price.amount` FROM `sales` LEFT JOIN `prices` `price` ON (`sales`.`product_id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from` AND (`price`.`valid_to` IS NULL OR `sales`.`sold_at` < `price`.`valid_to`)) ORDER BY `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount" FROM "sales" LEFT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) ORDER BY "sales"."id" ASC',
  },
  "a join by a range of days leaves rows without a match out": {
    sqlite:
      'SELECT "sales"."id", rowtype_whole("sales"."qty" * "price"."amount") AS "total" FROM "sales" JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23) AND ("price"."valid_to" IS NULL OR substr("sales"."sold_at" || \'.000\', 1, 23) < substr("price"."valid_to" || \'.000\', 1, 23))) ORDER BY "sales"."id" ASC',
    postgres:
      'SELECT "sales"."id", ("sales"."qty" * "price"."amount") AS "total" FROM "sales" JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) ORDER BY "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, (`sales`.`qty` * `price`.`amount`) AS `total` FROM `sales` JOIN `prices` `price` ON (`sales`.`product_id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from` AND (`price`.`valid_to` IS NULL OR `sales`.`sold_at` < `price`.`valid_to`)) ORDER BY `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", (CAST(CAST("sales"."qty" * "price"."amount" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AS "total" FROM "sales" JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) ORDER BY "sales"."id" ASC',
  },
  "parameters of the condition stand in ON, before those of WHERE": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount" FROM "sales" LEFT JOIN "prices" "price" ON (("sales"."product_id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23) AND ("price"."valid_to" IS NULL OR substr("sales"."sold_at" || \'.000\', 1, 23) < substr("price"."valid_to" || \'.000\', 1, 23))) AND "price"."amount" > ?) WHERE "sales"."qty" < ? AND "sales"."id" <= ? ORDER BY "sales"."id" ASC',
    postgres:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount" FROM "sales" LEFT JOIN "prices" "price" ON (("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) AND "price"."amount" > $1) WHERE "sales"."qty" < $2 AND "sales"."id" <= $3 ORDER BY "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `price`.`id` IS NULL THEN 0 ELSE 1 END AS `price.*`, `price`.`amount` AS `price.amount` FROM `sales` LEFT JOIN `prices` `price` ON ((`sales`.`product_id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from` AND (`price`.`valid_to` IS NULL OR `sales`.`sold_at` < `price`.`valid_to`)) AND `price`.`amount` > ?) WHERE `sales`.`qty` < ? AND `sales`.`id` <= ? ORDER BY `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount" FROM "sales" LEFT JOIN "prices" "price" ON (("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) AND "price"."amount" > :p0) WHERE "sales"."qty" < :p1 AND "sales"."id" <= :p2 ORDER BY "sales"."id" ASC',
  },
  "a table joined to itself by <": {
    sqlite:
      'SELECT "sales"."id", "later"."id" AS "later.id" FROM "sales" JOIN "sales" "later" ON ("sales"."id" < "later"."id" AND "sales"."product_id" = "later"."product_id")',
    postgres:
      'SELECT "sales"."id", "later"."id" AS "later.id" FROM "sales" JOIN "sales" "later" ON ("sales"."id" < "later"."id" AND "sales"."product_id" = "later"."product_id")',
    mariadb:
      "SELECT `sales`.`id`, `later`.`id` AS `later.id` FROM `sales` JOIN `sales` `later` ON (`sales`.`id` < `later`.`id` AND `sales`.`product_id` = `later`.`product_id`)",
    oracle:
      'SELECT "sales"."id", "later"."id" AS "later.id" FROM "sales" JOIN "sales" "later" ON ("sales"."id" < "later"."id" AND "sales"."product_id" = "later"."product_id")',
  },
  "a left join of a table whose columns may all be null: a row that is all null is a part": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "note"."found" IS NULL THEN 0 ELSE 1 END AS "note.*", "note"."text" AS "note.text" FROM "sales" LEFT JOIN (SELECT "low", "high", "text", 1 AS "found" FROM "notes") "note" ON (("sales"."qty" >= "note"."low" AND "sales"."qty" <= "note"."high") OR ("sales"."qty" = ? AND "note"."low" IS NULL)) WHERE "sales"."id" <> ? ORDER BY "sales"."id" ASC, "note"."text" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", CASE WHEN "note"."found" IS NULL THEN 0 ELSE 1 END AS "note.*", "note"."text" AS "note.text" FROM "sales" LEFT JOIN (SELECT "low", "high", "text", 1 AS "found" FROM "notes") "note" ON (("sales"."qty" >= "note"."low" AND "sales"."qty" <= "note"."high") OR ("sales"."qty" = $1 AND "note"."low" IS NULL)) WHERE "sales"."id" <> $2 ORDER BY "sales"."id" ASC, "note"."text" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `note`.`found` IS NULL THEN 0 ELSE 1 END AS `note.*`, `note`.`text` AS `note.text` FROM `sales` LEFT JOIN (SELECT `low`, `high`, `text`, 1 AS `found` FROM `notes` LIMIT 18446744073709551615) `note` ON ((`sales`.`qty` >= `note`.`low` AND `sales`.`qty` <= `note`.`high`) OR (`sales`.`qty` = ? AND `note`.`low` IS NULL)) WHERE `sales`.`id` <> ? ORDER BY `sales`.`id` ASC, `note`.`text` IS NULL, `note`.`text` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "note"."found" IS NULL THEN 0 ELSE 1 END AS "note.*", "note"."text" AS "note.text" FROM "sales" LEFT JOIN (SELECT "low", "high", "text", 1 AS "found" FROM "notes") "note" ON (("sales"."qty" >= "note"."low" AND "sales"."qty" <= "note"."high") OR ("sales"."qty" = :p0 AND "note"."low" IS NULL)) WHERE "sales"."id" <> :p1 ORDER BY "sales"."id" ASC, "note"."text" ASC',
  },
  "conditions see what was joined before, arithmetic, not and between": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."id" AS "price.id", CASE WHEN "double"."id" IS NULL THEN 0 ELSE 1 END AS "double.*", "double"."id" AS "double.id" FROM "sales" LEFT JOIN "products" "product" ON "sales"."product_id" = "product"."id" LEFT JOIN "prices" "price" ON ("product"."id" = "price"."productId" AND NOT ("product"."name" = ?)) LEFT JOIN "prices" "double" ON ("double"."amount" > rowtype_whole("price"."amount" + "sales"."qty") AND "double"."id" BETWEEN ? AND ?) WHERE ("sales"."id" = ? OR "sales"."id" = ?) ORDER BY "sales"."id" ASC, "price"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."id" AS "price.id", CASE WHEN "double"."id" IS NULL THEN 0 ELSE 1 END AS "double.*", "double"."id" AS "double.id" FROM "sales" LEFT JOIN "products" "product" ON "sales"."product_id" = "product"."id" LEFT JOIN "prices" "price" ON ("product"."id" = "price"."productId" AND NOT ("product"."name" = $1)) LEFT JOIN "prices" "double" ON ("double"."amount" > ("price"."amount" + "sales"."qty") AND "double"."id" BETWEEN $2 AND $3) WHERE ("sales"."id" = $4 OR "sales"."id" = $5) ORDER BY "sales"."id" ASC, "price"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `price`.`id` IS NULL THEN 0 ELSE 1 END AS `price.*`, `price`.`id` AS `price.id`, CASE WHEN `double`.`id` IS NULL THEN 0 ELSE 1 END AS `double.*`, `double`.`id` AS `double.id` FROM `sales` LEFT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` LEFT JOIN `prices` `price` ON (`product`.`id` = `price`.`productId` AND NOT (`product`.`name` = ?)) LEFT JOIN `prices` `double` ON (`double`.`amount` > (`price`.`amount` + `sales`.`qty`) AND `double`.`id` BETWEEN ? AND ?) WHERE (`sales`.`id` = ? OR `sales`.`id` = ?) ORDER BY `sales`.`id` ASC, `price`.`id` IS NULL, `price`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."id" AS "price.id", CASE WHEN "double"."id" IS NULL THEN 0 ELSE 1 END AS "double.*", "double"."id" AS "double.id" FROM "sales" LEFT JOIN "products" "product" ON "sales"."product_id" = "product"."id" LEFT JOIN "prices" "price" ON ("product"."id" = "price"."productId" AND NOT ("product"."name" = :p0)) LEFT JOIN "prices" "double" ON ("double"."amount" > (CAST(CAST("price"."amount" + "sales"."qty" + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) AND "double"."id" BETWEEN :p1 AND :p2) WHERE ("sales"."id" = :p3 OR "sales"."id" = :p4) ORDER BY "sales"."id" ASC, "price"."id" ASC',
  },
  "the best of each group as rows: a query with a place, joined by a condition": {
    sqlite:
      'SELECT "products"."name", "best"."amount" AS "best.amount" FROM "products" JOIN (SELECT "productId", "amount", ROW_NUMBER() OVER (PARTITION BY "productId" ORDER BY "amount" DESC) AS "place" FROM "prices" WHERE "amount" > ?) "best" ON ("products"."id" = "best"."productId" AND "best"."place" <= ?) WHERE "products"."name" <> ? ORDER BY "products"."name" ASC',
    postgres:
      'SELECT "products"."name", "best"."amount" AS "best.amount" FROM "products" JOIN (SELECT "productId", "amount", ROW_NUMBER() OVER (PARTITION BY "productId" ORDER BY "amount" DESC) AS "place" FROM "prices" WHERE "amount" > $1) "best" ON ("products"."id" = "best"."productId" AND "best"."place" <= $2) WHERE "products"."name" <> $3 ORDER BY "products"."name" ASC',
    mariadb:
      "SELECT `products`.`name`, `best`.`amount` AS `best.amount` FROM `products` JOIN (SELECT `productId`, `amount`, ROW_NUMBER() OVER (PARTITION BY `productId` ORDER BY `amount` DESC) AS `place` FROM `prices` WHERE `amount` > ?) `best` ON (`products`.`id` = `best`.`productId` AND `best`.`place` <= CAST(? AS SIGNED)) WHERE `products`.`name` <> ? ORDER BY `products`.`name` ASC",
    oracle:
      'SELECT "products"."name", "best"."amount" AS "best.amount" FROM "products" JOIN (SELECT "productId", "amount", ROW_NUMBER() OVER (PARTITION BY "productId" ORDER BY "amount" DESC) AS "place" FROM "prices" WHERE "amount" > :p0) "best" ON ("products"."id" = "best"."productId" AND "best"."place" <= :p1) WHERE "products"."name" <> :p2 ORDER BY "products"."name" ASC',
  },
  "a left join of a query by a condition": {
    sqlite:
      'SELECT "products"."id", CASE WHEN "per"."product_id" IS NULL THEN 0 ELSE 1 END AS "per.*", "per"."sold" AS "per.sold" FROM "products" LEFT JOIN (SELECT "product_id", SUM("qty") AS "sold" FROM "sales" GROUP BY "product_id") "per" ON ("products"."id" = "per"."product_id" AND "per"."sold" > ?) ORDER BY "products"."id" ASC',
    postgres:
      'SELECT "products"."id", CASE WHEN "per"."product_id" IS NULL THEN 0 ELSE 1 END AS "per.*", "per"."sold" AS "per.sold" FROM "products" LEFT JOIN (SELECT "product_id", SUM("qty") AS "sold" FROM "sales" GROUP BY "product_id") "per" ON ("products"."id" = "per"."product_id" AND "per"."sold" > $1) ORDER BY "products"."id" ASC',
    mariadb:
      "SELECT `products`.`id`, CASE WHEN `per`.`product_id` IS NULL THEN 0 ELSE 1 END AS `per.*`, `per`.`sold` AS `per.sold` FROM `products` LEFT JOIN (SELECT `product_id`, SUM(`qty`) AS `sold` FROM `sales` GROUP BY `product_id`) `per` ON (`products`.`id` = `per`.`product_id` AND `per`.`sold` > CAST(? AS SIGNED)) ORDER BY `products`.`id` ASC",
    oracle:
      'SELECT "products"."id", CASE WHEN "per"."product_id" IS NULL THEN 0 ELSE 1 END AS "per.*", "per"."sold" AS "per.sold" FROM "products" LEFT JOIN (SELECT "product_id", SUM("qty") AS "sold" FROM "sales" GROUP BY "product_id") "per" ON ("products"."id" = "per"."product_id" AND "per"."sold" > :p0) ORDER BY "products"."id" ASC',
  },
  "a condition that fixes a key gives one row for each of ours, whose sums count once": {
    sqlite:
      'SELECT "made"."name" AS "made.name", SUM("sales"."qty") AS "sold", COUNT(*) AS "times" FROM "sales" JOIN "products" "made" ON ("made"."id" = "sales"."product_id" AND "made"."tenantId" = "sales"."tenantId") GROUP BY "made"."name" ORDER BY "made"."name" ASC',
    postgres:
      'SELECT "made"."name" AS "made.name", SUM("sales"."qty") AS "sold", COUNT(*) AS "times" FROM "sales" JOIN "products" "made" ON ("made"."id" = "sales"."product_id" AND "made"."tenantId" = "sales"."tenantId") GROUP BY "made"."name" ORDER BY "made"."name" ASC',
    mariadb:
      "SELECT `made`.`name` AS `made.name`, SUM(`sales`.`qty`) AS `sold`, COUNT(*) AS `times` FROM `sales` JOIN `products` `made` ON (`made`.`id` = `sales`.`product_id` AND `made`.`tenantId` = `sales`.`tenantId`) GROUP BY `made`.`name` ORDER BY `made`.`name` ASC",
    oracle:
      'SELECT "made"."name" AS "made.name", SUM("sales"."qty") AS "sold", COUNT(*) AS "times" FROM "sales" JOIN "products" "made" ON ("made"."id" = "sales"."product_id" AND "made"."tenantId" = "sales"."tenantId") GROUP BY "made"."name" ORDER BY "made"."name" ASC',
  },
  "a scoped repository is joined by a condition: only its part": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "made"."id" IS NULL THEN 0 ELSE 1 END AS "made.*", "made"."id" AS "made.id" FROM "sales" LEFT JOIN "products" "made" ON ("made"."id" <= "sales"."product_id" AND "made"."tenantId" = ?) WHERE "sales"."sold_at" >= ? AND "sales"."sold_at" < ? ORDER BY "sales"."id" ASC, "made"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", CASE WHEN "made"."id" IS NULL THEN 0 ELSE 1 END AS "made.*", "made"."id" AS "made.id" FROM "sales" LEFT JOIN "products" "made" ON ("made"."id" <= "sales"."product_id" AND "made"."tenantId" = $1) WHERE "sales"."sold_at" >= $2 AND "sales"."sold_at" < $3 ORDER BY "sales"."id" ASC, "made"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `made`.`id` IS NULL THEN 0 ELSE 1 END AS `made.*`, `made`.`id` AS `made.id` FROM `sales` LEFT JOIN `products` `made` ON (`made`.`id` <= `sales`.`product_id` AND `made`.`tenantId` = ?) WHERE `sales`.`sold_at` >= ? AND `sales`.`sold_at` < ? ORDER BY `sales`.`id` ASC, `made`.`id` IS NULL, `made`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "made"."id" IS NULL THEN 0 ELSE 1 END AS "made.*", "made"."id" AS "made.id" FROM "sales" LEFT JOIN "products" "made" ON ("made"."id" <= "sales"."product_id" AND "made"."tenantId" = :p0) WHERE "sales"."sold_at" >= :p1 AND "sales"."sold_at" < :p2 ORDER BY "sales"."id" ASC, "made"."id" ASC',
  },
};
