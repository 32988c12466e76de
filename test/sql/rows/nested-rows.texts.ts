/** The texts of the cases of rows inside of rows. */
export const texts: Readonly<
  Record<
    string,
    { readonly sqlite: string; readonly postgres: string; readonly mariadb: string; readonly oracle: string }
  >
> = {
  "a list of the rows of a relation, in an order of its own; empty where there are none": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."sku", "rows"."qty")) FROM (SELECT "lines"."sku", "lines"."qty" FROM "lines" WHERE "lines"."orderId" = "orders"."id" AND "lines"."qty" > ? ORDER BY "lines"."id" DESC) "rows") AS "lines" FROM "orders" WHERE "id" < ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("lines"."sku", "lines"."qty") ORDER BY "lines"."id" DESC), \'[]\') FROM "lines" WHERE "lines"."orderId" = "orders"."id" AND "lines"."qty" > $1) AS "lines" FROM "orders" WHERE "id" < $2 ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`lines`.`sku`, `lines`.`qty`) ORDER BY `lines`.`id` DESC)) FROM `lines` WHERE `lines`.`orderId` = `orders`.`id` AND `lines`.`qty` > ?) AS `lines` FROM `orders` WHERE `id` < ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("lines"."sku", "lines"."qty" NULL ON NULL RETURNING CLOB) ORDER BY "lines"."id" DESC RETURNING CLOB), TO_CLOB(\'[]\')) FROM "lines" WHERE "lines"."orderId" = "orders"."id" AND "lines"."qty" > :p0) AS "lines" FROM "orders" WHERE "id" < :p1 ORDER BY "id" ASC',
  },
  "a row of a reference, or null where it is null": {
    sqlite:
      'SELECT "id", (SELECT json_array("customers"."name", "customers"."since_at") FROM "customers" WHERE "customers"."id" = "orders"."customer_id") AS "customer" FROM "orders" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT json_build_array("customers"."name", CAST("customers"."since_at" AS text)) FROM "customers" WHERE "customers"."id" = "orders"."customer_id") AS "customer" FROM "orders" ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT COALESCE(JSON_ARRAY(`customers`.`name`, CAST(`customers`.`since_at` AS CHAR)), JSON_ARRAY()) FROM `customers` WHERE `customers`.`id` = `orders`.`customer_id`) AS `customer` FROM `orders` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT JSON_ARRAY("customers"."name", TO_CHAR(SYS_EXTRACT_UTC("customers"."since_at"), \'YYYY-MM-DD HH24:MI:SS.FF3\') NULL ON NULL RETURNING CLOB) FROM "customers" WHERE "customers"."id" = "orders"."customer_id") AS "customer" FROM "orders" ORDER BY "id" ASC',
  },
  "the best of each list: an order and a limit of its own": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."sku")) FROM (SELECT "lines"."sku" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."qty" DESC LIMIT 1) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC LIMIT 2',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("rows"."sku")), \'[]\') FROM (SELECT "lines"."sku" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."qty" DESC LIMIT 1) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC LIMIT 2',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`lines`.`sku`) ORDER BY `lines`.`qty` DESC LIMIT 1)) FROM `lines` WHERE `lines`.`orderId` = `orders`.`id`) AS `lines` FROM `orders` ORDER BY `id` ASC LIMIT 2",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("rows"."sku" NULL ON NULL RETURNING CLOB) ORDER BY "rows"."order" DESC RETURNING CLOB), TO_CLOB(\'[]\')) FROM (SELECT "lines"."sku", "lines"."qty" AS "order" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."qty" DESC FETCH NEXT 1 ROWS ONLY) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC FETCH NEXT 2 ROWS ONLY',
  },
  "a limit that is a parameter, and an offset": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."sku")) FROM (SELECT "lines"."sku" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."id" ASC LIMIT ? OFFSET 1) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("rows"."sku")), \'[]\') FROM (SELECT "lines"."sku" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."id" ASC LIMIT $1 OFFSET 1) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`rows`.`sku`) ORDER BY `rows`.`number`)) FROM (SELECT `rows`.*, ROW_NUMBER() OVER (PARTITION BY `rows`.`key` ORDER BY `rows`.`order` ASC) AS `number` FROM (SELECT `lines`.`sku`, `lines`.`orderId` AS `key`, `lines`.`id` AS `order` FROM `lines`) `rows`) `rows` WHERE `rows`.`key` = `orders`.`id` AND `rows`.`number` > 1 AND `rows`.`number` - 1 <= ?) AS `lines` FROM `orders` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("rows"."sku" NULL ON NULL RETURNING CLOB) ORDER BY "rows"."order" ASC RETURNING CLOB), TO_CLOB(\'[]\')) FROM (SELECT "lines"."sku", "lines"."id" AS "order" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."id" ASC OFFSET 1 ROWS FETCH NEXT :p0 ROWS ONLY) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC',
  },
  "values of every kind as they would be by themselves": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array(CAST("orders"."total" AS TEXT), "orders"."note", "orders"."placed_at")) FROM "orders" WHERE "orders"."customer_id" = "customers"."id") AS "orders" FROM "customers" WHERE "id" < ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array(CAST("orders"."total" AS text), "orders"."note", CAST("orders"."placed_at" AS text))), \'[]\') FROM "orders" WHERE "orders"."customer_id" = "customers"."id") AS "orders" FROM "customers" WHERE "id" < $1 ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(CAST(`orders`.`total` AS CHAR), `orders`.`note`, CAST(`orders`.`placed_at` AS CHAR)))) FROM `orders` WHERE `orders`.`customer_id` = `customers`.`id`) AS `orders` FROM `customers` WHERE `id` < ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY(TO_CHAR("orders"."total", \'TM9\', \'NLS_NUMERIC_CHARACTERS=\'\'.,\'\'\'), "orders"."note", TO_CHAR(SYS_EXTRACT_UTC("orders"."placed_at"), \'YYYY-MM-DD HH24:MI:SS.FF3\') NULL ON NULL RETURNING CLOB) RETURNING CLOB), TO_CLOB(\'[]\')) FROM "orders" WHERE "orders"."customer_id" = "customers"."id") AS "orders" FROM "customers" WHERE "id" < :p0 ORDER BY "id" ASC',
  },
  "rows in rows in rows: a table inside itself": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."qty", json("rows"."order"))) FROM (SELECT "lines"."qty", (SELECT json_array("own"."id") FROM "orders" "own" WHERE "own"."id" = "lines"."orderId") AS "order" FROM "lines" WHERE "lines"."orderId" = "orders"."id" ORDER BY "lines"."id" ASC) "rows") AS "lines" FROM "orders" ORDER BY "id" ASC LIMIT 1',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("lines"."qty", (SELECT json_build_array("own"."id") FROM "orders" "own" WHERE "own"."id" = "lines"."orderId")) ORDER BY "lines"."id" ASC), \'[]\') FROM "lines" WHERE "lines"."orderId" = "orders"."id") AS "lines" FROM "orders" ORDER BY "id" ASC LIMIT 1',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`lines`.`qty`, (SELECT COALESCE(JSON_ARRAY(`own`.`id`), JSON_ARRAY()) FROM `orders` `own` WHERE `own`.`id` = `lines`.`orderId`)) ORDER BY `lines`.`id` ASC)) FROM `lines` WHERE `lines`.`orderId` = `orders`.`id`) AS `lines` FROM `orders` ORDER BY `id` ASC LIMIT 1",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("lines"."qty", (SELECT JSON_ARRAY("own"."id" NULL ON NULL RETURNING CLOB) FROM "orders" "own" WHERE "own"."id" = "lines"."orderId") FORMAT JSON NULL ON NULL RETURNING CLOB) ORDER BY "lines"."id" ASC RETURNING CLOB), TO_CLOB(\'[]\')) FROM "lines" WHERE "lines"."orderId" = "orders"."id") AS "lines" FROM "orders" ORDER BY "id" ASC FETCH NEXT 1 ROWS ONLY',
  },
  "joined tables inside, and expressions; a table inside itself": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array(("rows"."big" || \'\'), "rows"."order.id", "rows"."customer.*", "rows"."customer.nick")) FROM (SELECT upper("lines"."sku") AS "big", "order"."id" AS "order.id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" WHERE "lines"."orderId" = "orders"."id" ORDER BY "customer"."nick" ASC NULLS LAST, "lines"."id" ASC) "rows") AS "lines" FROM "orders" WHERE "id" < ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array(CAST(upper("lines"."sku" COLLATE "und-x-icu") COLLATE "C" AS text), "order"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END, "customer"."nick") ORDER BY "customer"."nick" ASC, "lines"."id" ASC), \'[]\') FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" WHERE "lines"."orderId" = "orders"."id") AS "lines" FROM "orders" WHERE "id" < $1 ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(CONCAT(UPPER(CONVERT(`lines`.`sku` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin), `order`.`id`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END, `customer`.`nick`) ORDER BY `customer`.`nick` IS NULL, `customer`.`nick` ASC, `lines`.`id` ASC)) FROM `lines` JOIN `orders` `order` ON `lines`.`orderId` = `order`.`id` LEFT JOIN `customers` `customer` ON `order`.`customer_id` = `customer`.`id` WHERE `lines`.`orderId` = `orders`.`id`) AS `lines` FROM `orders` WHERE `id` < ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY(UPPER("lines"."sku"), "order"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END, "customer"."nick" NULL ON NULL RETURNING CLOB) ORDER BY "customer"."nick" ASC, "lines"."id" ASC RETURNING CLOB), TO_CLOB(\'[]\')) FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" WHERE "lines"."orderId" = "orders"."id") AS "lines" FROM "orders" WHERE "id" < :p0 ORDER BY "id" ASC',
  },
  "groups inside, and an order by what they are called": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."sku", "rows"."n")) FROM (SELECT "lines"."sku", COUNT(*) AS "n" FROM "lines" WHERE "lines"."orderId" = "orders"."id" GROUP BY "lines"."sku" ORDER BY "n" DESC, "lines"."sku" DESC) "rows") AS "lines" FROM "orders" WHERE "id" < ? ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("rows"."sku", "rows"."n")), \'[]\') FROM (SELECT "lines"."sku", COUNT(*) AS "n" FROM "lines" WHERE "lines"."orderId" = "orders"."id" GROUP BY "lines"."sku" ORDER BY "n" DESC, "lines"."sku" DESC) "rows") AS "lines" FROM "orders" WHERE "id" < $1 ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`rows`.`sku`, `rows`.`n`) ORDER BY `rows`.`n` DESC, `rows`.`sku` DESC)) FROM (SELECT `lines`.`sku`, COUNT(*) AS `n`, `lines`.`orderId` AS `key` FROM `lines` GROUP BY `lines`.`sku`, `lines`.`orderId`) `rows` WHERE `rows`.`key` = `orders`.`id`) AS `lines` FROM `orders` WHERE `id` < ? ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("rows"."sku", "rows"."n" NULL ON NULL RETURNING CLOB) ORDER BY "rows"."n" DESC, "rows"."sku" DESC RETURNING CLOB), TO_CLOB(\'[]\')) FROM (SELECT "lines"."sku", COUNT(*) AS "n" FROM "lines" WHERE "lines"."orderId" = "orders"."id" GROUP BY "lines"."sku" ORDER BY "n" DESC, "lines"."sku" DESC) "rows") AS "lines" FROM "orders" WHERE "id" < :p0 ORDER BY "id" ASC',
  },
  "an aggregate inside: a list of one row, whatever there is": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."n")) FROM (SELECT COUNT(*) AS "n" FROM "lines" WHERE "lines"."orderId" = "orders"."id") "rows") AS "lines" FROM "orders" ORDER BY "id" ASC',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array("rows"."n")), \'[]\') FROM (SELECT COUNT(*) AS "n" FROM "lines" WHERE "lines"."orderId" = "orders"."id") "rows") AS "lines" FROM "orders" ORDER BY "id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(1, JSON_ARRAY(JSON_ARRAY(COUNT(*)))) FROM `lines` WHERE `lines`.`orderId` = `orders`.`id`) AS `lines` FROM `orders` ORDER BY `id` ASC",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("rows"."n" NULL ON NULL RETURNING CLOB) RETURNING CLOB), TO_CLOB(\'[]\')) FROM (SELECT COUNT(*) AS "n" FROM "lines" WHERE "lines"."orderId" = "orders"."id") "rows") AS "lines" FROM "orders" ORDER BY "id" ASC',
  },
  "rows by two fields: of a table without a key, and with conditions beside joins around": {
    sqlite:
      'SELECT "orders"."id", "buyer"."name" AS "buyer.name", (SELECT json_group_array(json_array("payments"."amount", "payments"."method")) FROM "payments" WHERE "payments"."orderId" = "orders"."id") AS "paid" FROM "orders" JOIN "customers" "buyer" ON "orders"."customer_id" = "buyer"."id" WHERE ("buyer"."name" = ? OR "buyer"."name" = ?) ORDER BY "orders"."id" ASC',
    postgres:
      'SELECT "orders"."id", "buyer"."name" AS "buyer.name", (SELECT coalesce(json_agg(json_build_array("payments"."amount", "payments"."method")), \'[]\') FROM "payments" WHERE "payments"."orderId" = "orders"."id") AS "paid" FROM "orders" JOIN "customers" "buyer" ON "orders"."customer_id" = "buyer"."id" WHERE ("buyer"."name" = $1 OR "buyer"."name" = $2) ORDER BY "orders"."id" ASC',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `orders`.`id`, `buyer`.`name` AS `buyer.name`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(`payments`.`amount`, `payments`.`method`))) FROM `payments` WHERE `payments`.`orderId` = `orders`.`id`) AS `paid` FROM `orders` JOIN `customers` `buyer` ON `orders`.`customer_id` = `buyer`.`id` WHERE (`buyer`.`name` = ? OR `buyer`.`name` = ?) ORDER BY `orders`.`id` ASC",
    oracle:
      'SELECT "orders"."id", "buyer"."name" AS "buyer.name", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY("payments"."amount", "payments"."method" NULL ON NULL RETURNING CLOB) RETURNING CLOB), TO_CLOB(\'[]\')) FROM "payments" WHERE "payments"."orderId" = "orders"."id") AS "paid" FROM "orders" JOIN "customers" "buyer" ON "orders"."customer_id" = "buyer"."id" WHERE ("buyer"."name" = :p0 OR "buyer"."name" = :p1) ORDER BY "orders"."id" ASC',
  },
  "all columns on both sides; a reference with a condition is null where it is not met": {
    sqlite:
      'SELECT "id", "orderId", "sku", "qty", (SELECT json_array("orders"."id", "orders"."customer_id", CAST("orders"."total" AS TEXT), "orders"."note", "orders"."placed_at") FROM "orders" WHERE "orders"."id" = "lines"."orderId" AND "orders"."note" = ?) AS "order" FROM "lines" ORDER BY "id" ASC LIMIT 2 OFFSET 1',
    postgres:
      'SELECT "id", "orderId", "sku", "qty", (SELECT json_build_array("orders"."id", "orders"."customer_id", CAST("orders"."total" AS text), "orders"."note", CAST("orders"."placed_at" AS text)) FROM "orders" WHERE "orders"."id" = "lines"."orderId" AND "orders"."note" = $1) AS "order" FROM "lines" ORDER BY "id" ASC LIMIT 2 OFFSET 1',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, `orderId`, `sku`, `qty`, (SELECT COALESCE(JSON_ARRAY(`orders`.`id`, `orders`.`customer_id`, CAST(`orders`.`total` AS CHAR), `orders`.`note`, CAST(`orders`.`placed_at` AS CHAR)), JSON_ARRAY()) FROM `orders` WHERE `orders`.`id` = `lines`.`orderId` AND `orders`.`note` = ?) AS `order` FROM `lines` ORDER BY `id` ASC LIMIT 2 OFFSET 1",
    oracle:
      'SELECT "id", "orderId", "sku", "qty", (SELECT JSON_ARRAY("orders"."id", "orders"."customer_id", TO_CHAR("orders"."total", \'TM9\', \'NLS_NUMERIC_CHARACTERS=\'\'.,\'\'\'), "orders"."note", TO_CHAR(SYS_EXTRACT_UTC("orders"."placed_at"), \'YYYY-MM-DD HH24:MI:SS.FF3\') NULL ON NULL RETURNING CLOB) FROM "orders" WHERE "orders"."id" = "lines"."orderId" AND "orders"."note" = :p0) AS "order" FROM "lines" ORDER BY "id" ASC OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY',
  },
  "DISTINCT inside": {
    sqlite:
      'SELECT "id", (SELECT json_group_array(json_array("rows"."placed_at")) FROM (SELECT DISTINCT substr("orders"."placed_at" || \'.000\', 1, 23) AS "placed_at" FROM "orders" WHERE "orders"."customer_id" = "customers"."id" ORDER BY substr("orders"."placed_at" || \'.000\', 1, 23) ASC) "rows") AS "orders" FROM "customers" ORDER BY "id" ASC LIMIT 1',
    postgres:
      'SELECT "id", (SELECT coalesce(json_agg(json_build_array(CAST("rows"."placed_at" AS text))), \'[]\') FROM (SELECT DISTINCT "orders"."placed_at" FROM "orders" WHERE "orders"."customer_id" = "customers"."id" ORDER BY "orders"."placed_at" ASC) "rows") AS "orders" FROM "customers" ORDER BY "id" ASC LIMIT 1',
    mariadb:
      "SET STATEMENT group_concat_max_len = 1073741824 FOR SELECT `id`, (SELECT JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(JSON_ARRAY(CAST(`rows`.`placed_at` AS CHAR)) ORDER BY `rows`.`placed_at` ASC)) FROM (SELECT DISTINCT `orders`.`placed_at`, `orders`.`customer_id` AS `key` FROM `orders`) `rows` WHERE `rows`.`key` = `customers`.`id`) AS `orders` FROM `customers` ORDER BY `id` ASC LIMIT 1",
    oracle:
      'SELECT "id", (SELECT COALESCE(JSON_ARRAYAGG(JSON_ARRAY(TO_CHAR(SYS_EXTRACT_UTC("rows"."placed_at"), \'YYYY-MM-DD HH24:MI:SS.FF3\') NULL ON NULL RETURNING CLOB) ORDER BY "rows"."placed_at" ASC RETURNING CLOB), TO_CLOB(\'[]\')) FROM (SELECT DISTINCT "orders"."placed_at" FROM "orders" WHERE "orders"."customer_id" = "customers"."id" ORDER BY "orders"."placed_at" ASC) "rows") AS "orders" FROM "customers" ORDER BY "id" ASC FETCH NEXT 1 ROWS ONLY',
  },
};
