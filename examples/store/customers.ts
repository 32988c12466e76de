/** Customers: what they bought, an edit that overwrites nobody's, a removal that keeps the books, an invoice with lines. */
import {
  DELETE,
  GET,
  html,
  NotFound,
  POST,
  PreconditionFailed,
  PUT,
  UnprocessableEntity,
} from "rowtype/http";
import { z } from "zod";
import type { StoreDatabase } from "./data.js";
import { editPage } from "./edit-page.js";
import * as tables from "./tables.js";

const NoSuchCustomer = NotFound.withDetails({ resource: "customer" });
const id = z.int().min(1).meta({ example: 5 });
const path = { id };

const { customers, invoices, invoiceLines, employees } = tables;
const Line = invoiceLines.schema
  .pick({ price: true, quantity: true })
  .extend({ track: z.object({ name: z.string() }) });
const Invoice = invoices.schema
  .pick({ id: true, billedAt: true, total: true })
  .extend({ lines: z.array(Line) });
const Customer = customers.schema.omit({ supportId: true, version: true, deletedAt: true }).extend({
  support: employees.schema.pick({ name: true, email: true }).nullable(),
  invoices: z.array(Invoice),
});
const Card = customers.schema.pick({
  id: true,
  name: true,
  company: true,
  email: true,
  city: true,
  version: true,
});
const Edit = Card.omit({ id: true, version: true });
const Order = z.object({
  lines: z
    .array(z.object({ trackId: z.int().min(1), quantity: z.int().min(1).max(100) }))
    .min(1)
    .max(100),
});
const Stored = invoices.schema.extend({ lines: z.array(invoiceLines.schema.omit({ invoiceId: true })) });

/** Makes the handlers of the customers. */
export function customersOf(db: StoreDatabase) {
  const store = db.repositories(tables);
  const tags = ["Customers"];

  // One statement: the customer, who looks after them, and their invoices with lines and the names of tracks.
  const whole = store.customers
    .select()
    .leftJoin("support")
    .fields("id", "name", "company", "email", "address", "city", "country", "support.name", "support.email")
    .with(
      "invoices",
      store.invoices
        .query()
        .fields("id", "billedAt", "total")
        .with("lines", store.invoiceLines.query().join("track").fields("price", "quantity", "track.name"))
        .orderBy("billedAt", "desc")
        .limit(10),
    )
    .where("id", "=", "id");

  const show = GET(
    "/customers/{id}",
    { summary: "A customer with the last ten invoices", tags, path, output: Customer, errors: [NotFound] },
    async ({ params }) => (await whole.execOrNull(params.path)) ?? NoSuchCustomer,
  );

  // What can be edited. The version is the tag: who changes a card says which one they have read.
  const one = store.customers
    .select()
    .fields("id", "name", "company", "email", "city", "version")
    .where("id", "=", "id");
  const tagOf = ({ version }: { readonly version: number }) => `${version}`;

  const card = GET(
    "/customers/{id}/card",
    { summary: "The card of a customer", tags, path, output: Card, etag: tagOf, errors: [NotFound] },
    async ({ params }) => (await one.execOrNull(params.path)) ?? NoSuchCustomer,
  );

  const change = store.customers.modify().where("id", "=", "id");
  const edit = PUT(
    "/customers/{id}/card",
    {
      summary: "Change the card that was read",
      tags,
      path,
      body: Edit,
      output: Card,
      etag: tagOf,
      ifMatch: "required",
      errors: [NotFound, PreconditionFailed],
    },
    async ({ params, body, ifMatch }) => {
      const now = await one.execOrNull(params.path);
      ifMatch(now && tagOf(now));
      if (now === null) return NoSuchCustomer;
      // Another may write in between: then the version is not the one of the row any more, which is a 412 too.
      return change.execPatch(body, { id: now.id, version: now.version });
    },
  );

  const leave = store.customers.remove().where("id", "=", "id");
  const remove = DELETE(
    "/customers/{id}",
    {
      summary: "Remove a customer: the invoices stay",
      tags,
      path,
      status: 204,
      ifMatch: "required",
      errors: [NotFound, PreconditionFailed],
    },
    async ({ params, ifMatch }) => {
      const now = await one.execOrNull(params.path);
      ifMatch(now && tagOf(now));
      if (now === null) return NoSuchCustomer;
      await leave.exec({ id: now.id, version: now.version });
      return undefined;
    },
  );

  const priced = store.tracks.query().fields("id", "price").where("id", "IN", "ids");
  const buyer = store.customers.select().fields("id", "country").where("id", "=", "id");
  const bill = store.invoices.insert().with("lines");
  const order = POST(
    "/customers/{id}/invoices",
    {
      summary: "Sell tracks: an invoice with its lines, all or nothing",
      tags,
      path,
      status: 201,
      body: Order.meta({ example: { lines: [{ trackId: 1, quantity: 2 }] } }),
      output: Stored,
      errors: [NotFound, UnprocessableEntity],
    },
    async ({ params, body }) => {
      const customer = await buyer.execOrNull(params.path);
      if (customer === null) return NoSuchCustomer;
      const found = await priced.exec({ ids: body.lines.map(({ trackId }) => trackId) });
      const prices = new Map(found.map(({ id, price }) => [id, price]));
      const lines = [];
      let cents = 0;
      for (const line of body.lines) {
        const price = prices.get(line.trackId);
        if (price === undefined)
          return UnprocessableEntity.withDetails({ reason: `no track ${line.trackId}` });
        lines.push({ ...line, price });
        cents += Math.round(Number(price) * 100) * line.quantity;
      }
      return bill.exec({
        customerId: customer.id,
        billedAt: new Date(),
        country: customer.country ?? "Canada",
        total: (cents / 100).toFixed(2),
        lines,
      });
    },
  );

  const page = GET(
    "/customers/{id}/edit",
    { summary: "A page that edits the card", tags, path, output: html(), hidden: true },
    () => editPage,
  );

  return [show, card, edit, remove, order, page] as const;
}
