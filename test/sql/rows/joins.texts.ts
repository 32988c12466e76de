/** The texts of the cases of joins. */
export const texts: Readonly<
  Record<
    string,
    { readonly sqlite: string; readonly postgres: string; readonly mariadb: string; readonly oracle: string }
  >
> = {
  "a left join: the part is null as a whole, or an object whose field may be null": {
    sqlite:
      'SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" ORDER BY "orders"."id" ASC',
    postgres:
      'SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" ORDER BY "orders"."id" ASC',
    mariadb:
      "SELECT `orders`.`id`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`nick` AS `customer.nick` FROM `orders` LEFT JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` ORDER BY `orders`.`id` ASC",
    oracle:
      'SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" ORDER BY "orders"."id" ASC',
  },
  "a join: rows without a related row are left out, and conditions and orders name its fields": {
    sqlite:
      'SELECT "orders"."id", "orders"."total", "customer"."name" AS "customer.name", CASE WHEN "country"."id" IS NULL THEN 0 ELSE 1 END AS "country.*", "country"."name" AS "country.name" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" LEFT JOIN "countries" "country" ON "customer"."country_id" = "country"."id" WHERE "customer"."name" <> ? AND ("country"."name" = ? OR "country"."id" IS NULL) ORDER BY "customer"."name" DESC',
    postgres:
      'SELECT "orders"."id", "orders"."total", "customer"."name" AS "customer.name", CASE WHEN "country"."id" IS NULL THEN 0 ELSE 1 END AS "country.*", "country"."name" AS "country.name" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" LEFT JOIN "countries" "country" ON "customer"."country_id" = "country"."id" WHERE "customer"."name" <> $1 AND ("country"."name" = $2 OR "country"."id" IS NULL) ORDER BY "customer"."name" DESC',
    mariadb:
      "SELECT `orders`.`id`, `orders`.`total`, `customer`.`name` AS `customer.name`, CASE WHEN `country`.`id` IS NULL THEN 0 ELSE 1 END AS `country.*`, `country`.`name` AS `country.name` FROM `orders` JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` LEFT JOIN `countries` `country` ON `customer`.`country_id` = `country`.`id` WHERE `customer`.`name` <> ? AND (`country`.`name` = ? OR `country`.`id` IS NULL) ORDER BY `customer`.`name` DESC",
    oracle:
      'SELECT "orders"."id", "orders"."total", "customer"."name" AS "customer.name", CASE WHEN "country"."id" IS NULL THEN 0 ELSE 1 END AS "country.*", "country"."name" AS "country.name" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" LEFT JOIN "countries" "country" ON "customer"."country_id" = "country"."id" WHERE "customer"."name" <> :p0 AND ("country"."name" = :p1 OR "country"."id" IS NULL) ORDER BY "customer"."name" DESC',
  },
  "all fields of a joined table and of the own one: dates, names of columns, ids that meet": {
    sqlite:
      'SELECT CASE WHEN "buyer"."id" IS NULL THEN 0 ELSE 1 END AS "buyer.*", "buyer"."id" AS "buyer.id", "buyer"."name" AS "buyer.name", "buyer"."nick" AS "buyer.nick", "buyer"."since_at" AS "buyer.since", "buyer"."country_id" AS "buyer.countryId", "buyer"."bossId" AS "buyer.bossId", "orders"."id", "orders"."customer_id", "orders"."total", "orders"."note", "orders"."placed_at" FROM "orders" LEFT JOIN "customers" "buyer" ON "orders"."customer_id" = "buyer"."id" ORDER BY "orders"."id" ASC LIMIT 3',
    postgres:
      'SELECT CASE WHEN "buyer"."id" IS NULL THEN 0 ELSE 1 END AS "buyer.*", "buyer"."id" AS "buyer.id", "buyer"."name" AS "buyer.name", "buyer"."nick" AS "buyer.nick", "buyer"."since_at" AS "buyer.since", "buyer"."country_id" AS "buyer.countryId", "buyer"."bossId" AS "buyer.bossId", "orders"."id", "orders"."customer_id", "orders"."total", "orders"."note", "orders"."placed_at" FROM "orders" LEFT JOIN "customers" "buyer" ON "orders"."customer_id" = "buyer"."id" ORDER BY "orders"."id" ASC LIMIT 3',
    mariadb:
      "SELECT CASE WHEN `buyer`.`id` IS NULL THEN 0 ELSE 1 END AS `buyer.*`, `buyer`.`id` AS `buyer.id`, `buyer`.`name` AS `buyer.name`, `buyer`.`nick` AS `buyer.nick`, `buyer`.`since_at` AS `buyer.since`, `buyer`.`country_id` AS `buyer.countryId`, `buyer`.`bossId` AS `buyer.bossId`, `orders`.`id`, `orders`.`customer_id`, `orders`.`total`, `orders`.`note`, `orders`.`placed_at` FROM `orders` LEFT JOIN `customers` `buyer` ON `orders`.`customer_id` = `buyer`.`id` ORDER BY `orders`.`id` ASC LIMIT 3",
    oracle:
      'SELECT CASE WHEN "buyer"."id" IS NULL THEN 0 ELSE 1 END AS "buyer.*", "buyer"."id" AS "buyer.id", "buyer"."name" AS "buyer.name", "buyer"."nick" AS "buyer.nick", "buyer"."since_at" AS "buyer.since", "buyer"."country_id" AS "buyer.countryId", "buyer"."bossId" AS "buyer.bossId", "orders"."id", "orders"."customer_id", "orders"."total", "orders"."note", "orders"."placed_at" FROM "orders" LEFT JOIN "customers" "buyer" ON "orders"."customer_id" = "buyer"."id" ORDER BY "orders"."id" ASC FETCH NEXT 3 ROWS ONLY',
  },
  "without fields the row is that of the own table": {
    sqlite:
      'SELECT "lines"."id", "lines"."orderId", "lines"."sku", "lines"."qty" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" WHERE "order"."note" = ? ORDER BY "lines"."id" ASC',
    postgres:
      'SELECT "lines"."id", "lines"."orderId", "lines"."sku", "lines"."qty" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" WHERE "order"."note" = $1 ORDER BY "lines"."id" ASC',
    mariadb:
      "SELECT `lines`.`id`, `lines`.`orderId`, `lines`.`sku`, `lines`.`qty` FROM `lines` JOIN `orders` `order` ON `lines`.`orderId` = `order`.`id` WHERE `order`.`note` = ? ORDER BY `lines`.`id` ASC",
    oracle:
      'SELECT "lines"."id", "lines"."orderId", "lines"."sku", "lines"."qty" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" WHERE "order"."note" = :p0 ORDER BY "lines"."id" ASC',
  },
  "a table joined to itself, by its relation and by fields": {
    sqlite:
      'SELECT "customers"."name", CASE WHEN "boss"."id" IS NULL THEN 0 ELSE 1 END AS "boss.*", "boss"."name" AS "boss.name", CASE WHEN "peer"."bossId" IS NULL THEN 0 ELSE 1 END AS "peer.*", "peer"."name" AS "peer.name" FROM "customers" LEFT JOIN "customers" "boss" ON "customers"."bossId" = "boss"."id" LEFT JOIN "customers" "peer" ON "customers"."bossId" = "peer"."bossId" ORDER BY "customers"."id" ASC, "peer"."id" ASC NULLS LAST',
    postgres:
      'SELECT "customers"."name", CASE WHEN "boss"."id" IS NULL THEN 0 ELSE 1 END AS "boss.*", "boss"."name" AS "boss.name", CASE WHEN "peer"."bossId" IS NULL THEN 0 ELSE 1 END AS "peer.*", "peer"."name" AS "peer.name" FROM "customers" LEFT JOIN "customers" "boss" ON "customers"."bossId" = "boss"."id" LEFT JOIN "customers" "peer" ON "customers"."bossId" = "peer"."bossId" ORDER BY "customers"."id" ASC, "peer"."id" ASC',
    mariadb:
      "SELECT `customers`.`name`, CASE WHEN `boss`.`id` IS NULL THEN 0 ELSE 1 END AS `boss.*`, `boss`.`name` AS `boss.name`, CASE WHEN `peer`.`bossId` IS NULL THEN 0 ELSE 1 END AS `peer.*`, `peer`.`name` AS `peer.name` FROM `customers` LEFT JOIN `customers` `boss` ON `customers`.`bossId` = `boss`.`id` LEFT JOIN `customers` `peer` ON `customers`.`bossId` = `peer`.`bossId` ORDER BY `customers`.`id` ASC, `peer`.`id` IS NULL, `peer`.`id` ASC",
    oracle:
      'SELECT "customers"."name", CASE WHEN "boss"."id" IS NULL THEN 0 ELSE 1 END AS "boss.*", "boss"."name" AS "boss.name", CASE WHEN "peer"."bossId" IS NULL THEN 0 ELSE 1 END AS "peer.*", "peer"."name" AS "peer.name" FROM "customers" LEFT JOIN "customers" "boss" ON "customers"."bossId" = "boss"."id" LEFT JOIN "customers" "peer" ON "customers"."bossId" = "peer"."bossId" ORDER BY "customers"."id" ASC, "peer"."id" ASC',
  },
  "a joined table with the name of the own one": {
    sqlite:
      'SELECT "own"."id", "orders"."total" AS "orders.total" FROM "orders" "own" JOIN "orders" "orders" ON "own"."id" = "orders"."id" WHERE "own"."id" = ?',
    postgres:
      'SELECT "own"."id", "orders"."total" AS "orders.total" FROM "orders" "own" JOIN "orders" "orders" ON "own"."id" = "orders"."id" WHERE "own"."id" = $1',
    mariadb:
      "SELECT `own`.`id`, `orders`.`total` AS `orders.total` FROM `orders` `own` JOIN `orders` `orders` ON `own`.`id` = `orders`.`id` WHERE `own`.`id` = ?",
    oracle:
      'SELECT "own"."id", "orders"."total" AS "orders.total" FROM "orders" "own" JOIN "orders" "orders" ON "own"."id" = "orders"."id" WHERE "own"."id" = :p0',
  },
  "a table without a key: a row of nulls is there, and none is not": {
    sqlite:
      'SELECT "orders"."id", CASE WHEN "payment"."orderId" IS NULL THEN 0 ELSE 1 END AS "payment.*", "payment"."amount" AS "payment.amount", "payment"."method" AS "payment.method" FROM "orders" LEFT JOIN "payments" "payment" ON "orders"."id" = "payment"."orderId" ORDER BY "orders"."id" ASC LIMIT 3',
    postgres:
      'SELECT "orders"."id", CASE WHEN "payment"."orderId" IS NULL THEN 0 ELSE 1 END AS "payment.*", "payment"."amount" AS "payment.amount", "payment"."method" AS "payment.method" FROM "orders" LEFT JOIN "payments" "payment" ON "orders"."id" = "payment"."orderId" ORDER BY "orders"."id" ASC LIMIT 3',
    mariadb:
      "SELECT `orders`.`id`, CASE WHEN `payment`.`orderId` IS NULL THEN 0 ELSE 1 END AS `payment.*`, `payment`.`amount` AS `payment.amount`, `payment`.`method` AS `payment.method` FROM `orders` LEFT JOIN `payments` `payment` ON `orders`.`id` = `payment`.`orderId` ORDER BY `orders`.`id` ASC LIMIT 3",
    oracle:
      'SELECT "orders"."id", CASE WHEN "payment"."orderId" IS NULL THEN 0 ELSE 1 END AS "payment.*", "payment"."amount" AS "payment.amount", "payment"."method" AS "payment.method" FROM "orders" LEFT JOIN "payments" "payment" ON "orders"."id" = "payment"."orderId" ORDER BY "orders"."id" ASC FETCH NEXT 3 ROWS ONLY',
  },
  "five joins": {
    sqlite:
      'SELECT "lines"."sku", "order"."note" AS "order.note", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", CASE WHEN "country"."id" IS NULL THEN 0 ELSE 1 END AS "country.*", "country"."name" AS "country.name", CASE WHEN "boss"."id" IS NULL THEN 0 ELSE 1 END AS "boss.*", "boss"."name" AS "boss.name", CASE WHEN "home"."id" IS NULL THEN 0 ELSE 1 END AS "home.*", "home"."name" AS "home.name" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" LEFT JOIN "countries" "country" ON "customer"."country_id" = "country"."id" LEFT JOIN "customers" "boss" ON "customer"."bossId" = "boss"."id" LEFT JOIN "countries" "home" ON "boss"."country_id" = "home"."id" ORDER BY "lines"."id" ASC',
    postgres:
      'SELECT "lines"."sku", "order"."note" AS "order.note", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", CASE WHEN "country"."id" IS NULL THEN 0 ELSE 1 END AS "country.*", "country"."name" AS "country.name", CASE WHEN "boss"."id" IS NULL THEN 0 ELSE 1 END AS "boss.*", "boss"."name" AS "boss.name", CASE WHEN "home"."id" IS NULL THEN 0 ELSE 1 END AS "home.*", "home"."name" AS "home.name" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" LEFT JOIN "countries" "country" ON "customer"."country_id" = "country"."id" LEFT JOIN "customers" "boss" ON "customer"."bossId" = "boss"."id" LEFT JOIN "countries" "home" ON "boss"."country_id" = "home"."id" ORDER BY "lines"."id" ASC',
    mariadb:
      "SELECT `lines`.`sku`, `order`.`note` AS `order.note`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`name` AS `customer.name`, CASE WHEN `country`.`id` IS NULL THEN 0 ELSE 1 END AS `country.*`, `country`.`name` AS `country.name`, CASE WHEN `boss`.`id` IS NULL THEN 0 ELSE 1 END AS `boss.*`, `boss`.`name` AS `boss.name`, CASE WHEN `home`.`id` IS NULL THEN 0 ELSE 1 END AS `home.*`, `home`.`name` AS `home.name` FROM `lines` JOIN `orders` `order` ON `lines`.`orderId` = `order`.`id` LEFT JOIN `customers` `customer` ON `order`.`customer_id` = `customer`.`id` LEFT JOIN `countries` `country` ON `customer`.`country_id` = `country`.`id` LEFT JOIN `customers` `boss` ON `customer`.`bossId` = `boss`.`id` LEFT JOIN `countries` `home` ON `boss`.`country_id` = `home`.`id` ORDER BY `lines`.`id` ASC",
    oracle:
      'SELECT "lines"."sku", "order"."note" AS "order.note", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", CASE WHEN "country"."id" IS NULL THEN 0 ELSE 1 END AS "country.*", "country"."name" AS "country.name", CASE WHEN "boss"."id" IS NULL THEN 0 ELSE 1 END AS "boss.*", "boss"."name" AS "boss.name", CASE WHEN "home"."id" IS NULL THEN 0 ELSE 1 END AS "home.*", "home"."name" AS "home.name" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" LEFT JOIN "countries" "country" ON "customer"."country_id" = "country"."id" LEFT JOIN "customers" "boss" ON "customer"."bossId" = "boss"."id" LEFT JOIN "countries" "home" ON "boss"."country_id" = "home"."id" ORDER BY "lines"."id" ASC',
  },
  "groups: a part that is absent and one whose field is null are two": {
    sqlite:
      'SELECT CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick", COUNT(*) AS "n", MAX("orders"."id") AS "last" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" GROUP BY "customer"."nick", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END ORDER BY "last" ASC NULLS LAST',
    postgres:
      'SELECT CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick", COUNT(*) AS "n", MAX("orders"."id") AS "last" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" GROUP BY "customer"."nick", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END ORDER BY "last" ASC',
    mariadb:
      "SELECT CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`nick` AS `customer.nick`, COUNT(*) AS `n`, MAX(`orders`.`id`) AS `last` FROM `orders` LEFT JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` GROUP BY `customer`.`nick`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END ORDER BY MAX(`orders`.`id`) IS NULL, MAX(`orders`.`id`) ASC",
    oracle:
      'SELECT CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."nick" AS "customer.nick", COUNT(*) AS "n", MAX("orders"."id") AS "last" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" GROUP BY "customer"."nick", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END ORDER BY "last" ASC',
  },
  "groups over a many: aggregates of its fields, and filters on them": {
    sqlite:
      'SELECT "orders"."id", SUM("lines"."qty") AS "units", COUNT("lines"."id") AS "n" FROM "orders" JOIN "lines" "lines" ON "orders"."id" = "lines"."orderId" GROUP BY "orders"."id" HAVING SUM("lines"."qty") > ? AND MAX("lines"."qty") <= ? ORDER BY "orders"."id" ASC',
    postgres:
      'SELECT "orders"."id", SUM("lines"."qty") AS "units", COUNT("lines"."id") AS "n" FROM "orders" JOIN "lines" "lines" ON "orders"."id" = "lines"."orderId" GROUP BY "orders"."id" HAVING SUM("lines"."qty") > $1 AND MAX("lines"."qty") <= $2 ORDER BY "orders"."id" ASC',
    mariadb:
      "SELECT `orders`.`id`, SUM(`lines`.`qty`) AS `units`, COUNT(`lines`.`id`) AS `n` FROM `orders` JOIN `lines` `lines` ON `orders`.`id` = `lines`.`orderId` GROUP BY `orders`.`id` HAVING SUM(`lines`.`qty`) > CAST(? AS SIGNED) AND MAX(`lines`.`qty`) <= CAST(? AS SIGNED) ORDER BY `orders`.`id` ASC",
    oracle:
      'SELECT "orders"."id", SUM("lines"."qty") AS "units", COUNT("lines"."id") AS "n" FROM "orders" JOIN "lines" "lines" ON "orders"."id" = "lines"."orderId" GROUP BY "orders"."id" HAVING SUM("lines"."qty") > :p0 AND MAX("lines"."qty") <= :p1 ORDER BY "orders"."id" ASC',
  },
  "expressions of joined fields, which may be null where the part is": {
    sqlite:
      'SELECT "orders"."id", lower("customer"."name") AS "low", coalesce("customer"."nick", "customer"."name") AS "called", ROW_NUMBER() OVER (ORDER BY "customer"."name" DESC NULLS FIRST, "orders"."id" ASC) AS "place" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" ORDER BY "orders"."id" ASC',
    postgres:
      'SELECT "orders"."id", lower("customer"."name" COLLATE "und-x-icu") COLLATE "C" AS "low", coalesce("customer"."nick", "customer"."name") AS "called", ROW_NUMBER() OVER (ORDER BY "customer"."name" DESC, "orders"."id" ASC) AS "place" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" ORDER BY "orders"."id" ASC',
    mariadb:
      "SELECT `orders`.`id`, LOWER(CONVERT(`customer`.`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `low`, COALESCE(`customer`.`nick`, `customer`.`name`) AS `called`, ROW_NUMBER() OVER (ORDER BY `customer`.`name` IS NULL DESC, `customer`.`name` DESC, `orders`.`id` ASC) AS `place` FROM `orders` LEFT JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` ORDER BY `orders`.`id` ASC",
    oracle:
      'SELECT "orders"."id", LOWER("customer"."name") AS "low", COALESCE("customer"."nick", "customer"."name") AS "called", ROW_NUMBER() OVER (ORDER BY "customer"."name" DESC, "orders"."id" ASC) AS "place" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" ORDER BY "orders"."id" ASC',
  },
  "DISTINCT with a part, and dates of it": {
    sqlite:
      'SELECT DISTINCT CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", substr("customer"."since_at" || \'.000\', 1, 23) AS "customer.since", substr("order"."placed_at" || \'.000\', 1, 23) AS "order.placedAt" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" ORDER BY substr("customer"."since_at" || \'.000\', 1, 23) ASC NULLS LAST',
    postgres:
      'SELECT DISTINCT CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."since_at" AS "customer.since", "order"."placed_at" AS "order.placedAt" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" ORDER BY "customer"."since_at" ASC',
    mariadb:
      "SELECT DISTINCT CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`since_at` AS `customer.since`, `order`.`placed_at` AS `order.placedAt` FROM `lines` JOIN `orders` `order` ON `lines`.`orderId` = `order`.`id` LEFT JOIN `customers` `customer` ON `order`.`customer_id` = `customer`.`id` ORDER BY `customer`.`since_at` IS NULL, `customer`.`since_at` ASC",
    oracle:
      'SELECT DISTINCT CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."since_at" AS "customer.since", "order"."placed_at" AS "order.placedAt" FROM "lines" JOIN "orders" "order" ON "lines"."orderId" = "order"."id" LEFT JOIN "customers" "customer" ON "order"."customer_id" = "customer"."id" ORDER BY "customer"."since_at" ASC',
  },
  "set operations, ordered by fields of a part": {
    sqlite:
      'SELECT "orders"."id" AS "id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", substr("customer"."since_at" || \'.000\', 1, 23) AS "customer.since" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "orders"."id" < ? UNION SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", substr("customer"."since_at" || \'.000\', 1, 23) AS "customer.since" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "customer"."id" IS NULL ORDER BY "customer.name" DESC NULLS FIRST LIMIT 3',
    postgres:
      'SELECT "orders"."id" AS "id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."since_at" AS "customer.since" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "orders"."id" < $1 UNION SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."since_at" AS "customer.since" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "customer"."id" IS NULL ORDER BY "customer.name" DESC LIMIT 3',
    mariadb:
      "SELECT `id`, `customer.*`, `customer.name`, `customer.since` FROM (SELECT `orders`.`id`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`name` AS `customer.name`, `customer`.`since_at` AS `customer.since` FROM `orders` LEFT JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` WHERE `orders`.`id` < ? UNION SELECT `orders`.`id`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`name` AS `customer.name`, `customer`.`since_at` AS `customer.since` FROM `orders` LEFT JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` WHERE `customer`.`id` IS NULL) `rows` ORDER BY `customer.name` IS NULL DESC, `customer.name` DESC LIMIT 3",
    oracle:
      'SELECT "orders"."id" AS "id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."since_at" AS "customer.since" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "orders"."id" < :p0 UNION SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."since_at" AS "customer.since" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "customer"."id" IS NULL ORDER BY "customer.name" DESC FETCH NEXT 3 ROWS ONLY',
  },
  "conditions that compare fields of two tables, and optional ones": {
    sqlite:
      'SELECT "orders"."id" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "orders"."id" = "customer"."id" AND "customer"."name" = ? AND (("customer"."bossId" = ? OR "customer"."bossId" IS NULL)) ORDER BY "orders"."id" ASC',
    postgres:
      'SELECT "orders"."id" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "orders"."id" = "customer"."id" AND "customer"."name" = $1 AND (("customer"."bossId" = $2 OR "customer"."bossId" IS NULL)) ORDER BY "orders"."id" ASC',
    mariadb:
      "SELECT `orders`.`id` FROM `orders` JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` WHERE `orders`.`id` = `customer`.`id` AND `customer`.`name` = ? AND ((`customer`.`bossId` = ? OR `customer`.`bossId` IS NULL)) ORDER BY `orders`.`id` ASC",
    oracle:
      'SELECT "orders"."id" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE "orders"."id" = "customer"."id" AND "customer"."name" = :p0 AND (("customer"."bossId" = :p1 OR "customer"."bossId" IS NULL)) ORDER BY "orders"."id" ASC',
  },
  "a scope keeps its condition, of its own table": {
    sqlite:
      'SELECT "orders"."id", "all"."id" AS "all.id" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" JOIN "orders" "all" ON "customer"."id" = "all"."customer_id" WHERE "orders"."customer_id" = ?',
    postgres:
      'SELECT "orders"."id", "all"."id" AS "all.id" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" JOIN "orders" "all" ON "customer"."id" = "all"."customer_id" WHERE "orders"."customer_id" = $1',
    mariadb:
      "SELECT `orders`.`id`, `all`.`id` AS `all.id` FROM `orders` JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` JOIN `orders` `all` ON `customer`.`id` = `all`.`customer_id` WHERE `orders`.`customer_id` = ?",
    oracle:
      'SELECT "orders"."id", "all"."id" AS "all.id" FROM "orders" JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" JOIN "orders" "all" ON "customer"."id" = "all"."customer_id" WHERE "orders"."customer_id" = :p0',
  },
};
