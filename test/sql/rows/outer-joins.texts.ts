/** The texts of the cases of right joins. */
export const texts: Readonly<
  Record<
    string,
    { readonly sqlite: string; readonly postgres: string; readonly mariadb: string; readonly oracle: string }
  >
> = {
  "a right join by a relation: rows of theirs without ours, our fields null one by one": {
    sqlite:
      'SELECT "sales"."id", "sales"."qty", "sales"."sold_at", "product"."name" AS "product.name" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."name" ASC, "sales"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", "sales"."qty", "sales"."sold_at", "product"."name" AS "product.name" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."name" ASC, "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `sales`.`qty`, `sales`.`sold_at`, `product`.`name` AS `product.name` FROM `sales` RIGHT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` ORDER BY `product`.`name` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "sales"."qty", "sales"."sold_at", "product"."name" AS "product.name" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."name" ASC, "sales"."id" ASC',
  },
  "a right join of a many: their field that is equal to ours may be null": {
    sqlite:
      'SELECT "products"."name", "sales"."id" AS "sales.id" FROM "products" RIGHT JOIN "sales" "sales" ON "products"."id" = "sales"."product_id" ORDER BY "sales"."id" ASC',
    postgres:
      'SELECT "products"."name", "sales"."id" AS "sales.id" FROM "products" RIGHT JOIN "sales" "sales" ON "products"."id" = "sales"."product_id" ORDER BY "sales"."id" ASC',
    mariadb:
      "SELECT `products`.`name`, `sales`.`id` AS `sales.id` FROM `products` RIGHT JOIN `sales` `sales` ON `products`.`id` = `sales`.`product_id` ORDER BY `sales`.`id` ASC",
    oracle:
      'SELECT "products"."name", "sales"."id" AS "sales.id" FROM "products" RIGHT JOIN "sales" "sales" ON "products"."id" = "sales"."product_id" ORDER BY "sales"."id" ASC',
  },
  "without fields the row is that of the own table, all null where it is missing": {
    sqlite:
      'SELECT "sales"."id", "sales"."product_id", "sales"."tenantId", "sales"."qty", "sales"."sold_at" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE "product"."id" >= ? ORDER BY "product"."id" ASC',
    postgres:
      'SELECT "sales"."id", "sales"."product_id", "sales"."tenantId", "sales"."qty", "sales"."sold_at" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE "product"."id" >= $1 ORDER BY "product"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `sales`.`product_id`, `sales`.`tenantId`, `sales`.`qty`, `sales`.`sold_at` FROM `sales` RIGHT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` WHERE `product`.`id` >= ? ORDER BY `product`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "sales"."product_id", "sales"."tenantId", "sales"."qty", "sales"."sold_at" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE "product"."id" >= :p0 ORDER BY "product"."id" ASC',
  },
  "left joins before and behind: what was joined before is null as a whole": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount", CASE WHEN "made"."id" IS NULL THEN 0 ELSE 1 END AS "made.*", "made"."name" AS "made.name", "every"."name" AS "every.name", CASE WHEN "again"."product_id" IS NULL THEN 0 ELSE 1 END AS "again.*", "again"."id" AS "again.id" FROM "sales" LEFT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "price"."valid_to" IS NULL) JOIN "products" "made" ON "sales"."product_id" = "made"."id" RIGHT JOIN "products" "every" ON "sales"."product_id" = "every"."id" LEFT JOIN "sales" "again" ON "every"."id" = "again"."product_id" ORDER BY "every"."id" ASC, "sales"."id" ASC NULLS LAST, "again"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount", CASE WHEN "made"."id" IS NULL THEN 0 ELSE 1 END AS "made.*", "made"."name" AS "made.name", "every"."name" AS "every.name", CASE WHEN "again"."product_id" IS NULL THEN 0 ELSE 1 END AS "again.*", "again"."id" AS "again.id" FROM "sales" LEFT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "price"."valid_to" IS NULL) JOIN "products" "made" ON "sales"."product_id" = "made"."id" RIGHT JOIN "products" "every" ON "sales"."product_id" = "every"."id" LEFT JOIN "sales" "again" ON "every"."id" = "again"."product_id" ORDER BY "every"."id" ASC, "sales"."id" ASC, "again"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `price`.`id` IS NULL THEN 0 ELSE 1 END AS `price.*`, `price`.`amount` AS `price.amount`, CASE WHEN `made`.`id` IS NULL THEN 0 ELSE 1 END AS `made.*`, `made`.`name` AS `made.name`, `every`.`name` AS `every.name`, CASE WHEN `again`.`product_id` IS NULL THEN 0 ELSE 1 END AS `again.*`, `again`.`id` AS `again.id` FROM `sales` LEFT JOIN `prices` `price` ON (`sales`.`product_id` = `price`.`productId` AND `price`.`valid_to` IS NULL) JOIN `products` `made` ON `sales`.`product_id` = `made`.`id` RIGHT JOIN `products` `every` ON `sales`.`product_id` = `every`.`id` LEFT JOIN `sales` `again` ON `every`.`id` = `again`.`product_id` ORDER BY `every`.`id` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC, `again`.`id` IS NULL, `again`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "price"."id" IS NULL THEN 0 ELSE 1 END AS "price.*", "price"."amount" AS "price.amount", CASE WHEN "made"."id" IS NULL THEN 0 ELSE 1 END AS "made.*", "made"."name" AS "made.name", "every"."name" AS "every.name", CASE WHEN "again"."product_id" IS NULL THEN 0 ELSE 1 END AS "again.*", "again"."id" AS "again.id" FROM "sales" LEFT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "price"."valid_to" IS NULL) JOIN "products" "made" ON "sales"."product_id" = "made"."id" RIGHT JOIN "products" "every" ON "sales"."product_id" = "every"."id" LEFT JOIN "sales" "again" ON "every"."id" = "again"."product_id" ORDER BY "every"."id" ASC, "sales"."id" ASC, "again"."id" ASC',
  },
  "a right join after a right join": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "product"."id" IS NULL THEN 0 ELSE 1 END AS "product.*", "product"."name" AS "product.name", "price"."id" AS "price.id" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" RIGHT JOIN "prices" "price" ON "product"."id" = "price"."productId" WHERE "price"."amount" < ? ORDER BY "price"."id" ASC, "sales"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", CASE WHEN "product"."id" IS NULL THEN 0 ELSE 1 END AS "product.*", "product"."name" AS "product.name", "price"."id" AS "price.id" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" RIGHT JOIN "prices" "price" ON "product"."id" = "price"."productId" WHERE "price"."amount" < $1 ORDER BY "price"."id" ASC, "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `product`.`id` IS NULL THEN 0 ELSE 1 END AS `product.*`, `product`.`name` AS `product.name`, `price`.`id` AS `price.id` FROM `sales` RIGHT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` RIGHT JOIN `prices` `price` ON `product`.`id` = `price`.`productId` WHERE `price`.`amount` < ? ORDER BY `price`.`id` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "product"."id" IS NULL THEN 0 ELSE 1 END AS "product.*", "product"."name" AS "product.name", "price"."id" AS "price.id" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" RIGHT JOIN "prices" "price" ON "product"."id" = "price"."productId" WHERE "price"."amount" < :p0 ORDER BY "price"."id" ASC, "sales"."id" ASC',
  },
  "a right join by a range, its parameters in ON": {
    sqlite:
      'SELECT "sales"."id", "price"."id" AS "price.id" FROM "sales" RIGHT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23) AND "sales"."qty" > ?) ORDER BY "price"."id" ASC, "sales"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", "price"."id" AS "price.id" FROM "sales" RIGHT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND "sales"."qty" > $1) ORDER BY "price"."id" ASC, "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `price`.`id` AS `price.id` FROM `sales` RIGHT JOIN `prices` `price` ON (`sales`.`product_id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from` AND `sales`.`qty` > ?) ORDER BY `price`.`id` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "price"."id" AS "price.id" FROM "sales" RIGHT JOIN "prices" "price" ON ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND "sales"."qty" > :p0) ORDER BY "price"."id" ASC, "sales"."id" ASC',
  },
  "a right join of a query keeps the rows that meet its conditions, and no others": {
    sqlite:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name" FROM "products" WHERE "tenantId" = ?) "made" ON "sales"."product_id" = "made"."id" ORDER BY "made"."name" ASC, "sales"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name" FROM "products" WHERE "tenantId" = $1) "made" ON "sales"."product_id" = "made"."id" ORDER BY "made"."name" ASC, "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `made`.`name` AS `made.name` FROM `sales` RIGHT JOIN (SELECT `id`, `name` FROM `products` WHERE `tenantId` = ?) `made` ON `sales`.`product_id` = `made`.`id` ORDER BY `made`.`name` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name" FROM "products" WHERE "tenantId" = :p0) "made" ON "sales"."product_id" = "made"."id" ORDER BY "made"."name" ASC, "sales"."id" ASC',
  },
  "a right join of a query by a condition": {
    sqlite:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name" FROM "products" WHERE "id" > ?) "made" ON ("made"."id" = "sales"."product_id" AND "sales"."qty" > ?) ORDER BY "made"."id" ASC',
    postgres:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name" FROM "products" WHERE "id" > $1) "made" ON ("made"."id" = "sales"."product_id" AND "sales"."qty" > $2) ORDER BY "made"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `made`.`name` AS `made.name` FROM `sales` RIGHT JOIN (SELECT `id`, `name` FROM `products` WHERE `id` > ?) `made` ON (`made`.`id` = `sales`.`product_id` AND `sales`.`qty` > ?) ORDER BY `made`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name" FROM "products" WHERE "id" > :p0) "made" ON ("made"."id" = "sales"."product_id" AND "sales"."qty" > :p1) ORDER BY "made"."id" ASC',
  },
  "a scope of ours: the rows of others are not there, and nothing of theirs is lost": {
    sqlite:
      'SELECT "sales"."id", "sales"."tenantId", "product"."name" AS "product.name" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = ?) "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."id" ASC, "sales"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", "sales"."tenantId", "product"."name" AS "product.name" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = $1) "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."id" ASC, "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `sales`.`tenantId`, `product`.`name` AS `product.name` FROM (SELECT `id`, `product_id`, `tenantId`, `qty`, `sold_at` FROM `sales` WHERE `tenantId` = ?) `sales` RIGHT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` ORDER BY `product`.`id` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "sales"."tenantId", "product"."name" AS "product.name" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = :p0) "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."id" ASC, "sales"."id" ASC',
  },
  "a scope of theirs: no row of another tenant comes back as one without ours": {
    sqlite:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = ?) "made" ON "sales"."product_id" = "made"."id" ORDER BY "made"."id" ASC, "sales"."id" ASC NULLS LAST',
    postgres:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = $1) "made" ON "sales"."product_id" = "made"."id" ORDER BY "made"."id" ASC, "sales"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `made`.`name` AS `made.name` FROM `sales` RIGHT JOIN (SELECT `id`, `name`, `tenantId` FROM `products` WHERE `tenantId` = ?) `made` ON `sales`.`product_id` = `made`.`id` ORDER BY `made`.`id` ASC, `sales`.`id` IS NULL, `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "made"."name" AS "made.name" FROM "sales" RIGHT JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = :p0) "made" ON "sales"."product_id" = "made"."id" ORDER BY "made"."id" ASC, "sales"."id" ASC',
  },
  "scopes on both sides, by a condition, and counted": {
    sqlite:
      'SELECT "made"."name" AS "made.name", COUNT("sales"."id") AS "sold" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = ?) "sales" RIGHT JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = ?) "made" ON "made"."id" < "sales"."product_id" GROUP BY "made"."name" ORDER BY "made"."name" ASC',
    postgres:
      'SELECT "made"."name" AS "made.name", COUNT("sales"."id") AS "sold" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = $1) "sales" RIGHT JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = $2) "made" ON "made"."id" < "sales"."product_id" GROUP BY "made"."name" ORDER BY "made"."name" ASC',
    mariadb:
      "SELECT `made`.`name` AS `made.name`, COUNT(`sales`.`id`) AS `sold` FROM (SELECT `id`, `product_id`, `tenantId`, `qty`, `sold_at` FROM `sales` WHERE `tenantId` = ?) `sales` RIGHT JOIN (SELECT `id`, `name`, `tenantId` FROM `products` WHERE `tenantId` = ?) `made` ON `made`.`id` < `sales`.`product_id` GROUP BY `made`.`name` ORDER BY `made`.`name` ASC",
    oracle:
      'SELECT "made"."name" AS "made.name", COUNT("sales"."id") AS "sold" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = :p0) "sales" RIGHT JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = :p1) "made" ON "made"."id" < "sales"."product_id" GROUP BY "made"."name" ORDER BY "made"."name" ASC',
  },
  "a part before that has no column that is never null": {
    sqlite:
      'SELECT "sales"."id", CASE WHEN "note"."found" IS NULL THEN 0 ELSE 1 END AS "note.*", "note"."high" AS "note.high", "product"."id" AS "product.id" FROM "sales" JOIN (SELECT "low", "high", "text", 1 AS "found" FROM "notes") "note" ON ("sales"."qty" >= "note"."low" AND "note"."high" IS NULL) RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."id" ASC',
    postgres:
      'SELECT "sales"."id", CASE WHEN "note"."found" IS NULL THEN 0 ELSE 1 END AS "note.*", "note"."high" AS "note.high", "product"."id" AS "product.id" FROM "sales" JOIN (SELECT "low", "high", "text", 1 AS "found" FROM "notes") "note" ON ("sales"."qty" >= "note"."low" AND "note"."high" IS NULL) RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, CASE WHEN `note`.`found` IS NULL THEN 0 ELSE 1 END AS `note.*`, `note`.`high` AS `note.high`, `product`.`id` AS `product.id` FROM `sales` JOIN (SELECT `low`, `high`, `text`, 1 AS `found` FROM `notes` LIMIT 18446744073709551615) `note` ON (`sales`.`qty` >= `note`.`low` AND `note`.`high` IS NULL) RIGHT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` ORDER BY `product`.`id` ASC",
    oracle:
      'SELECT "sales"."id", CASE WHEN "note"."found" IS NULL THEN 0 ELSE 1 END AS "note.*", "note"."high" AS "note.high", "product"."id" AS "product.id" FROM "sales" JOIN (SELECT "low", "high", "text", 1 AS "found" FROM "notes") "note" ON ("sales"."qty" >= "note"."low" AND "note"."high" IS NULL) RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id" ORDER BY "product"."id" ASC',
  },
  "expressions and conditions over what may be missing, and rows inside of rows": {
    sqlite:
      'SELECT "sales"."id", coalesce("sales"."qty", "made"."id") AS "qtyOrId", (SELECT json_array("products"."id", "products"."name", "products"."tenantId") FROM "products" WHERE "products"."id" = "sales"."product_id") AS "product" FROM "sales" RIGHT JOIN "products" "made" ON "sales"."product_id" = "made"."id" WHERE ("sales"."id" IS NULL OR ("sales"."product_id" IS NOT NULL AND "sales"."qty" = ?)) ORDER BY "made"."id" ASC',
    postgres:
      'SELECT "sales"."id", coalesce("sales"."qty", "made"."id") AS "qtyOrId", (SELECT json_build_array("products"."id", "products"."name", "products"."tenantId") FROM "products" WHERE "products"."id" = "sales"."product_id") AS "product" FROM "sales" RIGHT JOIN "products" "made" ON "sales"."product_id" = "made"."id" WHERE ("sales"."id" IS NULL OR ("sales"."product_id" IS NOT NULL AND "sales"."qty" = $1)) ORDER BY "made"."id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `sales`.`id`, COALESCE(`sales`.`qty`, `made`.`id`) AS `qtyOrId`, (SELECT COALESCE(JSON_ARRAY(`products`.`id`, `products`.`name`, `products`.`tenantId`), JSON_ARRAY()) FROM `products` WHERE `products`.`id` = `sales`.`product_id`) AS `product` FROM `sales` RIGHT JOIN `products` `made` ON `sales`.`product_id` = `made`.`id` WHERE (`sales`.`id` IS NULL OR (`sales`.`product_id` IS NOT NULL AND `sales`.`qty` = ?)) ORDER BY `made`.`id` ASC",
    oracle:
      'SELECT "sales"."id", COALESCE("sales"."qty", "made"."id") AS "qtyOrId", (SELECT JSON_ARRAY("products"."id", "products"."name", "products"."tenantId" NULL ON NULL RETURNING CLOB) FROM "products" WHERE "products"."id" = "sales"."product_id") AS "product" FROM "sales" RIGHT JOIN "products" "made" ON "sales"."product_id" = "made"."id" WHERE ("sales"."id" IS NULL OR ("sales"."product_id" IS NOT NULL AND "sales"."qty" = :p0)) ORDER BY "made"."id" ASC',
  },
  "as a table: what was a key of ours is none any more": {
    sqlite:
      'SELECT "products"."name", "all"."id" AS "all.id" FROM "products" JOIN (SELECT "sales"."id", "product"."id" AS "of" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id") "all" ON "products"."id" = "all"."of" WHERE "all"."id" IS NULL',
    postgres:
      'SELECT "products"."name", "all"."id" AS "all.id" FROM "products" JOIN (SELECT "sales"."id", "product"."id" AS "of" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id") "all" ON "products"."id" = "all"."of" WHERE "all"."id" IS NULL',
    mariadb:
      "SELECT `products`.`name`, `all`.`id` AS `all.id` FROM `products` JOIN (SELECT `sales`.`id`, `product`.`id` AS `of` FROM `sales` RIGHT JOIN `products` `product` ON `sales`.`product_id` = `product`.`id`) `all` ON `products`.`id` = `all`.`of` WHERE `all`.`id` IS NULL",
    oracle:
      'SELECT "products"."name", "all"."id" AS "all.id" FROM "products" JOIN (SELECT "sales"."id", "product"."id" AS "of" FROM "sales" RIGHT JOIN "products" "product" ON "sales"."product_id" = "product"."id") "all" ON "products"."id" = "all"."of" WHERE "all"."id" IS NULL',
  },
  "groups of sums": {
    sqlite:
      'SELECT "made"."name" AS "made.name", SUM("sales"."qty") AS "sold" FROM "sales" RIGHT JOIN "products" "made" ON "sales"."product_id" = "made"."id" GROUP BY "made"."name" ORDER BY "made"."name" ASC',
    postgres:
      'SELECT "made"."name" AS "made.name", SUM("sales"."qty") AS "sold" FROM "sales" RIGHT JOIN "products" "made" ON "sales"."product_id" = "made"."id" GROUP BY "made"."name" ORDER BY "made"."name" ASC',
    mariadb:
      "SELECT `made`.`name` AS `made.name`, SUM(`sales`.`qty`) AS `sold` FROM `sales` RIGHT JOIN `products` `made` ON `sales`.`product_id` = `made`.`id` GROUP BY `made`.`name` ORDER BY `made`.`name` ASC",
    oracle:
      'SELECT "made"."name" AS "made.name", SUM("sales"."qty") AS "sold" FROM "sales" RIGHT JOIN "products" "made" ON "sales"."product_id" = "made"."id" GROUP BY "made"."name" ORDER BY "made"."name" ASC',
  },
  "a table right joined to itself by <": {
    sqlite:
      'SELECT "sales"."id", "later"."id" AS "later.id" FROM "sales" RIGHT JOIN "sales" "later" ON ("sales"."id" < "later"."id" AND "sales"."product_id" = "later"."product_id") ORDER BY "later"."id" ASC',
    postgres:
      'SELECT "sales"."id", "later"."id" AS "later.id" FROM "sales" RIGHT JOIN "sales" "later" ON ("sales"."id" < "later"."id" AND "sales"."product_id" = "later"."product_id") ORDER BY "later"."id" ASC',
    mariadb:
      "SELECT `sales`.`id`, `later`.`id` AS `later.id` FROM `sales` RIGHT JOIN `sales` `later` ON (`sales`.`id` < `later`.`id` AND `sales`.`product_id` = `later`.`product_id`) ORDER BY `later`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "later"."id" AS "later.id" FROM "sales" RIGHT JOIN "sales" "later" ON ("sales"."id" < "later"."id" AND "sales"."product_id" = "later"."product_id") ORDER BY "later"."id" ASC',
  },
};
