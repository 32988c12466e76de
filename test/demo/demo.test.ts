/** The demo, as a user meets it: started as a process, called over HTTP, killed and started again. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectValid } from "../http/validate-document.js";
import { type Demo, spawnDemo, startDemo } from "./start-demo.js";

const source = createRequire(import.meta.url)("world-countries") as readonly {
  name: { common: string; official: string };
  region: string;
  area: number;
  languages: object;
}[];

let folder: string;
let demo: Demo;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rowtype-demo-"));
  demo = await startDemo(join(folder, "demo.db"));
});
afterAll(async () => {
  await demo.end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: never }> {
  const init =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(demo.url + path, { method, ...init });
  const text = await response.text();
  return { status: response.status, json: (text === "" ? undefined : JSON.parse(text)) as never };
}

describe("the demo", () => {
  test("prints the addresses of API, docs page and document, and lines to try", () => {
    expect(demo.printed()).toContain(`${demo.url}/docs`);
    expect(demo.printed()).toContain(`${demo.url}/openapi`);
    expect(demo.printed()).toContain(`curl '${demo.url}/countries`);
  });

  test("lists, filters, sorts and pages", async () => {
    expect(await call("GET", "/countries?region=Europe&sort=area&order=desc&limit=2&offset=1")).toMatchObject(
      {
        status: 200,
        json: { total: 53, items: [{ code: "UKR" }, { code: "FRA" }] },
      },
    );
    expect(await call("GET", "/countries?name=GUINEA&landlocked=false&minArea=200000")).toMatchObject({
      json: { total: 2, items: [{ code: "GIN" }, { code: "PNG" }] },
    });
    expect(await call("GET", "/countries?name=%25")).toMatchObject({ json: { total: 0, items: [] } });
  });

  test("looks for a text in the name and the official name, and takes its characters as they are", async () => {
    expect(await call("GET", "/countries?name=confEDERATION")).toMatchObject({
      json: { total: 1, items: [{ code: "CHE" }] },
    });
    for (const text of ["_", "\\", "%", "'", "e%a"]) {
      const holding = source.filter(({ name }) => name.common.includes(text) || name.official.includes(text));
      expect(await call("GET", `/countries?name=${encodeURIComponent(text)}`)).toMatchObject({
        status: 200,
        json: { total: holding.length },
      });
    }
  });

  test("reports countries, languages and area of each region", async () => {
    const { status, json } = await call("GET", "/regions");
    expect(status).toBe(200);
    const regions = json as readonly {
      region: string;
      countries: number;
      spoken: number;
      totalArea: number;
    }[];
    expect(regions.map(({ region }) => region).sort()).toEqual([
      "Africa",
      "Americas",
      "Antarctic",
      "Asia",
      "Europe",
      "Oceania",
    ]);
    for (const { region, countries, spoken, totalArea } of regions) {
      const own = source.filter((country) => country.region === region);
      expect(countries).toBe(own.length);
      expect(spoken).toBe(own.reduce((sum, { languages }) => sum + Object.keys(languages).length, 0));
      expect(totalArea).toBeCloseTo(
        own.reduce((sum, { area }) => sum + Math.max(area, 0), 0),
        3,
      );
    }
    const areas = regions.map(({ totalArea }) => totalArea);
    expect(areas).toEqual([...areas].sort((a, b) => b - a));
  });

  test("shows one country with its neighbours", async () => {
    expect(await call("GET", "/countries/NPL")).toMatchObject({
      status: 200,
      json: { name: "Nepal", landlocked: true, languages: ["Nepali"] },
    });
    expect(await call("GET", "/countries/NPL/neighbours")).toMatchObject({
      json: [{ code: "CHN" }, { code: "IND" }],
    });
    expect(await call("GET", "/countries/QQQ")).toEqual({
      status: 404,
      json: { code: "NOT_FOUND", message: "not found", details: { resource: "country" } },
    });
  });

  test("creates, refuses a duplicate, updates and deletes", async () => {
    const atlantis = {
      code: "ATL",
      name: "Atlantis",
      officialName: "Atlantis",
      region: "Europe",
      area: 1,
      landlocked: false,
      languages: [],
      flag: "~",
    };
    expect(await call("POST", "/countries", atlantis)).toMatchObject({
      status: 201,
      json: { capital: null },
    });
    expect(await call("POST", "/countries", { ...atlantis, name: "Other" })).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { reason: "code is taken" } },
    });
    expect(await call("PATCH", "/countries/ATL", { capital: "Poseidonis" })).toMatchObject({
      status: 200,
      json: { capital: "Poseidonis", area: 1 },
    });
    expect(await call("PATCH", "/countries/QQQ", { capital: "None" })).toMatchObject({ status: 404 });
    expect(await call("DELETE", "/countries/ATL")).toEqual({ status: 204, json: undefined });
    expect(await call("DELETE", "/countries/ATL")).toMatchObject({ status: 404 });
  });

  test("takes a query spec as a body", async () => {
    const spec = {
      fields: ["code", "area"],
      where: [
        { field: "area", operator: ">", param: "min" },
        {
          logic: "OR",
          group: [
            { field: "region", operator: "IN", param: "regions" },
            { field: "capital", operator: "IS NULL" },
          ],
        },
      ],
      order_by: [{ field: "area", direction: "desc" }],
      limit: 2,
      params: { min: 5_000_000, regions: ["Americas"] },
    };
    expect(await call("POST", "/countries/search", spec)).toEqual({
      status: 200,
      json: [
        { code: "ATA", area: 14_000_000 },
        { code: "CAN", area: 9_984_670 },
      ],
    });
  });

  test.each([
    ["a field that is none", { fields: ["cod"] }, 422, "VALIDATION_FAILED"],
    ["an unknown key", { joins: [] }, 422, "VALIDATION_FAILED"],
    ["a limit over the largest", { limit: 101 }, 422, "VALIDATION_FAILED"],
    [
      "an operator that the column does not take",
      { where: [{ field: "area", operator: "LIKE", param: "p" }], params: { p: "x" } },
      422,
      "VALIDATION_FAILED",
    ],
    [
      "a missing parameter",
      { where: [{ field: "area", operator: ">", param: "p" }] },
      422,
      "UNPROCESSABLE_ENTITY",
    ],
    [
      "an object as a parameter",
      { where: [{ field: "area", operator: ">", param: "p" }], params: { p: {} } },
      422,
      "VALIDATION_FAILED",
    ],
  ])("refuses a spec with %s", async (_, spec, status, code) => {
    expect(await call("POST", "/countries/search", spec)).toMatchObject({ status, json: { code } });
  });

  test("answers a broken body, an unknown path and a wrong method in the error form", async () => {
    const broken = await fetch(`${demo.url}/countries`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(await broken.json()).toEqual({ code: "UNPROCESSABLE_ENTITY", message: "invalid request body" });
    expect(await call("GET", "/nowhere")).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
    expect(await call("PUT", "/countries")).toMatchObject({
      status: 405,
      json: { code: "METHOD_NOT_ALLOWED" },
    });
  });

  test("serves a document that independent validators accept", async () => {
    const { json } = await call("GET", "/openapi");
    await expectValid(json);
    expect(Object.keys((json as { components: { schemas: object } }).components.schemas)).toContain(
      "Countries",
    );
  });
});

describe("a demo that is killed", () => {
  test("ends cleanly on SIGTERM, and starts again after SIGKILL with what was stored", async () => {
    const file = join(folder, "killed.db");
    const first = await startDemo(file);
    await fetch(`${first.url}/countries/NPL`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"capital":"KTM"}',
    });
    await first.end("SIGKILL");
    const second = await startDemo(file);
    expect(await (await fetch(`${second.url}/countries/NPL`)).json()).toMatchObject({ capital: "KTM" });
    expect(await second.end("SIGTERM")).toBe(0);
  });

  test("killed while it fills the database, it fills the whole database at the next start", async () => {
    for (const wait of [300, 500, 700]) {
      const file = join(folder, `filling-${wait}.db`);
      const child = spawnDemo(file);
      await setTimeout(wait);
      child.kill("SIGKILL");
      const again = await startDemo(file);
      await again.end("SIGTERM");
      const handle = new Sqlite(file);
      expect(handle.prepare("SELECT COUNT(*) AS n FROM countries").get()).toEqual({ n: 250 });
      expect(handle.pragma("integrity_check", { simple: true })).toBe("ok");
      handle.close();
    }
  });
});
