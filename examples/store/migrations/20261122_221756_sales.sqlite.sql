-- rowtype 1 · sqlite · sales
-- step create table employee
CREATE TABLE "employee" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "reports_to" INTEGER,
  "hired_at" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "address" TEXT,
  "city" TEXT,
  "country" TEXT,
  CONSTRAINT "employee_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "employee_email_key" UNIQUE ("email"),
  CONSTRAINT "employee_reports_to_fkey" FOREIGN KEY ("reports_to") REFERENCES "employee" ("id")
)
-- step create index employee.employee_country_idx
CREATE INDEX "employee_country_idx" ON "employee" ("country")
-- step create table customer
CREATE TABLE "customer" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "company" TEXT,
  "email" TEXT NOT NULL,
  "support_id" INTEGER,
  "address" TEXT,
  "city" TEXT,
  "country" TEXT,
  CONSTRAINT "customer_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "customer_email_key" UNIQUE ("email"),
  CONSTRAINT "customer_support_id_fkey" FOREIGN KEY ("support_id") REFERENCES "employee" ("id")
)
-- step create index customer.customer_support_id_idx
CREATE INDEX "customer_support_id_idx" ON "customer" ("support_id")
-- step create index customer.customer_country_idx
CREATE INDEX "customer_country_idx" ON "customer" ("country")
-- step create table invoice
CREATE TABLE "invoice" (
  "id" INTEGER NOT NULL,
  "customer_id" INTEGER NOT NULL,
  "billed_at" TEXT NOT NULL,
  "billing_country" TEXT NOT NULL,
  "total" INTEGER NOT NULL,
  CONSTRAINT "invoice_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invoice_total_check" CHECK (typeof("total") IN ('integer', 'null') AND "total" / 100 BETWEEN -99999999 AND 99999999),
  CONSTRAINT "invoice_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer" ("id")
)
-- step create index invoice.invoice_customer_id_idx
CREATE INDEX "invoice_customer_id_idx" ON "invoice" ("customer_id")
-- step create index invoice.invoice_billed_at_idx
CREATE INDEX "invoice_billed_at_idx" ON "invoice" ("billed_at")
-- step create table invoice_line
CREATE TABLE "invoice_line" (
  "id" INTEGER NOT NULL,
  "invoice_id" INTEGER NOT NULL,
  "track_id" INTEGER NOT NULL,
  "unit_price" INTEGER NOT NULL,
  "quantity" INTEGER NOT NULL,
  CONSTRAINT "invoice_line_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invoice_line_unit_price_check" CHECK (typeof("unit_price") IN ('integer', 'null') AND "unit_price" / 100 BETWEEN -99999999 AND 99999999),
  CONSTRAINT "invoice_line_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice" ("id"),
  CONSTRAINT "invoice_line_track_id_fkey" FOREIGN KEY ("track_id") REFERENCES "track" ("id")
)
-- step create index invoice_line.invoice_line_invoice_id_idx
CREATE INDEX "invoice_line_invoice_id_idx" ON "invoice_line" ("invoice_id")
-- step create index invoice_line.invoice_line_track_id_idx
CREATE INDEX "invoice_line_track_id_idx" ON "invoice_line" ("track_id")
