-- rowtype 1 · sqlite · editing
-- step add column album.cover_type
ALTER TABLE "album" ADD COLUMN "cover_type" TEXT
-- step add column customer.version
ALTER TABLE "customer" ADD COLUMN "version" INTEGER DEFAULT (1) NOT NULL
-- step add column customer.deleted_at
ALTER TABLE "customer" ADD COLUMN "deleted_at" TEXT
-- step rebuild table invoice_line
CREATE TABLE "rowtype_new_invoice_line" (
  "id" INTEGER CONSTRAINT "invoice_line_pkey" PRIMARY KEY AUTOINCREMENT NOT NULL,
  "invoice_id" INTEGER NOT NULL,
  "track_id" INTEGER NOT NULL,
  "unit_price" INTEGER NOT NULL,
  "quantity" INTEGER NOT NULL,
  CONSTRAINT "invoice_line_unit_price_check" CHECK (typeof("unit_price") IN ('integer', 'null') AND "unit_price" / 100 BETWEEN -99999999 AND 99999999),
  CONSTRAINT "invoice_line_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice" ("id"),
  CONSTRAINT "invoice_line_track_id_fkey" FOREIGN KEY ("track_id") REFERENCES "track" ("id")
)
-- step rebuild table invoice_line
INSERT INTO "rowtype_new_invoice_line" ("id", "invoice_id", "track_id", "unit_price", "quantity") SELECT "id", "invoice_id", "track_id", "unit_price", "quantity" FROM "invoice_line"
-- step rebuild table invoice_line
DROP TABLE "invoice_line"
-- step rebuild table invoice_line
ALTER TABLE "rowtype_new_invoice_line" RENAME TO "invoice_line"
-- step rebuild table invoice_line
CREATE INDEX "invoice_line_invoice_id_idx" ON "invoice_line" ("invoice_id")
-- step rebuild table invoice_line
CREATE INDEX "invoice_line_track_id_idx" ON "invoice_line" ("track_id")
-- step rebuild table invoice
CREATE TABLE "rowtype_new_invoice" (
  "id" INTEGER CONSTRAINT "invoice_pkey" PRIMARY KEY AUTOINCREMENT NOT NULL,
  "customer_id" INTEGER NOT NULL,
  "billed_at" TEXT NOT NULL,
  "billing_country" TEXT NOT NULL,
  "total" INTEGER NOT NULL,
  CONSTRAINT "invoice_total_check" CHECK (typeof("total") IN ('integer', 'null') AND "total" / 100 BETWEEN -99999999 AND 99999999),
  CONSTRAINT "invoice_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer" ("id")
)
-- step rebuild table invoice
INSERT INTO "rowtype_new_invoice" ("id", "customer_id", "billed_at", "billing_country", "total") SELECT "id", "customer_id", "billed_at", "billing_country", "total" FROM "invoice"
-- step rebuild table invoice
DROP TABLE "invoice"
-- step rebuild table invoice
ALTER TABLE "rowtype_new_invoice" RENAME TO "invoice"
-- step rebuild table invoice
CREATE INDEX "invoice_customer_id_idx" ON "invoice" ("customer_id")
-- step rebuild table invoice
CREATE INDEX "invoice_billed_at_idx" ON "invoice" ("billed_at")
