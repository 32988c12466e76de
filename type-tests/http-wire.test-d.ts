import { createEngine, GET } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { decode, encode, type WireOutput } from "rowtype/http/wire";
import { expectType } from "tsd";
import { z } from "zod";

const Seconds = z.codec(z.int(), z.date(), {
  decode: (seconds) => new Date(seconds * 1000),
  encode: (date) => Math.round(date.getTime() / 1000),
});
const Person = z.object({
  born: z.date(),
  balance: z.bigint(),
  at: Seconds,
  plan: z.string().default("free"),
});
const api = createEngine().withHandlers(
  GET("/people", { output: z.array(Person) }, () => []),
  GET("/other", { output: z.object({ a: z.int() }) }, () => ({ a: 1 })),
);
const client = createClient<typeof api>("/api");

// What a client gets is what `decode` takes.
const people = await client.GET("/people");
const decoded = decode(z.array(Person), people.data);
expectType<{ born: Date; balance: bigint; at: Date; plan: string }[]>(decoded);
const [first] = people.data;
if (first !== undefined) expectType<bigint>(decode(Person, first).balance);
// What has a default may be left out.
decode(Person, { born: "1970-01-01", balance: "1", at: 5 });
// @ts-expect-error the data of another handler
decode(Person, (await client.GET("/other")).data);
// @ts-expect-error on the wire a date is text
decode(Person, { born: new Date(), balance: "1", at: 5 });
// @ts-expect-error no schema
decode({}, 1);

const value = { born: new Date(), balance: 1n, at: new Date(), plan: "free" };
const encoded = encode(Person, value);
expectType<{ born: string; balance: string; at: number; plan: string }>(encoded);
expectType<WireOutput<typeof Person>>(encoded);
expectType<string>(encode(z.date(), new Date()));
// @ts-expect-error a value has dates
encode(Person, { ...value, born: "1970-01-01" });
// @ts-expect-error a field is missing
encode(Person, { born: new Date() });
