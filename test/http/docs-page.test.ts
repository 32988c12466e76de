/** The docs page in a real browser, under its own policy and under nothing but helmet's default one. */
import { existsSync } from "node:fs";
import type { RequestHandler } from "express";
import helmet from "helmet";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET } from "../../src/http/index.js";
import { ask, listening } from "./serve.js";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const ARGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(
  " ",
);

/** The policy that helmet has set, or has not, stays as it is, whatever the page asks for. */
const keepPolicy: RequestHandler = (_request, response, next) => {
  const setHeader = response.setHeader;
  response.setHeader = (name, value) =>
    name.toLowerCase() === "content-security-policy"
      ? response
      : Reflect.apply(setHeader, response, [name, value]);
  next();
};

const attack =
  "[a link](javascript:window.hacked=1) </script><img src=x onerror=window.hacked=1><script>window.hacked=1</script>";

function engine(text: string, middleware: readonly RequestHandler[]) {
  return createEngine()
    .withMiddleware(...middleware)
    .withOpenAPIInfo({
      title: `Page ${text}`,
      version: "1",
      description: text,
    })
    .withHandlers(
      GET(
        "/hello/{name}",
        { summary: `Says hello ${text}`, description: text, output: z.object({ hello: z.string() }) },
        ({ params }) => ({ hello: params.path.name }),
      ),
    );
}

describe.skipIf(!existsSync(executablePath))("the docs page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ARGS });
  });
  afterAll(() => browser.close());

  test.each([
    ["its own policy behind helmet", [helmet()], "default-src 'none'"],
    ["helmet's default policy alone", [helmet(), keepPolicy], "default-src 'self'"],
  ] as const)("works under %s", async (_name, middleware, policy) => {
    const url = await listening(engine("", middleware));
    expect((await ask(`${url}/docs`)).headers.get("content-security-policy")).toContain(policy);
    const page = await browser.newPage();
    const elsewhere: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== url && protocol !== "data:" && protocol !== "blob:") elsewhere.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));

    // Swagger UI would load another document, if it were told to listen to this.
    await page.goto(`${url}/docs?url=https://evil.example/openapi.json`);
    const operation = page.locator(".opblock", { hasText: "Says hello" });
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.locator("input").first().fill("Ann");
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = operation.locator(".live-responses-table .microlight").first();
    await answer.waitFor();
    expect(await answer.innerText()).toContain('"hello": "Ann"');

    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test.each([
    ["its own policy", []],
    ["helmet's default policy alone", [helmet(), keepPolicy]],
    ["no policy at all", [keepPolicy]],
  ] as const)("row 79: runs no script of the document under %s", async (_name, middleware) => {
    const url = await listening(engine(attack, middleware));
    const page = await browser.newPage();
    await page.goto(`${url}/docs`);
    await page.locator(".opblock-summary-control").first().click();
    await page.getByRole("button", { name: "Try it out" }).waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    await page.close();
  });
});
