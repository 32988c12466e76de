/**
 * What a caller gives is read once at each door: no getter is called a second time, so none can change what was
 * checked, and what one throws comes out as an error with a code, or as it was thrown.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CodedError } from "../src/core/errors.js";
import { partsOf, withGetter } from "./kit/placed-getters.js";
import { rightCalls } from "./kit/right-calls.js";
import { type RightCall, rightMethodCalls } from "./kit/right-method-calls.js";

const subpaths = new Set(Object.keys(rightCalls).map((name) => name.split(" ")[0] ?? ""));
const modules = new Map<string, Readonly<Record<string, unknown>>>();
for (const subpath of subpaths) modules.set(subpath, await import(subpath.replace(/^\./, "rowtype")));

const calls: readonly (readonly [string, RightCall])[] = [
  ...Object.entries(rightCalls).map(([where, args]) => {
    const [subpath = "", name = ""] = where.split(" ");
    const call = modules.get(subpath)?.[name] as RightCall["call"];
    return [where, { args, call }] as const;
  }),
  ...Object.entries(rightMethodCalls),
].filter(([, { args }]) => !partsOf(args()).next().done);

const MOST_READS = 6;

/** What is called as long as it lives, and so is read again at each call: handles, drivers, stores, answers. */
const CALLED =
  /^(\.\/(postgres|mariadb|oracle) \w+ 0|databaseOver 1|\.\/http\/session sessions 0\.store\.|\.\/http\/testing assert)/;
/** Documents, bodies, parameters: they are data, whose names are looked at first. What is sent is what was checked. */
const DATA =
  /^(\.\/openapi to(JSON|YAML) 0|\.\/http\/testing serveRequest\w* [34]\.|client\.POST 1\.body\.|query\(\)\.\w+ 0\.p$)/;

/** What a getter gives after it has given something right. */
const OTHERS: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  "a symbol": () => Symbol("s"),
  "an object": () => ({ a: 1 }),
  "a text": () => "x",
};

/** What a call throws; `undefined` for one that works, or is not over soon. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const made = call();
    if (made instanceof Promise)
      await Promise.race([made, new Promise((resolve) => setTimeout(resolve, 300).unref())]);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What `assertStatus` throws is for a test to show. */
const OF_A_TEST = /^expected (status|error code) /;

function isTold(error: unknown, own?: Error): boolean {
  if (error === undefined || error === own || error instanceof CodedError) return true;
  return error instanceof Error && OF_A_TEST.test(error.message);
}

beforeAll(() => {
  vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe.each(calls)("%s", (label, { args, call }) => {
  const parts = [...partsOf(args())];

  test("works", async () => {
    const error = await thrownBy(() => call(...args()));
    expect(isTold(error), String(error)).toBe(true);
  });

  test("reads each part of what it is given once", async () => {
    const wrong: string[] = [];
    for (const path of parts) {
      let reads = 0;
      const given = withGetter(args(), path, (nth, held) => {
        reads = nth;
        return held;
      });
      await thrownBy(() => call(...given));
      const where = `${label} ${path.join(".")}`;
      if (reads > 1 && !CALLED.test(where) && !DATA.test(where)) wrong.push(`${where}: read ${reads} times`);
    }
    expect(wrong).toEqual([]);
  });

  test("says what a getter throws by an error with a code, or as it was thrown", async () => {
    const wrong: string[] = [];
    for (const path of parts)
      for (let n = 1; n <= MOST_READS; n++) {
        const own = new Error("a getter of the caller");
        const given = withGetter(args(), path, (nth, held) => {
          if (nth === n) throw own;
          return held;
        });
        const error = await thrownBy(() => call(...given));
        if (!isTold(error, own)) wrong.push(`${label} ${path.join(".")} read ${n}: ${String(error)}`);
      }
    expect(wrong).toEqual([]);
  });

  test("never trips over a value that changes after it was looked at", async () => {
    const wrong: string[] = [];
    for (const path of parts)
      for (let n = 2; n <= MOST_READS; n++)
        for (const [what, other] of Object.entries(OTHERS)) {
          const given = withGetter(args(), path, (nth, held) => (nth < n ? held : other()));
          const error = await thrownBy(() => call(...given));
          if (isTold(error)) continue;
          wrong.push(`${label} ${path.join(".")} is ${what} from read ${n}: ${String(error)}`);
        }
    expect(wrong).toEqual([]);
  });
});

/** Exports that take no object whose parts have names: columns, operands, schemas, texts, functions, errors. */
const WITHOUT = new Set(
  `abs add avg between boolAnd boolOr caseWhen cast ceil coalesce compare concat countDistinct currentDate currentTime
   currentTimestamp decimal denseRank distance div exists existsOn field firstValue floor greatest inQuery inserted
   isNull lag lastValue lead least length lower ltrim max min mod mul neg not notBetween notExists notExistsOn notNull
   now ntile nullIf of or param path power rank replace round rowNumber rtrim sqrt startOf sub substring sum trim upper
   value when dataMigration byteStream bytes commaSeparated deepObject html jsonParameter ndjson text mapSqlErrors
   decode encode HEAD OPTIONS QUERY`.split(/\s+/),
);

test("every exported function that takes an object has a call here", () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { exports: object };
  const named = new Set(Object.keys(rightCalls).flatMap((label) => label.split(" ").slice(-1)));
  const isOf = (name: string) =>
    WITHOUT.has(name) || named.has(name) || Object.hasOwn(rightMethodCalls, name);
  const left = Object.keys(exports)
    .filter((subpath) => subpath !== "./package.json")
    .map(async (subpath) => {
      const found = (await import(subpath.replace(/^\./, "rowtype"))) as object;
      return Object.entries(found)
        .filter(([name, one]) => typeof one === "function" && !/^class\b/.test(String(one)) && !isOf(name))
        .map(([name]) => `${subpath} ${name}`);
    });
  return expect(Promise.all(left).then((all) => all.flat())).resolves.toEqual([]);
});
