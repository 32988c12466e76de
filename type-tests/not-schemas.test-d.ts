// What is no schema is refused wherever a schema is taken: a constraint that costs little must not let it in.
import { caseWhen, column, json, param, raw, table, view } from "rowtype";
import { defineError, GET, handler, model, POST, stream } from "rowtype/http";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
import { z as z3 } from "zod/v3";

const db = sqlite();
const run = (): never => {
  throw new Error("it is compiled only");
};

// A table takes an object of schemas.
// @ts-expect-error a value in place of one of its schemas
table("t", z.object({ a: 1 }));
// @ts-expect-error one of two is a value
table("t", z.object({ a: "x", b: z.string() }));
// @ts-expect-error one is a function that makes a schema
table("t", z.object({ a: z.string }));
// @ts-expect-error one is of Zod 3
table("t", z.object({ a: z3.string() }));
// @ts-expect-error an object of Zod 3
table("t", z3.object({ a: z3.string() }));
// @ts-expect-error a text
table("t", z.string());
// @ts-expect-error a list
table("t", z.array(z.object({ a: z.string() })));
// @ts-expect-error an object or null
table("t", z.object({ a: z.string() }).nullable());
// @ts-expect-error a record
table("t", z.record(z.string(), z.string()));
// @ts-expect-error a shape of schemas
table("t", { a: z.string() });
// @ts-expect-error what has a shape
table("t", { shape: { a: z.string() } });
// @ts-expect-error an empty object
table("t", {});
// @ts-expect-error nothing
table("t", undefined);
// @ts-expect-error a text of the program
table("t", "x");

// So does a view.
// @ts-expect-error a value in place of one of its schemas
view("t", z.object({ a: 1 }), { as: "SELECT 1" });
// @ts-expect-error one of two is a value
view("t", z.object({ a: "x", b: z.string() }), { as: "SELECT 1" });
// @ts-expect-error one is a function that makes a schema
view("t", z.object({ a: z.string }), { as: "SELECT 1" });
// @ts-expect-error one is of Zod 3
view("t", z.object({ a: z3.string() }), { as: "SELECT 1" });
// @ts-expect-error an object of Zod 3
view("t", z3.object({ a: z3.string() }), { as: "SELECT 1" });
// @ts-expect-error a text
view("t", z.string(), { as: "SELECT 1" });
// @ts-expect-error a list
view("t", z.array(z.object({ a: z.string() })), { as: "SELECT 1" });
// @ts-expect-error a shape of schemas
view("t", { a: z.string() }, { as: "SELECT 1" });
// @ts-expect-error an empty object
view("t", {}, { as: "SELECT 1" });

// A column takes a schema, of Zod 4.
// @ts-expect-error a text of the program
column("x", {});
// @ts-expect-error a number
column(1, {});
// @ts-expect-error an empty object
column({}, {});
// @ts-expect-error a function that makes a schema
column(z.string, {});
// @ts-expect-error a schema of Zod 3
column(z3.string(), {});
// @ts-expect-error a shape of schemas
column({ a: z.string() }, {});
// @ts-expect-error nothing
column(undefined, {});

// So does JSON.
// @ts-expect-error a text of the program
json("x");
// @ts-expect-error a number
json(3);
// @ts-expect-error an empty object
json({});
// @ts-expect-error a function that makes a schema
json(z.string);
// @ts-expect-error a schema of Zod 3
json(z3.string());
// @ts-expect-error a shape of schemas
json({ a: z.string() });

// So does a parameter.
// @ts-expect-error a text of the program
param("x", "x");
// @ts-expect-error a number
param("x", 3);
// @ts-expect-error an empty object
param("x", {});
// @ts-expect-error a function that makes a schema
param("x", z.string);
// @ts-expect-error a schema of Zod 3
param("x", z3.string());
// @ts-expect-error a shape of schemas
param("x", { a: z.string() });

// So does raw text.
// @ts-expect-error a text of the program
raw("x");
// @ts-expect-error a number
raw(3);
// @ts-expect-error an empty object
raw({});
// @ts-expect-error a function that makes a schema
raw(z.string);
// @ts-expect-error a schema of Zod 3
raw(z3.string());
// @ts-expect-error a shape of schemas
raw({ a: z.string() });
// @ts-expect-error a function that makes a schema
raw(z.string, { sqlite: raw`1` });
// @ts-expect-error a number
raw(3, { sqlite: raw`1` });

// So does CASE.
// @ts-expect-error a text of the program
caseWhen("x");
// @ts-expect-error a number
caseWhen(3);
// @ts-expect-error an empty object
caseWhen({});
// @ts-expect-error a function that makes a schema
caseWhen(z.string);
// @ts-expect-error a schema of Zod 3
caseWhen(z3.string());
// @ts-expect-error a shape of schemas
caseWhen({ a: z.string() });

// So do the rows and the parameters of your own SQL text.
// @ts-expect-error a value in place of one of its schemas
db.sql("SELECT 1", z.object({ a: 1 }));
// @ts-expect-error one of two is a value
db.sql("SELECT 1", z.object({ a: "x", b: z.string() }));
// @ts-expect-error one is a function that makes a schema
db.sql("SELECT 1", z.object({ a: z.string }));
// @ts-expect-error one is of Zod 3
db.sql("SELECT 1", z.object({ a: z3.string() }));
// @ts-expect-error an object of Zod 3
db.sql("SELECT 1", z3.object({ a: z3.string() }));
// @ts-expect-error a text
db.sql("SELECT 1", z.string());
// @ts-expect-error a list
db.sql("SELECT 1", z.array(z.object({ a: z.string() })));
// @ts-expect-error a shape of schemas
db.sql("SELECT 1", { a: z.string() });
// @ts-expect-error an empty object
db.sql("SELECT 1", {});
// @ts-expect-error a text of the program
db.sql("SELECT 1", "x");
// @ts-expect-error one is a number
db.sql("SELECT :a", undefined, { params: { a: 1 } });
// @ts-expect-error one is a text
db.sql("SELECT :a", undefined, { params: { a: "x" } });
// @ts-expect-error one is a function that makes a schema
db.sql("SELECT :a", undefined, { params: { a: z.string } });
// @ts-expect-error a schema of Zod 3
db.sql("SELECT :a", undefined, { params: { a: z3.string() } });
// @ts-expect-error one is an empty object
db.sql("SELECT :a", undefined, { params: { a: {} } });
// @ts-expect-error an object of Zod in place of a shape
db.sql("SELECT :a", undefined, { params: z.object({ a: z.string() }) });

// The body of a request has a schema, of Zod 3 or 4.
// @ts-expect-error a text of the program
POST("/a", { body: "x" }, run);
// @ts-expect-error a number
POST("/a", { body: 1 }, run);
// @ts-expect-error an empty object
POST("/a", { body: {} }, run);
// @ts-expect-error a shape of schemas
POST("/a", { body: { a: z.string() } }, run);
// @ts-expect-error a function that makes a schema
POST("/a", { body: z.string }, run);

// So has the output.
// @ts-expect-error a text of the program
GET("/a", { output: "x" }, run);
// @ts-expect-error a number
GET("/a", { output: 1 }, run);
// @ts-expect-error an empty object
GET("/a", { output: {} }, run);
// @ts-expect-error a shape of schemas
GET("/a", { output: { a: z.string() } }, run);
// @ts-expect-error a function that makes a schema
GET("/a", { output: z.string }, run);

// Parameters are schemas by name, or an object of them.
// @ts-expect-error a text of the program
GET("/a", { query: "x" }, run);
// @ts-expect-error a number
GET("/a", { query: 1 }, run);
// @ts-expect-error one is a number
GET("/a", { query: { a: 1 } }, run);
// @ts-expect-error one is a text
GET("/a", { query: { a: "x", b: z.string() } }, run);
// @ts-expect-error one is a function that makes a schema
GET("/a", { query: { a: z.string } }, run);
// @ts-expect-error one is an empty object
GET("/a", { query: { a: {} } }, run);
// @ts-expect-error a text
GET("/a", { query: z.string() }, run);
// @ts-expect-error a list
GET("/a", { query: z.array(z.string()) }, run);
// @ts-expect-error one is a number
GET("/a", { headers: { a: 1 } }, run);
// @ts-expect-error one is a function that makes a schema
GET("/a", { headers: { a: z.string } }, run);
// @ts-expect-error a text
GET("/a", { headers: z.string() }, run);
// @ts-expect-error one is a number
GET("/a", { cookies: { a: 1 } }, run);
// @ts-expect-error one is a function that makes a schema
GET("/a", { cookies: { a: z.string } }, run);
// @ts-expect-error a text
GET("/a", { cookies: z.string() }, run);
// @ts-expect-error one is a number
GET("/a/{a}", { path: { a: 1 } }, run);
// @ts-expect-error one is a function that makes a schema
GET("/a/{a}", { path: { a: z.string } }, run);
// @ts-expect-error a text
GET("/a/{a}", { path: z.string() }, run);
// @ts-expect-error one is a number
handler("n", "GET", "/a", { query: { a: 1 } }, run);
// @ts-expect-error a number
handler("n", "GET", "/a", { body: 1 }, run);
// @ts-expect-error a function that makes a schema
handler("n", "GET", "/a", { output: z.string }, run);

// So have the events of a stream, the models of a document and the details of an error.
// @ts-expect-error a number
stream("GET", "/a", { event: 1 }, run);
// @ts-expect-error an empty object
stream("GET", "/a", { event: {} }, run);
// @ts-expect-error a function that makes a schema
stream("GET", "/a", { event: z.string }, run);
// @ts-expect-error one is a number
stream("GET", "/a", { events: { a: 1 } }, run);
// @ts-expect-error one is a function that makes a schema
stream("GET", "/a", { events: { a: z.string } }, run);
// @ts-expect-error a text
stream("GET", "/a", { events: z.string() }, run);
// @ts-expect-error an object of Zod in place of a shape
stream("GET", "/a", { events: z.object({ a: z.string() }) }, run);
// @ts-expect-error one is a number
stream("GET", "/a", { event: z.string(), query: { a: 1 } }, run);
// @ts-expect-error a number
model("x", 1);
// @ts-expect-error an empty object
model("x", {});
// @ts-expect-error a function that makes a schema
model("x", z.string);
// @ts-expect-error a number
defineError({ code: "A", status: 400, message: "x", details: 1 });
// @ts-expect-error an empty object
defineError({ code: "A", status: 400, message: "x", details: {} });
// @ts-expect-error a function that makes a schema
defineError({ code: "A", status: 400, message: "x", details: z.string });
