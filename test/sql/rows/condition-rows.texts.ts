/** The texts of the cases of rows by conditions. */
export const texts: Readonly<
  Record<
    string,
    { readonly sqlite: string; readonly postgres: string; readonly mariadb: string; readonly oracle: string }
  >
> = {
  "rows inside of rows by a range": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("prices"."id", "prices"."amount", "prices"."valid_from")) FROM "prices" WHERE ("sales"."product_id" = "prices"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("prices"."valid_from" || \'.000\', 1, 23) AND ("prices"."valid_to" IS NULL OR substr("sales"."sold_at" || \'.000\', 1, 23) < substr("prices"."valid_to" || \'.000\', 1, 23)))) AS "price" FROM "sales" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("prices"."id", "prices"."amount", CAST("prices"."valid_from" AS text))), \'[]\') FROM "prices" WHERE ("sales"."product_id" = "prices"."productId" AND "sales"."sold_at" >= "prices"."valid_from" AND ("prices"."valid_to" IS NULL OR "sales"."sold_at" < "prices"."valid_to"))) AS "price" FROM "sales" ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`prices`.`id`, `prices`.`amount`, CAST(`prices`.`valid_from` AS CHAR)))) FROM `prices` WHERE (`sales`.`product_id` = `prices`.`productId` AND `sales`.`sold_at` >= `prices`.`valid_from` AND (`prices`.`valid_to` IS NULL OR `sales`.`sold_at` < `prices`.`valid_to`))) AS `price` FROM `sales` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("prices"."id", "prices"."amount", TO_CHAR(SYS_EXTRACT_UTC("prices"."valid_from"), \'YYYY-MM-DD HH24:MI:SS.FF3\') NULL ON NULL RETURNING CLOB) RETURNING CLOB), TO_CLOB(\'[]\')) FROM "prices" WHERE ("sales"."product_id" = "prices"."productId" AND "sales"."sold_at" >= "prices"."valid_from" AND ("prices"."valid_to" IS NULL OR "sales"."sold_at" < "prices"."valid_to"))) AS "price" FROM "sales" ORDER BY "id" ASC',
  },
  "a row that is found by several rows is in each of them, with an order and a limit for each": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."id")) FROM (SELECT "sales"."id" FROM "sales" WHERE (substr("prices"."valid_from" || \'.000\', 1, 23) <= substr("sales"."sold_at" || \'.000\', 1, 23) AND "sales"."qty" > ?) AND "sales"."qty" < ? ORDER BY "sales"."sold_at" DESC LIMIT 2) "rows") AS "later" FROM "prices" WHERE "id" < ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("rows"."id")), \'[]\') FROM (SELECT "sales"."id" FROM "sales" WHERE ("prices"."valid_from" <= "sales"."sold_at" AND "sales"."qty" > $1) AND "sales"."qty" < $2 ORDER BY "sales"."sold_at" DESC LIMIT 2) "rows") AS "later" FROM "prices" WHERE "id" < $3 ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`sales`.`id`) ORDER BY `sales`.`sold_at` DESC LIMIT 2)) FROM `sales` WHERE (`prices`.`valid_from` <= `sales`.`sold_at` AND `sales`.`qty` > ?) AND `sales`.`qty` < ?) AS `later` FROM `prices` WHERE `id` < ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("rows"."id" NULL ON NULL RETURNING CLOB) ORDER BY "rows"."order" DESC RETURNING CLOB), TO_CLOB(\'[]\')) FROM (SELECT "sales"."id", "sales"."sold_at" AS "order" FROM "sales" WHERE ("prices"."valid_from" <= "sales"."sold_at" AND "sales"."qty" > :p0) AND "sales"."qty" < :p1 ORDER BY "sales"."sold_at" DESC FETCH NEXT 2 ROWS ONLY) "rows") AS "later" FROM "prices" WHERE "id" < :p2 ORDER BY "id" ASC',
  },
  "nested rows by a condition on what was joined, and on what the query has joined": {
    sqlite:
      'SELECT "sales"."id", "product"."name" AS "product.name", (SELECT json_group_array(json_array("prices"."id")) FROM "prices" JOIN "prices" "made" ON "prices"."productId" = "made"."id" WHERE ("product"."id" = "prices"."productId" AND "made"."amount" > "sales"."qty")) AS "price" FROM "sales" JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE "sales"."qty" < ? ORDER BY "sales"."id" ASC',
    postgres:
      'SELECT "sales"."id", "product"."name" AS "product.name", (SELECT coalesce(json_agg(json_build_array("prices"."id")), \'[]\') FROM "prices" JOIN "prices" "made" ON "prices"."productId" = "made"."id" WHERE ("product"."id" = "prices"."productId" AND "made"."amount" > "sales"."qty")) AS "price" FROM "sales" JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE "sales"."qty" < $1 ORDER BY "sales"."id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `sales`.`id`, `product`.`name` AS `product.name`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`prices`.`id`))) FROM `prices` JOIN `prices` `made` ON `prices`.`productId` = `made`.`id` WHERE (`product`.`id` = `prices`.`productId` AND `made`.`amount` > `sales`.`qty`)) AS `price` FROM `sales` JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` WHERE `sales`.`qty` < ? ORDER BY `sales`.`id` ASC",
    oracle:
      'SELECT "sales"."id", "product"."name" AS "product.name", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("prices"."id" NULL ON NULL RETURNING CLOB) RETURNING CLOB), TO_CLOB(\'[]\')) FROM "prices" JOIN "prices" "made" ON "prices"."productId" = "made"."id" WHERE ("product"."id" = "prices"."productId" AND "made"."amount" > "sales"."qty")) AS "price" FROM "sales" JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE "sales"."qty" < :p0 ORDER BY "sales"."id" ASC',
  },
  "rows of the table itself": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."id", "rows"."qty")) FROM (SELECT "own"."id", "own"."qty" FROM "sales" "own" WHERE ("own"."id" < "sales"."id" AND "own"."product_id" = "sales"."product_id") ORDER BY "own"."id" ASC) "rows") AS "before" FROM "sales" WHERE "product_id" = ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("own"."id", "own"."qty") ORDER BY "own"."id" ASC), \'[]\') FROM "sales" "own" WHERE ("own"."id" < "sales"."id" AND "own"."product_id" = "sales"."product_id")) AS "before" FROM "sales" WHERE "product_id" = $1 ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`own`.`id`, `own`.`qty`) ORDER BY `own`.`id` ASC)) FROM `sales` `own` WHERE (`own`.`id` < `sales`.`id` AND `own`.`product_id` = `sales`.`product_id`)) AS `before` FROM `sales` WHERE `product_id` = ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("own"."id", "own"."qty" NULL ON NULL RETURNING CLOB) ORDER BY "own"."id" ASC RETURNING CLOB), TO_CLOB(\'[]\')) FROM "sales" "own" WHERE ("own"."id" < "sales"."id" AND "own"."product_id" = "sales"."product_id")) AS "before" FROM "sales" WHERE "product_id" = :p0 ORDER BY "id" ASC',
  },
  "EXISTS of a named query by a condition, the parameters of both in their order": {
    sqlite:
      'SELECT "id" FROM "sales" WHERE "qty" > ? AND EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices" WHERE "amount" >= ?) "price" WHERE (("sales"."product_id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23) AND ("price"."valid_to" IS NULL OR substr("sales"."sold_at" || \'.000\', 1, 23) < substr("price"."valid_to" || \'.000\', 1, 23))) AND "price"."id" <> ?)) AND "id" < ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "sales" WHERE "qty" > $1 AND EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices" WHERE "amount" >= $2) "price" WHERE (("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) AND "price"."id" <> $3)) AND "id" < $4 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `sales` WHERE `qty` > ? AND EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `productId`, `valid_from`, `valid_to`, `amount` FROM `prices` WHERE `amount` >= ?) `price` WHERE ((`sales`.`product_id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from` AND (`price`.`valid_to` IS NULL OR `sales`.`sold_at` < `price`.`valid_to`)) AND `price`.`id` <> ?)) AND `id` < ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "sales" WHERE "qty" > :p0 AND EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices" WHERE "amount" >= :p1) "price" WHERE (("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to")) AND "price"."id" <> :p2)) AND "id" < :p3 ORDER BY "id" ASC',
  },
  "NOT EXISTS of a named query by a condition": {
    sqlite:
      'SELECT "id" FROM "sales" WHERE NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE ("sales"."product_id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23) AND ("price"."valid_to" IS NULL OR substr("sales"."sold_at" || \'.000\', 1, 23) < substr("price"."valid_to" || \'.000\', 1, 23)))) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "sales" WHERE NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to"))) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `sales` WHERE NOT EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `productId`, `valid_from`, `valid_to`, `amount` FROM `prices`) `price` WHERE (`sales`.`product_id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from` AND (`price`.`valid_to` IS NULL OR `sales`.`sold_at` < `price`.`valid_to`))) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "sales" WHERE NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE ("sales"."product_id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from" AND ("price"."valid_to" IS NULL OR "sales"."sold_at" < "price"."valid_to"))) ORDER BY "id" ASC',
  },
  "EXISTS of groups, whose columns are those of the query's row": {
    sqlite:
      'SELECT "id" FROM "products" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "product_id", SUM("qty") AS "sold", MAX(substr("sold_at" || \'.000\', 1, 23)) AS "last" FROM "sales" GROUP BY "product_id") "per" WHERE ("products"."id" = "per"."product_id" AND "per"."sold" > ?)) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "products" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "product_id", SUM("qty") AS "sold", MAX("sold_at") AS "last" FROM "sales" GROUP BY "product_id") "per" WHERE ("products"."id" = "per"."product_id" AND "per"."sold" > $1)) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `products` WHERE EXISTS (SELECT 1 AS `one` FROM (SELECT `product_id`, SUM(`qty`) AS `sold`, MAX(`sold_at`) AS `last` FROM `sales` GROUP BY `product_id`) `per` WHERE (`products`.`id` = `per`.`product_id` AND `per`.`sold` > CAST(? AS SIGNED))) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "products" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "product_id", SUM("qty") AS "sold", MAX("sold_at") AS "last" FROM "sales" GROUP BY "product_id") "per" WHERE ("products"."id" = "per"."product_id" AND "per"."sold" > :p0)) ORDER BY "id" ASC',
  },
  "EXISTS of the first rows of a query: the limit holds before the condition": {
    sqlite:
      'SELECT "id" FROM "products" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" ORDER BY "qty" DESC LIMIT 3) "best" WHERE "products"."id" = "best"."product_id") ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "products" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" ORDER BY "qty" DESC LIMIT 3) "best" WHERE "products"."id" = "best"."product_id") ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `products` WHERE EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `product_id`, `tenantId`, `qty`, `sold_at` FROM `sales` ORDER BY `qty` DESC LIMIT 3) `best` WHERE `products`.`id` = `best`.`product_id`) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "products" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" ORDER BY "qty" DESC FETCH NEXT 3 ROWS ONLY) "best" WHERE "products"."id" = "best"."product_id") ORDER BY "id" ASC',
  },
  "existsOn and notExistsOn in a group, and of a scope": {
    sqlite:
      'SELECT "id", "name" FROM "products" WHERE (EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = ?) "sale" WHERE ("sale"."product_id" = "products"."id" AND "sale"."qty" > ?)) OR NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE "price"."productId" = "products"."id") OR "name" = ?) ORDER BY "id" ASC',
    postgres:
      'SELECT "id", "name" FROM "products" WHERE (EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = $1) "sale" WHERE ("sale"."product_id" = "products"."id" AND "sale"."qty" > $2)) OR NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE "price"."productId" = "products"."id") OR "name" = $3) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id`, `name` FROM `products` WHERE (EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `product_id`, `tenantId`, `qty`, `sold_at` FROM `sales` WHERE `tenantId` = ?) `sale` WHERE (`sale`.`product_id` = `products`.`id` AND `sale`.`qty` > ?)) OR NOT EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `productId`, `valid_from`, `valid_to`, `amount` FROM `prices`) `price` WHERE `price`.`productId` = `products`.`id`) OR `name` = ?) ORDER BY `id` ASC",
    oracle:
      'SELECT "id", "name" FROM "products" WHERE (EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = :p0) "sale" WHERE ("sale"."product_id" = "products"."id" AND "sale"."qty" > :p1)) OR NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE "price"."productId" = "products"."id") OR "name" = :p2) ORDER BY "id" ASC',
  },
  "a query of a table with the name of the table around it, by <": {
    sqlite:
      'SELECT "id" FROM "sales" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales") "later" WHERE ("sales"."id" < "later"."id" AND "sales"."qty" < "later"."qty")) AND NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "qty" > ?) "more" WHERE "more"."id" < "sales"."id") ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "sales" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales") "later" WHERE ("sales"."id" < "later"."id" AND "sales"."qty" < "later"."qty")) AND NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "qty" > $1) "more" WHERE "more"."id" < "sales"."id") ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `sales` WHERE EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `product_id`, `tenantId`, `qty`, `sold_at` FROM `sales`) `later` WHERE (`sales`.`id` < `later`.`id` AND `sales`.`qty` < `later`.`qty`)) AND NOT EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `product_id`, `tenantId`, `qty`, `sold_at` FROM `sales` WHERE `qty` > ?) `more` WHERE `more`.`id` < `sales`.`id`) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "sales" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales") "later" WHERE ("sales"."id" < "later"."id" AND "sales"."qty" < "later"."qty")) AND NOT EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "qty" > :p0) "more" WHERE "more"."id" < "sales"."id") ORDER BY "id" ASC',
  },
  "beside groups of what was joined": {
    sqlite:
      'SELECT "product"."name" AS "product.name", COUNT(*) AS "n" FROM "sales" JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE ("product"."id" = "price"."productId" AND substr("sales"."sold_at" || \'.000\', 1, 23) >= substr("price"."valid_from" || \'.000\', 1, 23))) GROUP BY "product"."name" ORDER BY "product"."name" ASC',
    postgres:
      'SELECT "product"."name" AS "product.name", COUNT(*) AS "n" FROM "sales" JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE ("product"."id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from")) GROUP BY "product"."name" ORDER BY "product"."name" ASC',
    mariadb:
      "SELECT `product`.`name` AS `product.name`, COUNT(*) AS `n` FROM `sales` JOIN `products` `product` ON `sales`.`product_id` = `product`.`id` WHERE EXISTS (SELECT 1 AS `one` FROM (SELECT `id`, `productId`, `valid_from`, `valid_to`, `amount` FROM `prices`) `price` WHERE (`product`.`id` = `price`.`productId` AND `sales`.`sold_at` >= `price`.`valid_from`)) GROUP BY `product`.`name` ORDER BY `product`.`name` ASC",
    oracle:
      'SELECT "product"."name" AS "product.name", COUNT(*) AS "n" FROM "sales" JOIN "products" "product" ON "sales"."product_id" = "product"."id" WHERE EXISTS (SELECT 1 AS "one" FROM (SELECT "id", "productId", "valid_from", "valid_to", "amount" FROM "prices") "price" WHERE ("product"."id" = "price"."productId" AND "sales"."sold_at" >= "price"."valid_from")) GROUP BY "product"."name" ORDER BY "product"."name" ASC',
  },
};
