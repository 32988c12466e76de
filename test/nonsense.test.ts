/**
 * Every export of every subpath, called with nonsense: it gives something, or an error of ours that says what it
 * expected. The subpaths come from package.json and the names from the modules, so a new export is covered by itself;
 * `rightCalls` adds what a call looks like that works, of which one argument at a time is replaced, and whose answer
 * is called in the same way.
 */
import { readdirSync, readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import express from "express";
import { createEngine, listen, stream } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { sessions } from "rowtype/http/session";
import { serveRequest } from "rowtype/http/testing";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { CodedError } from "../src/core/errors.js";
import { engine, oauth, rightCalls, User } from "./kit/right-calls.js";
import { rounds } from "./rounds.js";

const OURS = "the proxy answers nothing";
const refuse = () => {
  throw new Error(OURS);
};
const throwing = () => new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });

/** What is given in the place of an argument. Made anew each time: a call may keep it. */
const nonsense: readonly (readonly [string, () => unknown])[] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["5", () => 5],
  ["NaN", () => Number.NaN],
  ["true", () => true],
  ["5n", () => 5n],
  ['""', () => ""],
  ['"x"', () => "x"],
  ["[]", () => []],
  ["[null]", () => [null]],
  ["{}", () => ({})],
  ["{ a: null }", () => ({ a: null })],
  ["a function", () => () => undefined],
  ["a Symbol", () => Symbol("s")],
  ["a frozen object", () => Object.freeze({ id: 5 })],
  ["an object without prototype", () => Object.create(null)],
  ["a throwing proxy", throwing],
];

const elsewhere = (code: string): unknown => runInNewContext(code);
const revoked = (target: object): unknown => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const getterOf = (name: string) =>
  Object.defineProperty({}, name, { enumerable: true, get: refuse }) as Readonly<Record<string, unknown>>;

/** The same of stranger kinds. They are given alone in the place of each argument, and of each part of one. */
const strange: typeof nonsense = [
  ["an object with toString", () => ({ toString: () => "x", [Symbol.toPrimitive]: () => "x" })],
  ["an object whose toString throws", () => ({ toString: refuse, toJSON: refuse })],
  ["a getter that throws", () => getterOf("id")],
  ["a symbol of the language", () => Symbol.iterator],
  ["an object with a symbol", () => ({ [Symbol.toStringTag]: "x", [Symbol("own")]: 1 })],
  ["a proxy that lets everything through", () => new Proxy({}, {})],
  ["a revoked proxy", () => revoked({})],
  ["a revoked proxy of a list", () => revoked([])],
  ["a revoked proxy of a function", () => revoked(() => undefined)],
  ["a list of holes", () => new Array(3)],
  ["a list with a hole", () => Object.assign(new Array(2), { 1: "b" })],
  [
    "a list that holds itself",
    () => {
      const list: unknown[] = [];
      list.push(list);
      return list;
    },
  ],
  ["a list of throwing proxies", () => [throwing()]],
  ["an infinity", () => Number.NEGATIVE_INFINITY],
  ["a fraction", () => 0.5],
  ["2 ** 53", () => 2 ** 53],
  ["a huge text", () => "x".repeat(300_000)],
  ["half of a character", () => "\ud800"],
  ["a control character", () => "\u0000\n"],
  ["a boxed text", () => Object("x")],
  ["a Date that is none", () => new Date(Number.NaN)],
  ["a Map", () => new Map([["a", 1]])],
  ["bytes", () => new Uint8Array(2)],
  ["a class", () => class Odd {}],
  ["a promise", () => Promise.resolve(1)],
  ["a thenable that throws", () => getterOf("then")],
  ["a list of another realm", () => elsewhere("['a']")],
  ["an object of another realm", () => elsewhere("({ a: 1 })")],
  ["an instance of another realm", () => elsewhere("new (class Odd { id = 5 })()")],
  ["a Date of another realm", () => elsewhere("new Date(0)")],
  ["an Error of another realm", () => elsewhere("new Error('x')")],
  ["a function of another realm", () => elsewhere("(() => 1)")],
];

/** What engines write of a bug: no error of ours says such a thing. */
const OF_THE_ENGINE =
  /cannot (read|convert|destructure|set|mix|access|use)|is not (a function|iterable|defined|a constructor)|\[object |reduce of empty|private (field|member)|spread syntax|the proxy answers/i;

/** Parts of right calls that are not options: they may have other names, or are what somebody else makes. */
const NO_OPTIONS = [
  "\\. (ddl|toDbml|toMermaid) ",
  "\\./(postgres|mariadb|oracle|sqlite) \\w+ 1$",
  "\\./http (handlers |identity 1|extractor 2\\.scheme|[A-Z]+ 2\\.(path|query)$|stream 3\\.events)",
  "\\./http/client createClient 2\\.headers",
  "\\./http/session sessions 1\\.store",
  "\\./http/session/sql sqlStore 1$",
  "\\./http/testing ",
  "\\./openapi to(JSON|YAML) 1",
];
const isNoOption = new RegExp(`^(${NO_OPTIONS.join("|")})`);

/** Right calls with one name too many in one of their objects, and where it stands. */
function* misspelt(): Generator<readonly [where: string, args: readonly unknown[]]> {
  for (const [name, make] of Object.entries(rightCalls))
    for (const [i, given] of make().entries()) {
      if (!isPlain(given)) continue;
      const put = (value: unknown) => make().map((one, at) => (at === i ? value : one));
      const where = `${name} ${i + 1}`;
      if (!isNoOption.test(where)) yield [where, put({ ...given, retrys: 3 })];
      for (const [key, inner] of Object.entries(given))
        if (isPlain(inner) && !isNoOption.test(`${where}.${key}`))
          yield [`${where}.${key}`, put({ ...given, [key]: { ...inner, retrys: 3 } })];
    }
}

/** Things with methods that no export gives by itself. */
const things: readonly (readonly [string, () => object])[] = [
  ["a database without a handle", () => recording("postgres", () => [{ id: 1, name: "Ann" }])],
  ["a repository", () => recording("postgres", () => [{ id: 1, name: "Ann" }]).repository(User)],
  ...(["select", "query", "insert", "modify", "remove", "count"] as const).map(
    (method) =>
      [
        `${method}()`,
        () =>
          recording("postgres", () => [{ id: 1, name: "Ann" }])
            .repository(User)
            [method](),
      ] as const,
  ),
  ["specs", () => recording("postgres").repository(User).specs()],
  ["db.sql()", () => recording("postgres").sql("SELECT 1")],
  ["an engine", () => createEngine()],
  ["an engine with handlers", engine],
];

/** Parameters and records, documents, and what errors and identities are made of. */
const READ_EACH_CALL =
  /^(\w+Error\(|stream\.send\(|LoginRequired|identity(\(|argument)|toJSON|toYAML|sessions\(\)\.extractor|(select|query|insert|modify|remove|count|db\.sql)\(\)\.\w*(exec|explain))/;

const OF_THE_CALLER = /^the proxy answers nothing$|on a proxy that has been revoked$/;
const UNCALLABLE = /^Class constructor Odd cannot be invoked|^Cannot perform 'apply' on a proxy/;

type Fault = string;
// biome-ignore lint/suspicious/noExplicitAny: these calls no compiler may stop.
type Untyped = any;
type Call = (...args: readonly unknown[]) => unknown;

/** What is wrong with what was thrown; nothing where it is as it should be. */
function faultOf(label: string, error: unknown): Fault[] {
  // What a getter of the caller's throws where values are read call by call comes through as it was thrown.
  if (READ_EACH_CALL.test(label) && error instanceof Error && OF_THE_CALLER.test(error.message)) return [];
  // What a function of the caller's throws when it is called is the caller's.
  if (error instanceof TypeError && UNCALLABLE.test(error.message)) return [];
  if (
    /^assert(Status|ErrorCode)/.test(label) &&
    error instanceof Error &&
    /^expected (status|error code) /.test(error.message)
  )
    return [];
  if (!(error instanceof CodedError)) return [`${label}: ${described(error)}`];
  const { code, message } = error;
  if (typeof code !== "string" || !/^[A-Z][A-Z_]+$/.test(code))
    return [`${label}: the code is ${String(code)}`];
  if (message.length < 8 || OF_THE_ENGINE.test(message)) return [`${label}: ${described(error)}`];
  return [];
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return `no Error but ${typeof error}`;
  const at = error.stack?.split("\n").find((line) => line.includes("/src/")) ?? "";
  return `${error.name}: ${error.message.slice(0, 100)} ${at.replace(/^.*\/src\//, "@ ").replace(/\)$/, "")}`;
}

/** What is made must be left as it was found: nothing listens, nothing stays open. */
async function attempt(label: string, call: () => unknown, faults: Fault[]): Promise<readonly [unknown]> {
  try {
    const result = call();
    // In a list: what is returned bare would be asked for its `then`.
    if (!isPromise(result)) return [result];
    const late = new Promise((resolve) => setTimeout(resolve, 300, undefined).unref());
    return [await Promise.race([result, late])];
  } catch (error) {
    faults.push(...faultOf(label, error));
    return [undefined];
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return value instanceof Promise;
  } catch {
    // What was given is handed back.
    return false;
  }
}

/** Argument lists: nothing, one to three times the same nonsense, and a right call with one place of it wrong. */
function* argumentLists(
  right?: () => readonly unknown[],
  more: typeof nonsense = [],
): Generator<readonly [string, readonly unknown[]]> {
  yield ["()", []];
  for (const [name, make] of nonsense)
    for (let times = 1; times <= 3; times++)
      yield [`(${Array(times).fill(name).join(", ")})`, Array.from({ length: times }, make)];
  for (const [name, make] of more) yield [`(${name})`, [make()]];
  if (right === undefined) return;
  const { length } = right();
  for (const [name, make] of [...nonsense, ...more])
    for (let at = 0; at < length; at++) {
      const args = [...right()];
      const given = args[at];
      args[at] = make();
      yield [`argument ${at + 1} = ${name}`, args];
      if (!isPlain(given)) continue;
      for (const key of Object.keys(given)) {
        const changed = [...right()];
        changed[at] = { ...given, [key]: make() };
        yield [`argument ${at + 1}.${key} = ${name}`, changed];
        const inner = given[key];
        if (!isPlain(inner)) continue;
        for (const innerKey of Object.keys(inner)) {
          const deep = [...right()];
          deep[at] = { ...given, [key]: { ...inner, [innerKey]: make() } };
          yield [`argument ${at + 1}.${key}.${innerKey} = ${name}`, deep];
        }
      }
    }
}

/** A right call in which one part of an argument, or of a part of it, cannot be read. */
function* unreadable(right: () => readonly unknown[]): Generator<readonly [string, readonly unknown[]]> {
  for (const [at, given] of right().entries()) {
    if (!isPlain(given)) continue;
    const put = (part: object) => right().map((one, i) => (i === at ? part : one));
    for (const [key, inner] of Object.entries(given)) {
      yield [`argument ${at + 1}.${key} throws`, put(throwingAt(given, key))];
      for (const innerKey of isPlain(inner) ? Object.keys(inner) : [])
        yield [
          `argument ${at + 1}.${key}.${innerKey} throws`,
          put({ ...given, [key]: throwingAt(Object(inner), innerKey) }),
        ];
    }
  }
}

const throwingAt = (given: object, key: string): object =>
  Object.defineProperty({ ...given }, key, { enumerable: true, get: refuse });

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isClass(value: Call): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

const ANY_OBJECT = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
  // They are asked of errors by whoever catches them.
  "constructor",
]);

/** What the interfaces of the SQL half declare: builders have methods of their own beside these. */
const declared = new Set<string>();
for (const file of [
  ...readdirSync("src/sql/types", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `types/${name}`),
  "door/repository.ts",
  "door/database.ts",
  "door/raw.ts",
])
  for (const [, name = ""] of readFileSync(`src/sql/${file}`, "utf8").matchAll(
    /^ {2,4}(?:readonly )?(\w+)\??[<(:]/gm,
  ))
    declared.add(name);

/** The names of the methods of an object, those of its classes too. */
function methodsOf(thing: object): string[] {
  const names = new Set<string>();
  const isOfSql = "toSpec" in thing || "render" in thing;
  for (let at: object | null = thing; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) {
      if (ANY_OBJECT.has(name) || (isOfSql && !declared.has(name))) continue;
      try {
        if (typeof Reflect.get(thing, name) === "function") names.add(name);
      } catch {
        // A getter that refuses is not a method.
      }
    }
  return [...names];
}

/** What only shows when it is used: problems of building come with rendering and executing. */
async function use(label: string, made: unknown, faults: Fault[]): Promise<void> {
  if (typeof made !== "object" || made === null) return;
  for (const name of ["render", "build", "exec", "toSpec"]) {
    const method: unknown = Reflect.get(made, name);
    if (typeof method === "function")
      await attempt(`${label}.${name}()`, () => Reflect.apply(method, made, []), faults);
  }
}

// Each method gets a share of the argument lists, and the next method the next one: each thing gets all of them.
const SHARE = rounds({ small: 3, full: 1 });
let turn = 0;

async function callMethods(
  label: string,
  make: () => object,
  faults: Fault[],
  more: typeof nonsense = [],
): Promise<void> {
  for (const name of methodsOf(make())) {
    turn++;
    for (const [how, args] of argumentLists(undefined, more)) {
      if (turn++ % SHARE !== 0) continue;
      const thing = make();
      const method: unknown = Reflect.get(thing, name);
      if (typeof method !== "function") continue;
      const text = `${label}.${name}${how}`;
      const [made] = await attempt(text, () => Reflect.apply(method, thing, args), faults);
      if (label !== "a database without a handle" && !label.startsWith("an engine"))
        await use(text, made, faults);
      const stop: unknown = Reflect.get(thing, "shutdown");
      if (typeof stop === "function" && name === "start") await Reflect.apply(stop, thing, [{ drainMs: 0 }]);
    }
  }
}

const DRIVERS = new Set(["./postgres", "./mariadb", "./oracle", "./sqlite"]);

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> };
const subpaths = Object.keys(exports).filter((path) => path !== "./package.json");

beforeAll(() => {
  vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe.each(subpaths)("%s", async (subpath) => {
  const found: Record<string, unknown> = await import(subpath.replace(/^\./, "rowtype"));
  const functions = new Map<string, Call>();
  for (const [name, value] of Object.entries(found)) {
    if (typeof value === "function") functions.set(name, value as Call);
    else if (isPlain(value) || Object.getPrototypeOf(value ?? 0) === null)
      for (const [inner, one] of Object.entries(value as object))
        if (typeof one === "function") functions.set(`${name}.${inner}`, one);
  }
  test.skipIf(functions.size === 0).each([...functions])("%s", async (name, call) => {
    const faults: Fault[] = [];
    const right = rightCalls[`${subpath} ${name}`];
    // Those of the SQL half stand in a test of their own.
    const more = subpath === "." ? [] : strange;
    for (const [how, args] of [
      ...argumentLists(right, more),
      ...(right === undefined ? [] : unreadable(right)),
    ]) {
      const text = `${name}${how}`;
      const run = isClass(call) ? () => Reflect.construct(call, args) : () => call(...args);
      const [made] = await attempt(text, run, faults);
      if (subpath === ".") await use(text, made, faults);
      if (name === "on" && typeof made === "function") made();
    }
    if (right !== undefined && !isClass(call)) {
      const [made] = await attempt(`${name}()`, () => call(...right()), faults);
      if (name === "on" && typeof made === "function") made();
      if (
        typeof made === "object" &&
        made !== null &&
        !isPromise(made) &&
        !Array.isArray(made) &&
        !(made instanceof z.ZodType)
      )
        // The databases of all drivers are of one class.
        await callMethods(
          `${name}()`,
          () => call(...right()) as object,
          faults,
          DRIVERS.has(subpath) ? [] : more,
        );
    }
    expect(faults).toEqual([]);
  });
});

const session = () =>
  rightCalls["./http/session sessions"]?.().map((options) => sessions(options as never))[0] ??
  expect.unreachable();
const client = () => createClient("https://a.example", { fetch: oauth.fetch });
const options = (more: object = {}) => ({ ...more, retrys: 3 }) as never;

/** The same of methods, and of functions that begin something. */
const misspeltMethods: readonly (readonly [string, () => unknown])[] = [
  ["engine.shutdown", () => createEngine().shutdown(options())],
  ["listen", () => listen(express(), "127.0.0.1", 0, options({ timeouts: {} }))],
  ["listen with an option of engines", () => listen(express(), "127.0.0.1", 0, { maxBodySize: 5 } as never)],
  [
    "listen().shutdown",
    async () => {
      const { shutdown } = await listen(express(), "127.0.0.1", 0);
      try {
        await shutdown(options());
      } finally {
        await shutdown();
      }
    },
  ],
  ["loginHandler", () => session().loginHandler("/login", options())],
  ["logoutHandler", () => session().logoutHandler("/logout", options({ redirectTo: "/" }))],
  ...(["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map(
    (method) => [`client.${method}`, () => (client() as Untyped)[method]("/x", options())] as const,
  ),
  ["client.stream", () => (client() as Untyped).stream("GET", "/s", options())],
];

test.each([
  ...[...misspelt()].map(([where, args]) => {
    const [subpath = "", name = ""] = where.split(" ");
    return [
      where,
      async () => {
        const { [name]: call } = (await import(subpath.replace(/^\./, "rowtype"))) as Record<string, Call>;
        return call?.(...args);
      },
    ] as const;
  }),
  ...misspeltMethods,
])("%s: an unknown option is refused by its name, with those that there are", async (_, call) => {
  const error: unknown = await (async () => call())().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CodedError);
  expect(Object(error).message).toMatch(/unknown (option|key) "(retrys|maxBodySize)".*(options|keys): \w+/);
});

test.each(things)("methods of %s", async (label, make) => {
  const faults: Fault[] = [];
  await callMethods(label, make, faults, label.startsWith("an engine") ? strange : []);
  expect(faults).toEqual([]);
});

test("methods of a transaction", async () => {
  const faults: Fault[] = [];
  await recording("postgres", () => [{ id: 1, name: "Ann" }]).transaction(async (tx) => {
    expect(methodsOf(tx)).toEqual(expect.arrayContaining(["repository", "sql", "transaction"]));
    await callMethods("tx", () => tx, faults);
  });
  expect(faults).toEqual([]);
});

test.each([
  ["of one event", { event: z.int() }],
  ["of named events", { events: { tick: z.int() } }],
] as const)("methods of an HTTP stream %s", async (_, options) => {
  const faults: Fault[] = [];
  let names: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const watched = stream("GET", "/s", options as { event: z.ZodInt }, async (_call, events) => {
    names = methodsOf(events);
    await callMethods("stream", () => events, faults);
    end();
  });
  const response = await serveRequest(createEngine().withHandlers(watched), "GET", "/s");
  const reading = (async () => {
    for await (const _event of response.events());
  })();
  await ended;
  await reading;
  expect(names).toEqual(expect.arrayContaining(["sendComment", "open"]));
  expect(faults).toEqual([]);
});
