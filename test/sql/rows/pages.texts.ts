/** The texts of the cases of pages. */
export const texts: Readonly<
  Record<
    string,
    { readonly sqlite: string; readonly postgres: string; readonly mariadb: string; readonly oracle: string }
  >
> = {
  "the first page: a row more says whether there is another": {
    sqlite: 'SELECT "id", "orderId", "sku", "qty" FROM "lines" ORDER BY "qty" DESC, "id" ASC LIMIT 3',
    postgres: 'SELECT "id", "orderId", "sku", "qty" FROM "lines" ORDER BY "qty" DESC, "id" ASC LIMIT 3',
    mariadb: "SELECT `id`, `orderId`, `sku`, `qty` FROM `lines` ORDER BY `qty` DESC, `id` ASC LIMIT 3",
    oracle:
      'SELECT "id", "orderId", "sku", "qty" FROM "lines" ORDER BY "qty" DESC, "id" ASC FETCH NEXT 3 ROWS ONLY',
  },
  "a page behind a row: one bound for an index, then the terms one inside the other": {
    sqlite:
      'SELECT "sku", "id" AS "#order.0" FROM "lines" WHERE "sku" >= ? AND ("sku" > ? OR ("sku" = ? AND "id" < ?)) ORDER BY "sku" ASC, "id" DESC LIMIT 2',
    postgres:
      'SELECT "sku", "id" AS "#order.0" FROM "lines" WHERE "sku" >= $1 AND ("sku" > $1 OR ("sku" = $1 AND "id" < $2)) ORDER BY "sku" ASC, "id" DESC LIMIT 2',
    mariadb:
      "SELECT `sku`, `id` AS `#order.0` FROM `lines` WHERE `sku` >= ? AND (`sku` > ? OR (`sku` = ? AND `id` < ?)) ORDER BY `sku` ASC, `id` DESC LIMIT 2",
    oracle:
      'SELECT "sku", "id" AS "#order.0" FROM "lines" WHERE "sku" >= :p0 AND ("sku" > :p0 OR ("sku" = :p0 AND "id" < :p1)) ORDER BY "sku" ASC, "id" DESC FETCH NEXT 2 ROWS ONLY',
  },
  "a key alone, with a condition": {
    sqlite:
      'SELECT "note", "id" AS "#order.0" FROM "orders" WHERE "id" > ? AND "id" < ? ORDER BY "id" DESC LIMIT 3',
    postgres:
      'SELECT "note", "id" AS "#order.0" FROM "orders" WHERE "id" > $1 AND "id" < $2 ORDER BY "id" DESC LIMIT 3',
    mariadb:
      "SELECT `note`, `id` AS `#order.0` FROM `orders` WHERE `id` > ? AND `id` < ? ORDER BY `id` DESC LIMIT 3",
    oracle:
      'SELECT "note", "id" AS "#order.0" FROM "orders" WHERE "id" > :p0 AND "id" < :p1 ORDER BY "id" DESC FETCH NEXT 3 ROWS ONLY',
  },
  "fields that may be null, at their usual place and at another, and those of joined tables": {
    sqlite:
      'SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."nick" AS "#order.0", "orders"."note" AS "#order.1" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE ("customer"."nick" > ? OR ("customer"."nick" IS NULL AND ? = 0) OR (("customer"."nick" = ? OR ("customer"."nick" IS NULL AND ? = 1)) AND ("orders"."note" < ? OR ("orders"."note" IS NULL AND ? = 0) OR (("orders"."note" = ? OR ("orders"."note" IS NULL AND ? = 1)) AND "orders"."id" < ?)))) ORDER BY "customer"."nick" ASC NULLS LAST, "orders"."note" DESC, "orders"."id" DESC LIMIT 3',
    postgres:
      'SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."nick" AS "#order.0", "orders"."note" AS "#order.1" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE ("customer"."nick" > $1 OR ("customer"."nick" IS NULL AND $2 = 0) OR (("customer"."nick" = $1 OR ("customer"."nick" IS NULL AND $2 = 1)) AND ("orders"."note" < $3 OR ("orders"."note" IS NULL AND $4 = 0) OR (("orders"."note" = $3 OR ("orders"."note" IS NULL AND $4 = 1)) AND "orders"."id" < $5)))) ORDER BY "customer"."nick" ASC, "orders"."note" DESC NULLS LAST, "orders"."id" DESC LIMIT 3',
    mariadb:
      "SELECT `orders`.`id`, CASE WHEN `customer`.`id` IS NULL THEN 0 ELSE 1 END AS `customer.*`, `customer`.`name` AS `customer.name`, `customer`.`nick` AS `#order.0`, `orders`.`note` AS `#order.1` FROM `orders` LEFT JOIN `customers` `customer` ON `orders`.`customer_id` = `customer`.`id` WHERE (`customer`.`nick` > ? OR (`customer`.`nick` IS NULL AND ? = 0) OR ((`customer`.`nick` = ? OR (`customer`.`nick` IS NULL AND ? = 1)) AND (`orders`.`note` < ? OR (`orders`.`note` IS NULL AND ? = 0) OR ((`orders`.`note` = ? OR (`orders`.`note` IS NULL AND ? = 1)) AND `orders`.`id` < ?)))) ORDER BY `customer`.`nick` IS NULL, `customer`.`nick` ASC, `orders`.`note` DESC, `orders`.`id` DESC LIMIT 3",
    oracle:
      'SELECT "orders"."id", CASE WHEN "customer"."id" IS NULL THEN 0 ELSE 1 END AS "customer.*", "customer"."name" AS "customer.name", "customer"."nick" AS "#order.0", "orders"."note" AS "#order.1" FROM "orders" LEFT JOIN "customers" "customer" ON "orders"."customer_id" = "customer"."id" WHERE ("customer"."nick" > :p0 OR ("customer"."nick" IS NULL AND :p1 = 0) OR (("customer"."nick" = :p0 OR ("customer"."nick" IS NULL AND :p1 = 1)) AND ("orders"."note" < :p2 OR ("orders"."note" IS NULL AND :p3 = 0) OR (("orders"."note" = :p2 OR ("orders"."note" IS NULL AND :p3 = 1)) AND "orders"."id" < :p4)))) ORDER BY "customer"."nick" ASC, "orders"."note" DESC NULLS LAST, "orders"."id" DESC FETCH NEXT 3 ROWS ONLY',
  },
  "dates and bigints": {
    sqlite:
      'SELECT "id", "placed_at" AS "#order.0", "total" AS "#order.1" FROM "orders" WHERE "placed_at" <= ? AND ("placed_at" < ? OR ("placed_at" BETWEEN ? AND ? AND ("total" < ? OR ("total" = ? AND "id" > ?)))) ORDER BY substr("placed_at" || \'.000\', 1, 23) DESC, "total" DESC, "id" ASC LIMIT 4',
    postgres:
      'SELECT "id", "placed_at" AS "#order.0", "total" AS "#order.1" FROM "orders" WHERE "placed_at" <= $1 AND ("placed_at" < $1 OR ("placed_at" = $1 AND ("total" < $2 OR ("total" = $2 AND "id" > $3)))) ORDER BY "placed_at" DESC, "total" DESC, "id" ASC LIMIT 4',
    mariadb:
      "SELECT `id`, `placed_at` AS `#order.0`, `total` AS `#order.1` FROM `orders` WHERE `placed_at` <= ? AND (`placed_at` < ? OR (`placed_at` = ? AND (`total` < ? OR (`total` = ? AND `id` > ?)))) ORDER BY `placed_at` DESC, `total` DESC, `id` ASC LIMIT 4",
    oracle:
      'SELECT "id", "placed_at" AS "#order.0", "total" AS "#order.1" FROM "orders" WHERE "placed_at" <= :p0 AND ("placed_at" < :p0 OR ("placed_at" = :p0 AND ("total" < :p1 OR ("total" = :p1 AND "id" > :p2)))) ORDER BY "placed_at" DESC, "total" DESC, "id" ASC FETCH NEXT 4 ROWS ONLY',
  },
  "a joined many, which needs a key of its own in the order": {
    sqlite:
      'SELECT "orders"."id", CASE WHEN "lines"."orderId" IS NULL THEN 0 ELSE 1 END AS "lines.*", "lines"."sku" AS "lines.sku", "lines"."id" AS "#order.0" FROM "orders" LEFT JOIN "lines" "lines" ON "orders"."id" = "lines"."orderId" WHERE "orders"."id" >= ? AND ("orders"."id" > ? OR ("orders"."id" = ? AND ("lines"."id" > ? OR ("lines"."id" IS NULL AND ? = 0)))) ORDER BY "orders"."id" ASC, "lines"."id" ASC NULLS LAST LIMIT 3',
    postgres:
      'SELECT "orders"."id", CASE WHEN "lines"."orderId" IS NULL THEN 0 ELSE 1 END AS "lines.*", "lines"."sku" AS "lines.sku", "lines"."id" AS "#order.0" FROM "orders" LEFT JOIN "lines" "lines" ON "orders"."id" = "lines"."orderId" WHERE "orders"."id" >= $1 AND ("orders"."id" > $1 OR ("orders"."id" = $1 AND ("lines"."id" > $2 OR ("lines"."id" IS NULL AND $3 = 0)))) ORDER BY "orders"."id" ASC, "lines"."id" ASC LIMIT 3',
    mariadb:
      "SELECT `orders`.`id`, CASE WHEN `lines`.`orderId` IS NULL THEN 0 ELSE 1 END AS `lines.*`, `lines`.`sku` AS `lines.sku`, `lines`.`id` AS `#order.0` FROM `orders` LEFT JOIN `lines` `lines` ON `orders`.`id` = `lines`.`orderId` WHERE `orders`.`id` >= ? AND (`orders`.`id` > ? OR (`orders`.`id` = ? AND (`lines`.`id` > ? OR (`lines`.`id` IS NULL AND ? = 0)))) ORDER BY `orders`.`id` ASC, `lines`.`id` IS NULL, `lines`.`id` ASC LIMIT 3",
    oracle:
      'SELECT "orders"."id", CASE WHEN "lines"."orderId" IS NULL THEN 0 ELSE 1 END AS "lines.*", "lines"."sku" AS "lines.sku", "lines"."id" AS "#order.0" FROM "orders" LEFT JOIN "lines" "lines" ON "orders"."id" = "lines"."orderId" WHERE "orders"."id" >= :p0 AND ("orders"."id" > :p0 OR ("orders"."id" = :p0 AND ("lines"."id" > :p1 OR ("lines"."id" IS NULL AND :p2 = 0)))) ORDER BY "orders"."id" ASC, "lines"."id" ASC FETCH NEXT 3 ROWS ONLY',
  },
};
