// What a mark of a column, and a wrapper around it, change in rows, inserts, updates, keys and operators.
import {
  column,
  decimal,
  type EnumType,
  enumType,
  type Insert,
  json,
  type Many,
  many,
  type One,
  one,
  type Row,
  table,
  type Update,
  vector,
  view,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

// Inserts and updates, by mark.
const marks = table(
  "marks",
  z.object({
    plain: z.string(),
    generated: column(z.int(), { generated: true }),
    byDefault: column(z.int(), { generated: "byDefault" }),
    defaulted: column(z.string(), { default: "'a'" }),
    defaultedSomewhere: column(z.string(), { default: { sqlite: "'a'" } }),
    computed: column(z.int(), { computed: "1 + 1" }),
    computedSomewhere: column(z.int(), { computed: { postgres: "1 + 1" }, stored: true }),
    readOnly: column(z.string(), { readOnly: true }),
    notReadOnly: column(z.string(), { readOnly: false }),
    notGenerated: column(z.int(), { generated: false }),
    noDefault: column(z.string(), { default: undefined as undefined }),
    nullable: z.string().nullable(),
    nullish: column(z.string(), { unique: true }).nullable(),
    zodDefault: z.string().default("a"),
    prefault: z.string().prefault("a"),
    brand: z.string().brand<"Brand">(),
  }),
);
type Brand = string & z.core.$brand<"Brand">;
expectType<{
  plain: string;
  generated: number;
  byDefault: number;
  defaulted: string;
  defaultedSomewhere: string;
  computed: number;
  computedSomewhere: number;
  readOnly: string;
  notReadOnly: string;
  notGenerated: number;
  noDefault: string;
  nullable: string | null;
  nullish: string | null;
  zodDefault: string;
  prefault: string;
  brand: Brand;
}>({} as Row<typeof marks>);
expectType<{
  plain: string;
  notReadOnly: string;
  notGenerated: number;
  noDefault: string;
  brand: Brand;
  byDefault?: number | undefined;
  defaulted?: string | undefined;
  defaultedSomewhere?: string | undefined;
  nullable?: string | null | undefined;
  nullish?: string | null | undefined;
  zodDefault?: string | undefined;
  prefault?: string | undefined;
}>({} as Insert<typeof marks>);
expectType<{
  plain?: string | undefined;
  byDefault?: number | undefined;
  defaulted?: string | undefined;
  defaultedSomewhere?: string | undefined;
  notReadOnly?: string | undefined;
  notGenerated?: number | undefined;
  noDefault?: string | undefined;
  nullable?: string | null | undefined;
  nullish?: string | null | undefined;
  zodDefault?: string | undefined;
  prefault?: string | undefined;
  brand?: Brand | undefined;
}>({} as Update<typeof marks>);
const repository = sqlite().repository(marks);
type Inserted = Parameters<ReturnType<typeof repository.insert>["exec"]>[0];
expectType<Inserted>({} as Insert<typeof marks>);
expectType<Insert<typeof marks>>({} as Inserted);
// A brand is what comes out, and not what goes in.
expectType<Omit<Insert<typeof marks>, "brand">>({} as Omit<z.input<typeof marks.insertSchema>, "brand">);
expectType<Omit<Update<typeof marks>, "brand">>({} as Omit<z.input<typeof marks.updateSchema>, "brand">);
expectType<Row<typeof marks>>({} as z.output<typeof marks.schema>);

// A mark stands under every wrapper: it says the kind, the key and the role of the column.
const wrapped = table(
  "wrapped",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    key: column(z.string(), { unique: true }).nullable(),
    keyDefault: column(z.string(), { unique: true }).default("a"),
    noKey: column(z.string(), { index: true }),
    defaulted: column(z.string(), { default: "'a'" }).describe("a"),
    json: json(z.string()),
    jsonOrNull: json(z.string()).nullable(),
    jsonDefault: json(z.number()).default(1),
    vector: vector(3).nullable(),
    decimal: decimal(10, 2).nullable(),
    decimalDefault: decimal(10, 2).default("1.00"),
    text: z.string().nullable(),
  }),
);
const rows = postgres().repository(wrapped);
rows.insert().onConflict("id");
rows.insert().onConflict("key");
rows.insert().onConflict("keyDefault");
// @ts-expect-error an index is no key
rows.insert().onConflict("noKey");
// @ts-expect-error nor is a column without a mark
rows.insert().onConflict("text");
// What json holds is not compared, whatever its values are.
// @ts-expect-error a text in JSON
rows.query().where("json", "=", "p");
// @ts-expect-error that may be null
rows.query().where("jsonOrNull", "LIKE", "p");
// @ts-expect-error that has a default
rows.query().where("jsonDefault", ">", "p");
rows.query().whereNull("jsonOrNull").whereDistance("vector", "<->", "near", "<", "limit");
// @ts-expect-error vectors have distances alone
rows.query().where("vector", "=", "p");
// A decimal is compared as numbers are, and not as text.
rows.query().where("decimal", ">", "p").where("decimalDefault", "IN", "list");
// @ts-expect-error LIKE of a decimal that may be null
rows.query().where("decimal", "LIKE", "p");
// @ts-expect-error and of one with a default
rows.query().where("decimalDefault", "LIKE", "p");
rows.query().where("text", "LIKE", "p");

// A database of several dialects has what all of them have.
declare const someDialect: ReturnType<typeof postgres> | ReturnType<typeof sqlite>;
// @ts-expect-error one of them has no vectors
someDialect.repository(table("v", z.object({ v: vector(2) })));
// @ts-expect-error nor one that may be null
someDialect.repository(table("v", z.object({ v: vector(2).nullable() })));
// An enum has the operators of its values.
const ranked = sqlite().repository(table("ranks", z.object({ rank: z.enum({ low: 1, high: 2 }) })));
ranked.query().where("rank", ">", "least");
// @ts-expect-error numbers have no patterns
ranked.query().where("rank", "LIKE", "pattern");

// A union with null is of the kind of its values.
const either = table(
  "either",
  z.object({ name: z.union([z.string(), z.null()]), at: z.union([z.null(), z.date()]) }),
);
postgres().repository(either).query().where("name", "LIKE", "pattern").where("at", "<", "end");

// Relations and enum types keep their words.
expectType<One<"customers", "customerId">>(one("customers", "customerId"));
expectType<Many<"orders", "customerId">>(many("orders", "customerId"));
expectType<
  EnumType<"sad" | "happy"> & { readonly values: readonly ["sad" | "happy", ...("sad" | "happy")[]] }
>(enumType("mood", ["sad", "happy"]));

// Metadata that exclude each other.
// @ts-expect-error a computed column has no default
column(z.int(), { computed: "1", default: "1" });
// @ts-expect-error it is not generated
column(z.int(), { computed: "1", generated: true });
// @ts-expect-error stored says how a computed column is kept
column(z.int(), { stored: true });
// @ts-expect-error onDelete is of a reference
column(z.int(), { onDelete: "cascade" });
// @ts-expect-error so is onUpdate
column(z.int(), { onUpdate: "cascade" });
column(z.int(), { references: "users(id)", onDelete: "set null", onUpdate: "restrict" });
// @ts-expect-error there is no such action
column(z.int(), { references: "users(id)", onUpdate: "nothing" });
// @ts-expect-error there is no such action
column(z.int(), { references: "users(id)", onDelete: "nothing" });
column(z.enum(["a", "b"]), { checkValues: true });
// @ts-expect-error members are those of an enum
column(z.string(), { checkValues: true });

// Options name fields of the table.
const shape = z.object({ id: z.int(), name: z.string() });
table("t", shape, { primaryKey: ["id"], unique: [["name", "id"]] });
// @ts-expect-error a key of a field that is not there
table("t", shape, { primaryKey: ["idd"] });
// @ts-expect-error one of several fields
table("t", shape, { unique: [["id", "nam"]] });
// @ts-expect-error a reference of one
table("t", shape, { foreignKeys: [{ columns: ["idd"], references: () => marks }] });
// @ts-expect-error an index of one
table("t", shape, { indexes: [{ columns: ["idd"] }] });
// @ts-expect-error with a direction
table("t", shape, { indexes: [{ columns: [["idd", "desc"]] }] });
// @ts-expect-error an index is of columns or of an expression
table("t", shape, { indexes: [{ columns: ["id"], expression: "lower(name)" }] });
// @ts-expect-error a relation by one
table("t", shape, { relations: { marks: one("marks", "markId") } });
// @ts-expect-error a view's key
view("v", shape, { as: "SELECT 1", primaryKey: ["idd"] });
// @ts-expect-error a view has a query
view("v", shape, {});
const seen = view("v", shape, { as: "SELECT 1", primaryKey: ["id"] });
expectType<{ id: number; name: string }>({} as Row<typeof seen>);
expectType<{ id: number; name: string }>({} as z.infer<typeof seen.schema>);
expectType<{ id: number; name: string }>({} as z.infer<typeof reference.schema>);
declare const reference: ReturnType<typeof plain>;
const plain = () => table("t", z.object({ id: z.int(), name: z.string() }));
