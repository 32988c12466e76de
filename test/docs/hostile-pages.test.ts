/**
 * The programs of the guide take whatever is sent to them: hostile values for each parameter, each header and each field
 * of a body that the document of a page's engine names. None is a failure of the server, and each is answered.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AnyEngine, serveRequestWithHeaders } from "rowtype/http/testing";
import { afterAll, describe, expect, test } from "vitest";
import { filesOf, pageNames, readPage } from "../../scripts/doc-pages.mjs";
import { texts, values } from "../hostile-values.js";

const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), "hostile-"));
// The programs share a process, and need not remove their listeners.
const offs: (() => void)[] = [];
afterAll(() => offs.forEach((off) => void off()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A page that declares handlers in blocks that run, and makes its engine of them.
const madeBy = /^import \{.*\b(?:createEngine|testEngine)\b.*\} from "rowtype\/http(?:\/testing)?";$/m;
const pages = pageNames().filter((name) => {
  const files = [...filesOf(readPage(name)).values()];
  return name.startsWith("guide/") && files.some((body) => madeBy.test(body));
});

/** The handlers that fail on purpose, to show what a failure looks like, by page. */
const failing: Readonly<Record<string, readonly string[]>> = {
  "guide/errors.md": ["/broken"],
};

type Method = (...args: unknown[]) => unknown;
type Made = AnyEngine & Record<string, Method>;

/** An engine of a page, made again: the page has shut its own down. */
interface Recorded {
  readonly make: () => Made;
  readonly calls: (readonly [name: string, args: readonly unknown[]])[];
}

/** Runs the program of a page with its own output thrown away; gives the engines that it made. */
async function enginesOf(name: string): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const record =
    (make: Method) =>
    (...args: unknown[]) => {
      // Every maker of an engine gives one; its methods are called by name.
      const again = () => make(...args) as Made;
      const engine = again();
      const one: Recorded = { make: again, calls: [] };
      recorded.push(one);
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(engine)).filter((own) =>
        /^with[A-Z]/.test(own),
      );
      for (const own of names) {
        const method = engine[own] ?? expect.unreachable();
        Object.defineProperty(engine, own, {
          value: (...given: unknown[]) => {
            one.calls.push([own, given]);
            return method.apply(engine, given);
          },
        });
      }
      return engine;
    };
  const key = `hostile ${name}`;
  const listen =
    (on: Method) =>
    (...args: unknown[]) => {
      // What `on` gives ends its listener.
      const off = on(...args) as () => void;
      offs.push(off);
      return off;
    };
  Object.assign(globalThis, { [key]: { record, listen, console: { log() {}, error() {} } } });
  const own = join(folder, name.replaceAll(/\W/g, "-"));
  mkdirSync(own);
  for (const [file, body] of filesOf(readPage(name))) {
    const took = `globalThis[${JSON.stringify(key)}]`;
    const recording = body.replace(
      /^import \{ (.*) \} from "(rowtype(?:\/http(?:\/testing)?)?)";$/gm,
      (line, names: string) => {
        const taken = names
          .split(", ")
          .filter((one) => /^(?:createEngine|testEngine|on|on as \w+)$/.test(one));
        return taken.reduce((text, one) => {
          const [made = "", name = made] = one.split(" as ");
          const own = `const ${name} = ${took}.${made === "on" ? "listen" : "record"}($${name});`;
          return `${text.replace(one, `${made} as $${name}`)} ${own}`;
        }, line);
      },
    );
    writeFileSync(
      join(own, file),
      file === "page.ts" ? `const { console } = ${took};\n${recording}` : recording,
    );
  }
  await import(join(own, "page.ts"));
  return recorded;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header" | "cookie";
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  /** The schema of its body, by media type. */
  readonly bodies: readonly (readonly [type: string, schema: Schema])[];
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
  };
}

function operationsOf({ paths = {} }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([key, value]) => {
      if (!/^(get|post|put|patch|delete|query|x-query)$/.test(key)) return [];
      // The document is ours, and has the form of OpenAPI.
      const { parameters = [], requestBody } = value as {
        parameters?: Operation["parameters"];
        requestBody?: { content: Readonly<Record<string, { schema?: Schema }>> };
      };
      const bodies = Object.entries(requestBody?.content ?? {}).map(
        ([type, { schema = {} }]) => [type, schema] as const,
      );
      return [{ method: key.replace("x-", "").toUpperCase(), path, parameters, bodies }];
    }),
  );
}

/** A value that a schema takes, where its words say which. */
function sample(schema: Schema, { components }: Document): unknown {
  const { $ref, anyOf: [first] = [], format, properties = {}, required = [] } = schema;
  const document = { components: components ?? {} };
  if ($ref !== undefined) return sample(components?.schemas?.[$ref.split("/").at(-1) ?? ""] ?? {}, document);
  if (first !== undefined) return sample(first, document);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "integer" || type === "number") return Math.max(1, schema.minimum ?? 1);
  if (type === "boolean") return true;
  if (type === "array")
    return Array.from({ length: schema.minItems ?? 1 }, () => sample(schema.items ?? {}, document));
  if (type === "object" || Object.keys(properties).length > 0)
    return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {}, document)]));
  if (format === "email") return "ann@example.org";
  if (format === "date-time") return "2026-01-02T03:04:05.000Z";
  if (format === "date") return "2026-01-02";
  return schema.pattern === undefined ? "a".repeat(Math.max(1, schema.minLength ?? 1)) : "1";
}

/** A request, with one value in the place of a good one. */
interface Sent {
  readonly what: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed?.() ?? String(value));
/** What a header can carry of a text. */
const headerText = (value: string) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?").trim();

/** All requests to an operation: a good one, and each of its places with each hostile value. */
function* requestsTo(operation: Operation, document: Document): Generator<Sent> {
  const { method, path, parameters, bodies } = operation;
  const good = new Map(parameters.map((one) => [one, String(sample(one.schema ?? {}, document))]));
  const request = (
    what: string,
    changed: ReadonlyMap<unknown, string>,
    body: unknown,
    type = "application/json",
  ): Sent => {
    const textOf = (one: Operation["parameters"][number]) => changed.get(one) ?? good.get(one) ?? "";
    const sent = parameters.filter((one) => one.in === "path" || one.required === true || changed.has(one));
    const query = sent
      .filter((one) => one.in === "query")
      .map((one) => `${encoded(one.name)}=${encoded(textOf(one))}`);
    const headers: Record<string, string> = bodies.length === 0 ? {} : { "content-type": type };
    for (const one of sent) {
      if (one.in === "header") headers[one.name.toLowerCase()] = headerText(textOf(one));
      if (one.in === "cookie") headers["cookie"] = `${one.name}=${encoded(textOf(one))}`;
    }
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
      const one = sent.find((parameter) => parameter.in === "path" && parameter.name === name);
      return encoded(one === undefined ? "1" : textOf(one));
    });
    const url = `${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
    return { what, method, url, headers, body };
  };
  const none = new Map<unknown, string>();
  const [[type, schema] = ["application/json", {}] as const] = bodies;
  const body = bodies.length === 0 ? undefined : sample(schema, document);
  yield request("good", none, body, type);
  for (const one of parameters)
    for (const value of texts) yield request(`${one.in} ${one.name}`, new Map([[one, value]]), body, type);
  for (const [type, schema] of bodies) {
    for (const value of values) yield request(`body as ${type}`, none, value, type);
    for (const text of texts) yield request(`text of a body as ${type}`, none, Buffer.from(text), type);
    const whole = sample(schema, document);
    const { properties = {} } =
      schema.$ref === undefined
        ? schema
        : (document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""] ?? {});
    if (typeof whole === "object" && whole !== null)
      for (const name of Object.keys(properties))
        for (const value of values) yield request(`field ${name}`, none, { ...whole, [name]: value }, type);
  }
  for (const name of [
    "authorization",
    "cookie",
    "x-api-key",
    "if-none-match",
    "if-match",
    "range",
    "accept",
    "last-event-id",
  ])
    for (const value of texts) {
      const sent = request(`header ${name}`, none, body, type);
      yield { ...sent, headers: { ...sent.headers, [name]: headerText(value) } };
    }
}

const LONGEST_MS = 20_000;

/** The status of an answer. One that does not come in time is a failure. */
async function statusOf(engine: AnyEngine, { what, method, url, headers, body }: Sent): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer to ${method} ${url}`)), LONGEST_MS);
  });
  try {
    const response = await Promise.race([late, serveRequestWithHeaders(engine, method, url, headers, body)]);
    response.close();
    return response.status;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an engine serves at all: a page shows one that is refused, and why. */
function serves(engine: Made): boolean {
  try {
    engine["router"]?.();
    return true;
  } catch {
    return false;
  }
}

describe.each(pages)("docs/%s", (name) => {
  test("no hostile value is a failure of the server", { timeout: 300_000 }, async () => {
    const engines = await enginesOf(name);
    const statuses = new Map<number, number>();
    for (const { make, calls } of engines) {
      const engine = make();
      for (const [method, args] of calls) engine[method]?.(...args);
      if (!serves(engine)) continue;
      const document = JSON.parse(JSON.stringify(engine.openapi())) as Document;
      for (const operation of operationsOf(document)) {
        if (failing[name]?.includes(operation.path)) continue;
        for (const sent of requestsTo(operation, document)) {
          const status = await statusOf(engine, sent);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect([sent, status < 500 ? "answered" : status]).toEqual([sent, "answered"]);
        }
      }
    }
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  });
});
