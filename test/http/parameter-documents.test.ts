/** What the document accepts as a parameter, written in the style of its place, is what the server accepts. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { createEngine, DeclarationError, type Engine, GET, type Handler } from "../../src/http/index.js";
import { serveRequestWithHeaders } from "../../src/http/testing/index.js";
import type { Parameter } from "../../src/openapi/index.js";
import { rounds } from "../rounds.js";
import { kinds, kindsZod3, wireValues, wrappers, wrappersZod3 } from "../schema/kinds.js";
import { expectValid } from "./validate-document.js";

const places = ["path", "query", "headers", "cookies"] as const;
type Place = (typeof places)[number];

interface Case {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly isWider: boolean;
}

/** A handler with one parameter, or none where text cannot carry it. */
function declared({ schema }: Case, place: Place, path: string): Handler[] {
  const template = place === "path" ? `${path}/{p}` : path;
  try {
    return [GET(template, { [place]: { p: schema } } as never, () => 1) as Handler];
  } catch (refusal) {
    expect(refusal).toBeInstanceOf(DeclarationError);
    return [];
  }
}

/** The texts of a value; none where it has no text. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) {
    const texts = value.map(textsOf);
    return texts.every((one) => one?.length === 1) ? texts.flatMap((one) => one ?? []) : undefined;
  }
  if (typeof value === "object") return undefined;
  // Integers are digits, however large.
  return [Number.isInteger(value) ? BigInt(value as number).toString() : String(value)];
}

/** Sends a value as OpenAPI's style of the place writes it; `undefined` where the place cannot hold it. */
function send(engine: Engine, place: Place, path: string, value: unknown, parameter: Parameter) {
  const texts = textsOf(value);
  if (texts === undefined || texts.length === 0) return undefined;
  const encoded = texts.map(encodeURIComponent);
  const get = (target: string, headers = {}) => serveRequestWithHeaders(engine, "GET", target, headers);
  switch (place) {
    case "path":
      return ["", ".", ".."].includes(encoded.join()) ? undefined : get(`${path}/${encoded.join()}`);
    case "query":
      return get(`${path}?${encoded.map((text) => `p=${text}`).join("&")}`);
    case "headers":
      // A header has no escapes.
      return texts.every((text) => /^[\x21-\x2b\x2d-\x7e]+$/.test(text))
        ? get(path, { p: texts.join() })
        : undefined;
    case "cookies": {
      if (texts.length > 1) expect(parameter).toMatchObject({ explode: false });
      return get(path, { cookie: `other=1; p=${encoded.join()}` });
    }
  }
}

/** The values that can be sent at all, and of many only some. */
function some(values: readonly unknown[]): readonly unknown[] {
  const sendable = values.filter((value) => (textsOf(value)?.length ?? 0) > 0);
  const step = Math.ceil(sendable.length / 6);
  return sendable.filter((_, i) => i % step === 0);
}

const SHARE = rounds({ small: places.length, full: 1 });

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });

describe.each([
  ["Zod 4", kinds, wrappers],
  ["Zod 3", kindsZod3, wrappersZod3],
] as const)("every kind of %s that text can carry", (_, allKinds, allWrappers) => {
  // A Zod 3 schema is not a Zod 4 schema to the compiler; both are one here.
  const kindsHere = allKinds as typeof kinds;
  const wrappersHere = allWrappers as typeof wrappers;
  // Every kind in every place, bare; in each wrapper it stands in one of the places, and in all of them in full.
  const casesOf = (place: Place): readonly Case[] =>
    kindsHere.flatMap(({ name, make, isWider = false }, k) => [
      { name, schema: make(), isWider },
      ...wrappersHere
        .filter((_, w) => (k + w) % SHARE === places.indexOf(place) % SHARE)
        .map((wrapper) => ({ name: `${name}, ${wrapper.name}`, schema: wrapper.wrap(make()), isWider })),
    ]);

  test.each(places)("in %s", async (place) => {
    const cases = casesOf(place);
    const found = cases.flatMap((one, i) =>
      declared(one, place, `/c${i}`).map((handler) => ({ ...one, path: `/c${i}`, handler })),
    );
    expect(found.length).toBeGreaterThan(30);
    const engine = createEngine({ onError: false }).withHandlers(...found.map(({ handler }) => handler));
    const document = engine.openapi();
    // One of the validators wants `items` to be more than `false`, which JSON Schema does not.
    const others = found.filter(({ name }) => !name.includes("tuple"));
    await expectValid(
      createEngine()
        .withHandlers(...others.map(({ handler }) => handler))
        .openapi(),
    );
    const faults: unknown[] = [];
    let sent = 0;
    for (const { name, path, isWider } of found) {
      const listed = place === "path" ? `${path}/{p}` : path;
      const parameter = document.paths?.[listed as `/${string}`]?.get?.parameters?.[0] as Parameter;
      const accepts = ajv.compile({ ...(parameter.schema as object), components: document.components });
      // Whatever `z.unknown()` takes, it is one text.
      const isAny = /^(any|unknown)(, |$)/.test(name);
      const accepted = wireValues.filter((value) => accepts(value) && !(isAny && Array.isArray(value)));
      for (const value of some(accepted)) {
        const answer = await send(engine, place, path, value, parameter);
        if (answer === undefined) continue;
        sent++;
        if (answer.status !== 200 && !isWider) faults.push([name, value, answer.status, answer.text()]);
      }
    }
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThan(100);
  });
});
