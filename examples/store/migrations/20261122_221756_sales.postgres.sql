-- rowtype 1 · postgres · sales
-- step create table employee
CREATE TABLE "employee" (
  "id" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "reports_to" bigint,
  "hired_at" timestamptz(3) NOT NULL,
  "email" text COLLATE "C" NOT NULL,
  "address" text COLLATE "C",
  "city" text COLLATE "C",
  "country" text COLLATE "C",
  CONSTRAINT "employee_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "employee_email_key" UNIQUE ("email"),
  CONSTRAINT "employee_reports_to_fkey" FOREIGN KEY ("reports_to") REFERENCES "employee" ("id")
)
-- step create index employee.employee_country_idx
CREATE INDEX "employee_country_idx" ON "employee" ("country")
-- step create table customer
CREATE TABLE "customer" (
  "id" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "company" text COLLATE "C",
  "email" text COLLATE "C" NOT NULL,
  "support_id" bigint,
  "address" text COLLATE "C",
  "city" text COLLATE "C",
  "country" text COLLATE "C",
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
  "id" bigint NOT NULL,
  "customer_id" bigint NOT NULL,
  "billed_at" timestamptz(3) NOT NULL,
  "billing_country" text COLLATE "C" NOT NULL,
  "total" numeric(10, 2) NOT NULL,
  CONSTRAINT "invoice_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invoice_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer" ("id")
)
-- step create index invoice.invoice_customer_id_idx
CREATE INDEX "invoice_customer_id_idx" ON "invoice" ("customer_id")
-- step create index invoice.invoice_billed_at_idx
CREATE INDEX "invoice_billed_at_idx" ON "invoice" ("billed_at")
-- step create table invoice_line
CREATE TABLE "invoice_line" (
  "id" bigint NOT NULL,
  "invoice_id" bigint NOT NULL,
  "track_id" bigint NOT NULL,
  "unit_price" numeric(10, 2) NOT NULL,
  "quantity" bigint NOT NULL,
  CONSTRAINT "invoice_line_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invoice_line_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice" ("id"),
  CONSTRAINT "invoice_line_track_id_fkey" FOREIGN KEY ("track_id") REFERENCES "track" ("id")
)
-- step create index invoice_line.invoice_line_invoice_id_idx
CREATE INDEX "invoice_line_invoice_id_idx" ON "invoice_line" ("invoice_id")
-- step create index invoice_line.invoice_line_track_id_idx
CREATE INDEX "invoice_line_track_id_idx" ON "invoice_line" ("track_id")
