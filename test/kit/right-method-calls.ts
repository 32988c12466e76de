/** Calls of methods that work, and of functions that `right-calls` has none of: how they are called, and with what. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import express from "express";
import * as rowtype from "rowtype";
import { column, count, listAgg, many, one, sum, table, textAgg, view } from "rowtype";
import { databaseOver } from "rowtype/driver";
import { driverTests } from "rowtype/driver/test";
import * as http from "rowtype/http";
import { createEngine, csv, file, GET, group, listen, model, rows, upload, uploads } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { sessions } from "rowtype/http/session";
import { mockIdentity, serveRequest, testEngine } from "rowtype/http/testing";
import {
  assertInSync,
  defineConfig,
  diff,
  generate,
  introspect,
  migrate,
  pull,
  status,
} from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { z } from "zod";
import { oauth, rightCalls } from "./right-calls.js";

// biome-ignore lint/suspicious/noExplicitAny: these calls no compiler may stop.
type Untyped = any;

export interface RightCall {
  readonly args: () => readonly unknown[];
  readonly call: (...args: readonly Untyped[]) => unknown;
}

const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }), label: z.string() }), {
  relations: { members: many("people", "teamId") },
});
const Person = table(
  "people",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: column(z.string(), { unique: true }),
    meta: rowtype.json(z.object({ a: z.string() })).nullable(),
    teamId: z.int().nullable(),
  }),
  { relations: { team: one("teams", "teamId") } },
);

const db = () => recording("postgres", () => [{ id: 1, name: "Ann", meta: null, teamId: 1 }]) as Untyped;
const people = () => db().repositories({ people: Person, teams: Team }).people as Untyped;
const real = () => sqlite(new Sqlite(":memory:"));
const client = () => createClient("https://a.example", { fetch: oauth.fetch }) as Untyped;
const session = () => sessions(rightCalls["./http/session sessions"]?.()[0] as never) as Untyped;
const folder = () => mkdtempSync(join(tmpdir(), "rowtype-once-"));
const record = () => ({ id: 1, name: "Ann", meta: { a: "b" }, teamId: null });
const signal = () => new AbortController().signal;

/** The right calls by their names. */
export const rightMethodCalls: Readonly<Record<string, RightCall>> = {
  transaction: {
    args: () => [async () => 1, { isolation: "serializable", retries: 1, signal: signal() }],
    call: (...args) => db().transaction(...args),
  },
  ping: { args: () => [{ signal: signal() }], call: (...args) => db().ping(...args) },
  native: { args: () => ["SELECT 1", [], { signal: signal() }], call: (...args) => db().native(...args) },
  atomic: { args: () => [[], { signal: signal() }], call: (...args) => db().atomic(...args) },
  sql: { args: () => ["SELECT :a", { params: { a: z.int() } }], call: (...args) => db().sql(...args) },
  "sql().exec": {
    args: () => [{ a: 1 }, { signal: signal() }],
    call: (...args) =>
      db()
        .sql("SELECT :a", { params: { a: z.int() } })
        .exec(...args),
  },
  repositories: {
    args: () => [{ people: Person, teams: Team }],
    call: (...args) => db().repositories(...args),
  },
  scope: {
    args: () => [{ teamId: 1 }],
    call: (...args) =>
      people()
        .scope(...args)
        .query()
        .exec(),
  },
  specs: {
    args: () => [
      {
        fields: ["id", "name"],
        maxDepth: 3,
        maxConditions: 3,
        maxLimit: 5,
        defaultLimit: 5,
        locks: true,
        regex: true,
        operators: ["="],
        aggregates: ["sum"],
        maxJoins: 1,
        maxRows: 5,
        relations: { team: { fields: ["id"], maxLimit: 3, whole: true } },
      },
    ],
    call: (...args) => people().specs(...args),
  },
  "specs().query": {
    args: () => [{ fields: ["id"], where: [{ field: "id", operator: "=", param: "p" }], limit: 3 }],
    call: (...args) =>
      people()
        .specs({ fields: ["id"] })
        .query.safeParse(...args),
  },
  queryFromSpec: {
    args: () => [{ fields: ["id"], where: [{ field: "id", operator: "=", param: "p" }], limit: 3 }],
    call: (...args) =>
      people()
        .queryFromSpec(...args)
        .safeRender(),
  },
  "query().exec": {
    args: () => [{ p: 1 }, { signal: signal() }],
    call: (...args) =>
      people()
        .query()
        .where("id", "=", "p")
        .exec(...args),
  },
  "query().stream": {
    args: () => [{ p: 1 }, { signal: signal() }],
    call: (...args) =>
      people()
        .query()
        .where("id", "=", "p")
        .stream(...args)
        [Symbol.asyncIterator]()
        .next(),
  },
  "query().explain": {
    args: () => [{ p: 1 }, { signal: signal() }],
    call: (...args) =>
      people()
        .query()
        .where("id", "=", "p")
        .explain(...args),
  },
  "insert().exec": {
    args: () => [record(), { signal: signal() }],
    call: (...args) =>
      people()
        .insert()
        .exec(...args),
  },
  "insert().execMany": {
    args: () => [[record()], { signal: signal() }],
    call: (...args) =>
      people()
        .insert()
        .execMany(...args),
  },
  "insert().with": {
    args: () => [{ id: 1, label: "x", members: [record()] }],
    call: (...args) =>
      db()
        .repositories({ people: Person, teams: Team })
        .teams.insert()
        .with("members")
        .exec(...args),
  },
  "modify().execBatch": {
    args: () => [[{ i: 1, name: "Bo" }], { signal: signal() }],
    call: (...args) =>
      people()
        .modify()
        .set("name", "name")
        .where("id", "=", "i")
        .execBatch(...args),
  },
  "modify().exec": {
    args: () => [{ i: 1, name: "Bo" }, { signal: signal() }],
    call: (...args) =>
      people()
        .modify()
        .set("name", "name")
        .where("id", "=", "i")
        .exec(...args),
  },
  forUpdate: {
    args: () => [{ skipLocked: true }],
    call: (...args) =>
      people()
        .query()
        .forUpdate(...args)
        .safeRender(),
  },
  over: {
    args: () => [
      { partitionBy: ["name"], orderBy: [["id", "asc"]], frame: { rows: [{ preceding: 1 }, "current row"] } },
    ],
    call: (...args) =>
      people()
        .query()
        .fields((sum("id") as Untyped).over(...args).as("x_"))
        .safeRender(),
  },
  textAgg: {
    args: () => ["name", "s", { orderBy: [["id", "asc"]] }],
    call: (...args) =>
      people()
        .query()
        .fields((textAgg as Untyped)(...args).as("x_"))
        .safeRender(),
  },
  listAgg: {
    args: () => ["name", { orderBy: [["id", "asc"]] }],
    call: (...args) =>
      people()
        .query()
        .fields((listAgg as Untyped)(...args).as("x_"))
        .safeRender(),
  },
  raw: {
    args: () => [{ postgres: "1", sqlite: "1" }],
    call: (texts) =>
      people()
        .query()
        .fields((rowtype.raw(z.int()) as Untyped)(texts).as("x_"))
        .safeRender(),
  },
  table: {
    args: () => [
      "t",
      z.object({ a: z.int(), b: z.int() }),
      {
        schema: "s",
        primaryKey: ["a"],
        unique: [["b"]],
        comment: "c",
        model: "M",
        renamedFrom: "o",
        relations: { team: one("teams", "b") },
        foreignKeys: [
          {
            columns: ["b"],
            references: () => Team,
            target: ["id"],
            onDelete: "cascade",
            onUpdate: "cascade",
            name: "f",
          },
        ],
        checks: { low: "b > 0", high: { postgres: "b < 9" } },
        indexes: [
          {
            columns: ["a", { column: "b", order: "desc" }],
            unique: true,
            where: "b > 0",
            using: "btree",
            name: "i",
          },
        ],
        filters: { kept: rowtype.isNull("b") },
      },
    ],
    call: (...args) => (table as Untyped)(...args),
  },
  column: {
    args: () => [
      z.int(),
      {
        name: "a",
        type: "bigint",
        default: "1",
        check: { postgres: "a > 0" },
        comment: "c",
        renamedFrom: ["x"],
        references: () => Team,
        index: { name: "i", unique: true },
      },
    ],
    call: (...args) => table("t", z.object({ a: (column as Untyped)(...args) })),
  },
  one: {
    args: () => ["teams", "teamId", { without: ["kept"] }],
    call: (...args) => (one as Untyped)(...args),
  },
  many: {
    args: () => ["people", "teamId", { key: "id", without: ["kept"] }],
    call: (...args) => (many as Untyped)(...args),
  },
  "many through": {
    args: () => ["people", { through: "links", from: "a", to: "b", without: ["kept"] }],
    call: (...args) => (many as Untyped)(...args),
  },
  view: {
    args: () => ["v", z.object({ a: z.int() }), { schema: "s", primaryKey: ["a"], as: "SELECT 1 AS a" }],
    call: (...args) => (view as Untyped)(...args),
  },
  diff: {
    args: () => [[Team], { ignore: ["x"], drop: "tables", types: "exact" }],
    call: (tables, options) => diff(tables, real(), options),
  },
  generate: {
    args: () => [
      [Team],
      { folder: folder(), name: "n", allow: [], ignore: ["x"], drop: "tables", dialects: ["sqlite"] },
    ],
    call: (tables, options) => generate(tables, real(), options),
  },
  pull: {
    args: () => [{ names: "camel", ignore: ["x"] }],
    call: (options) => pull(real(), options),
  },
  introspect: { args: () => [{ ignore: ["x"] }], call: (options) => introspect(real(), options) },
  status: { args: () => [{ folder: folder() }], call: (options) => status(real(), options) },
  migrate: {
    args: () => [
      {
        folder: folder(),
        dryRun: true,
        allow: [],
        accept: [],
        outOfOrder: "apply",
        lockWaitMs: 5,
        onStep: () => {},
      },
    ],
    call: (options) => migrate(real(), options),
  },
  defineConfig: {
    args: () => [
      {
        tables: "a/*.ts",
        database: () => ({}),
        folder: "f",
        dialects: ["sqlite"],
        ignore: ["x"],
        schemas: ["s"],
        disposable: true,
        scratch: () => ({}),
      },
    ],
    call: (...args) => (defineConfig as Untyped)(...args),
  },
  databaseOver: {
    args: () => ["sqlite", { run: async () => ({ rows: [], affected: 0 }) }, { retries: 1 }],
    call: (...args) => (databaseOver as Untyped)(...args),
  },
  "engine.shutdown": {
    args: () => [{ timeoutMs: 5, drainMs: 0, signal: signal() }],
    call: (...args) => (createEngine() as Untyped).shutdown(...args),
  },
  "engine.withOpenAPIInfo": {
    args: () => [{ title: "t", version: "1", description: "d" }],
    call: (...args) => (createEngine() as Untyped).withOpenAPIInfo(...args).openapi?.(),
  },
  "engine.withHandlers": {
    args: () => [GET("/x", () => ({ ok: true }))],
    call: (...args) => (createEngine() as Untyped).withHandlers(...args),
  },
  listen: {
    args: () => ["127.0.0.1", 0, { timeouts: { headersMs: 5 } }],
    call: async (...args) => (await (listen as Untyped)(express(), ...args)).shutdown({ drainMs: 0 }),
  },
  loginHandler: {
    args: () => ["/login", { returnTo: ["/a"] }],
    call: (...args) => session().loginHandler(...args),
  },
  logoutHandler: {
    args: () => ["/logout", { redirectTo: "/" }],
    call: (...args) => session().logoutHandler(...args),
  },
  "client.POST": {
    args: () => [
      "/x/{id}",
      {
        path: { id: 1 },
        query: { q: "a" },
        body: { a: { b: 1 } },
        headers: { a: "b" },
        signal: signal(),
        timeoutMs: 50,
        retries: 0,
      },
    ],
    call: (...args) => client().POST(...args),
  },
  "client.stream": {
    args: () => ["GET", "/s", { query: { q: "a" }, headers: { a: "b" }, signal: signal() }],
    call: (...args) =>
      client()
        .stream(...args)
        [Symbol.asyncIterator]()
        .next(),
  },
  createClient: {
    args: () => ["https://a.example", { fetch: oauth.fetch, headers: { a: "b" }, timeoutMs: 5, retries: 1 }],
    call: (...args) => (createClient as Untyped)(...args).GET("/x"),
  },
  group: {
    args: () => ["/g", { tags: ["a"], authentication: true, description: "d" }],
    call: (...args) => (group as Untyped)(...args),
  },
  upload: {
    args: () => [{ maxBytes: 5, types: ["*/*"], optional: true }],
    call: (...args) => (upload as Untyped)(...args),
  },
  uploads: {
    args: () => [{ max: 3, maxBytes: 5, types: ["*/*"] }],
    call: (...args) => (uploads as Untyped)(...args),
  },
  file: { args: () => [{ types: ["*/*"] }], call: (...args) => (file as Untyped)(...args) },
  csv: {
    args: () => [z.object({ a: z.int() }), { delimiter: ";" }],
    call: (...args) => (csv as Untyped)(...args),
  },
  rows: {
    args: () => [z.object({ a: z.int() }), { delimiter: ";" }],
    call: (...args) => (rows as Untyped)(...args),
  },
  "a handler's answer": {
    args: () => [{ a: "x", inner: { b: 1 } }],
    call: (answer) =>
      serveRequest(
        createEngine().withHandlers(
          GET("/x", { output: z.object({ a: z.string(), inner: z.object({ b: z.int() }) }) }, () => answer),
        ),
        "GET",
        "/x",
      ),
  },
  testEngine: {
    args: () => [GET("/x", () => ({ ok: true }))],
    call: (...args) => (testEngine as Untyped)(...args),
  },
  model: { args: () => ["N", z.object({ a: z.int() })], call: (...args) => (model as Untyped)(...args) },
  count: { args: () => ["id"], call: (...args) => (count as Untyped)(...args) },
  enumType: {
    args: () => ["mood", ["sad"], { schema: "s" }],
    call: (...args) => (rowtype.enumType as Untyped)(...args),
  },
  dateTrunc: {
    args: () => ["day", rowtype.now(), { zone: "Europe/Berlin" }],
    call: (...args) => (rowtype.dateTrunc as Untyped)(...args),
  },
  datePart: {
    args: () => ["day", rowtype.now(), { zone: "Europe/Berlin" }],
    call: (...args) => (rowtype.datePart as Untyped)(...args),
  },
  dateAdd: {
    args: () => [rowtype.now(), 1, "day", { zone: "Europe/Berlin" }],
    call: (...args) => (rowtype.dateAdd as Untyped)(...args),
  },
  dateDiff: {
    args: () => ["day", rowtype.now(), rowtype.now(), { zone: "Europe/Berlin" }],
    call: (...args) => (rowtype.dateDiff as Untyped)(...args),
  },
  form: { args: () => [{ a: z.string() }], call: (...args) => (http.form as Untyped)(...args) },
  multipart: {
    args: () => [{ a: z.string(), b: upload({ maxBytes: 5 }) }],
    call: (...args) => (http.multipart as Untyped)(...args),
  },
  reply: {
    args: () => [200, { a: 1 }, { "x-a": "b" }],
    call: (...args) => (http.reply as Untyped)(...args),
  },
  assertInSync: {
    args: () => [[], { ignore: ["x"], drop: "tables", types: "exact" }],
    call: (tables, options) => (assertInSync as Untyped)(tables, real(), options),
  },
  driverTests: {
    args: () => [{ dialect: "sqlite", open: () => ({}), skip: [] }],
    call: (...args) => (driverTests as Untyped)(...args),
  },
  mockIdentity: {
    args: () => [{ a: 1 }],
    call: (stats) => (mockIdentity as Untyped)().withStats(stats),
  },
};
