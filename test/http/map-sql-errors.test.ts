/** Errors of a database as errors that handlers declare: no handler needs a `catch` for them. */
import Sqlite from "better-sqlite3";
import {
  ConstraintError,
  column,
  DecodeError,
  NoRowsError,
  ParameterError,
  QueryError,
  type SqlError,
  StaleVersionError,
  table,
} from "rowtype";
import { mapSqlErrors } from "rowtype/http/sql";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  type AnyHttpError,
  Conflict,
  createEngine,
  DeclarationError,
  Forbidden,
  GET,
  NotFound,
  on,
  PreconditionFailed,
  stream,
  UnprocessableEntity,
} from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";

const errors = [Conflict, UnprocessableEntity, NotFound] as const;
const broken = (code: ConstraintError["code"], fields: readonly string[] = []) =>
  new ConstraintError(code, "constraint failed: users_email_key", { constraint: "users_email_key", fields });

describe("mapSqlErrors", () => {
  test.each<[SqlError, AnyHttpError | undefined, string | undefined]>([
    [broken("UNIQUE_VIOLATION", ["email"]), Conflict, "email is taken"],
    [broken("UNIQUE_VIOLATION"), Conflict, undefined],
    [broken("FOREIGN_KEY_VIOLATION", ["teamId"]), UnprocessableEntity, "teamId breaks a reference"],
    [broken("CHECK_VIOLATION"), UnprocessableEntity, undefined],
    [broken("NOT_NULL_VIOLATION", ["name"]), UnprocessableEntity, "name is required"],
    [new NoRowsError("users"), NotFound, undefined],
    [new QueryError("DEADLOCK", "chosen"), undefined, undefined],
    [new QueryError("CONNECTION_LOST", "lost"), undefined, undefined],
    [new DecodeError("users", "id", "an integer"), undefined, undefined],
  ])("%s", (error, expected, reason) => {
    const [mapped] = [mapSqlErrors(error)].flat();
    expect(mapped?.code).toBe(expected?.code);
    expect(mapped?.details).toEqual(reason === undefined ? undefined : { reason });
  });

  test("names the parameter of a value that a client may have sent, and nothing of the program's mistakes", () => {
    const wrong = (code: ParameterError["code"]) =>
      [mapSqlErrors(new ParameterError(code, "after", "users", "x"))].flat()[0];
    expect(wrong("PARAM_TYPE")?.code).toBe("VALIDATION_FAILED");
    expect(wrong("PARAM_TYPE")?.details).toEqual({
      fields: [{ field: "after", message: "not a value that is taken here" }],
    });
    expect([wrong("MISSING_PARAM"), wrong("EXTRA_PARAM")]).toEqual([undefined, undefined]);
  });

  test("knows errors by their mark: of another copy too, and never data", async () => {
    for (const nothing of [
      null,
      undefined,
      "NO_ROWS",
      { code: "NO_ROWS" },
      JSON.parse(JSON.stringify(new NoRowsError("x"))),
    ])
      expect(mapSqlErrors(nothing)).toBeUndefined();
    expect(mapSqlErrors(Object.assign(new Error("x"), { code: "UNIQUE_VIOLATION" }))).toBeUndefined();
    vi.resetModules();
    const other = await import("../../src/index.js");
    expect([mapSqlErrors(new other.NoRowsError("x"))].flat()[0]?.code).toBe("NOT_FOUND");
  });

  test("serves a table without a catch", async () => {
    const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }) }));
    const User = table(
      "users",
      z.object({
        id: column(z.int(), { primaryKey: true, generated: true }),
        email: column(z.string(), { unique: true }),
        age: column(z.int(), { check: "age >= 0" }),
        teamId: column(z.int(), { references: () => Team }),
      }),
    );
    const handle = new Sqlite(":memory:");
    handle.pragma("foreign_keys = ON");
    const db = sqlite(handle);
    await db.createTables(Team, User);
    await db.repository(Team).insert().exec({ id: 1 });
    const users = db.repository(User);
    const insert = (record: Parameters<ReturnType<typeof users.insert>["exec"]>[0]) => () =>
      users.insert().exec(record);
    const fine = { email: "ann@example.org", age: 1, teamId: 1 };
    const engine = createEngine({ onError: false })
      .withErrorMapper(mapSqlErrors)
      .withHandlers(
        GET("/fine", { errors }, insert(fine)),
        GET("/check", { errors }, insert({ ...fine, email: "b", age: -1 })),
        GET("/reference", { errors }, insert({ ...fine, email: "c", teamId: 9 })),
        GET("/missing", { errors }, () => users.select().where("id", "=", "id").exec({ id: 99 })),
        GET("/undeclared", { errors: [NotFound] }, insert(fine)),
      );
    const ask = async (path: string) => {
      const { status, text } = await serveRequest(engine, "GET", path);
      expect(text()).not.toContain("ann@example.org".repeat(status === 200 ? 2 : 1));
      return status;
    };
    expect(await ask("/fine")).toBe(200);
    expect(await Promise.all(["/fine", "/check", "/reference", "/missing", "/undeclared"].map(ask))).toEqual([
      409, 422, 422, 404, 500,
    ]);
    handle.close();
  });
});

describe("a row that was changed since it was read", () => {
  const answerOf = async (...declared: readonly (typeof PreconditionFailed | typeof Conflict)[]) => {
    const engine = createEngine()
      .withErrorMapper(mapSqlErrors)
      .withHandlers(
        GET("/x", { output: z.string(), errors: declared }, () => {
          throw new StaleVersionError("users");
        }),
      );
    const answer = await serveRequest(engine, "GET", "/x");
    return { status: answer.status, text: answer.text() };
  };
  const reason = '"details":{"reason":"was changed since it was read"}';

  test("is 412 where the handler declares that, else 409, else a failure", async () => {
    const failed = {
      status: 412,
      text: `{"code":"PRECONDITION_FAILED","message":"precondition failed",${reason}}`,
    };
    expect(await answerOf(Conflict, PreconditionFailed)).toEqual(failed);
    expect(await answerOf(PreconditionFailed)).toEqual(failed);
    expect(await answerOf(Conflict)).toEqual({
      status: 409,
      text: `{"code":"CONFLICT","message":"conflict",${reason}}`,
    });
    expect((await answerOf()).status).toBe(500);
  });
});

describe("withErrorMapper", () => {
  const boom = new NoRowsError("users");
  const throwing = () => {
    throw boom;
  };

  test("asks for what handlers, their middleware and streams throw, and not for what engine middleware does", async () => {
    const onError = vi.fn();
    const seen: unknown[] = [];
    const off = on("http.handler.sentinel.error", ({ error, handlerName }) =>
      seen.push([handlerName, error.cause]),
    );
    const engine = createEngine({ onError })
      .withMiddleware((request, _response, next) => next(request.path === "/engine" ? boom : undefined))
      .withErrorMapper(mapSqlErrors)
      .withHandlers(
        GET("/handler", { name: "handler", errors }, throwing),
        GET("/middleware", { errors, middleware: [throwing] }, () => 1),
        GET("/next", { errors, middleware: [(_q, _s, next) => next(boom)] }, () => 1),
        stream("GET", "/stream", { name: "stream", event: z.int(), errors }, throwing),
        GET("/engine", { errors }, () => 1),
        GET("/output", { errors, responseHeaders: throwing }, () => 1),
        GET("/returned", { errors: [...errors, Forbidden] }, () => Forbidden),
      );
    const statuses: Record<string, number> = {};
    for (const path of ["/handler", "/middleware", "/next", "/stream", "/returned"])
      statuses[path] = (await serveRequest(engine, "GET", path)).status;
    expect(statuses).toEqual({
      "/handler": 404,
      "/middleware": 404,
      "/next": 404,
      "/stream": 404,
      "/returned": 403,
    });
    expect(onError).not.toHaveBeenCalled();
    for (const path of ["/engine", "/output"])
      expect((await serveRequest(engine, "GET", path)).status).toBe(500);
    off();
    expect(seen.slice(0, 2)).toEqual([
      ["handler", boom],
      ["stream", boom],
    ]);
  });

  test("the first that gives a declared error decides; one that throws is reported, and the error stays a failure", async () => {
    const onError = vi.fn();
    const own = new Error("mapper");
    const engine = createEngine({ onError })
      .withErrorMapper(() => {
        throw own;
      })
      .withErrorMapper(() => undefined)
      .withErrorMapper(() => "nonsense" as never)
      .withErrorMapper(() => Forbidden)
      .withErrorMapper(() => Conflict.withMessage("first"))
      .withErrorMapper(() => Conflict.withMessage("second"))
      .withHandlers(GET("/x", { errors: [Conflict] }, throwing), GET("/y", throwing));
    expect((await serveRequest(engine, "GET", "/x")).text()).toBe('{"code":"CONFLICT","message":"first"}');
    expect(onError.mock.calls.map(([error]) => error)).toEqual([own]);
    expect((await serveRequest(engine, "GET", "/y")).status).toBe(500);
    expect(onError.mock.calls.map(([error]) => error)).toEqual([own, own, boom]);
  });

  test("a promise is not an answer of a mapper: it is reported, and its rejection ends no process", async () => {
    const onError = vi.fn();
    const rejected = vi.fn();
    process.on("unhandledRejection", rejected);
    const engine = createEngine({ onError })
      .withErrorMapper((async () => {
        throw new Error("mapper");
      }) as never)
      .withHandlers(GET("/x", { errors: [Conflict] }, throwing));
    expect((await serveRequest(engine, "GET", "/x")).status).toBe(500);
    await new Promise(setImmediate);
    process.off("unhandledRejection", rejected);
    expect(rejected).not.toHaveBeenCalled();
    expect(onError.mock.calls.map(([error]) => String(error))).toEqual([
      "TypeError: an error mapper returned a promise; it returns the error itself",
      String(boom),
    ]);
  });

  test("a handler's own words for its error are kept", async () => {
    const engine = createEngine()
      .withErrorMapper(mapSqlErrors)
      .withHandlers(
        GET(
          "/x",
          { errors: [NotFound.withMessage("no such user").withDetails({ resource: "user" })] },
          throwing,
        ),
      );
    expect((await serveRequest(engine, "GET", "/x")).decodeJSON()).toEqual({
      code: "NOT_FOUND",
      message: "no such user",
      details: { resource: "user" },
    });
  });

  test("takes a function, before the engine is used", () => {
    expect(() => createEngine().withErrorMapper("map" as never)).toThrow(DeclarationError);
    const used = createEngine();
    used.router();
    expect(() => used.withErrorMapper(mapSqlErrors)).toThrow(DeclarationError);
  });
});
