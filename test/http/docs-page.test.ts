/** The docs page in a real browser, under its own policy and under nothing but helmet's default one. */
import type { RequestHandler } from "express";
import helmet from "helmet";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, QUERY } from "../../src/http/index.js";
import { chromiumIsThere } from "../availability.js";
import { launchChromium, tryItOut, watchPage } from "../chromium.js";
import { ask, listening } from "./serve.js";

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

describe.skipIf(!chromiumIsThere)("the docs page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  // OpenAPI 3.1 does not know it, and 3.2 does.
  test.each(["3.1", "3.2"] as const)(
    "shows a QUERY of a document of OpenAPI %s, and sends it",
    async (openapi) => {
      const asked: unknown[] = [];
      const search = QUERY(
        "/found/{kind}",
        {
          summary: "Finds",
          query: { least: z.int().meta({ example: 2 }) },
          body: z.object({ text: z.string() }).meta({ example: { text: "a" } }),
          output: z.array(z.string()),
        },
        ({ request, body, params }) => {
          asked.push([request.method, request.url, body, params.query.least]);
          return ["found it"];
        },
      );
      const byGet = GET("/found/{kind}", { summary: "Gets", output: z.string() }, () => "got it");
      const url = await listening(createEngine({ openapi }).withHandlers(search, byGet));
      const page = await browser.newPage();
      const { errors } = watchPage(page, url);
      await page.goto(`${url}/docs`);
      await page.locator(".opblock").first().waitFor();
      const shown = await page.locator(".opblock-summary-method").allInnerTexts();
      expect(shown.sort()).toEqual(["GET", "QUERY"]);
      const paths = await page.locator(".opblock-summary-path").allInnerTexts();
      expect(paths.map((path) => path.replaceAll("\u200b", ""))).toEqual(["/found/{kind}", "/found/{kind}"]);
      const operation = page.locator(".opblock", { has: page.getByText("Finds", { exact: true }) });
      await operation.locator(".opblock-summary-control").click();
      await operation.getByRole("button", { name: "Try it out" }).click();
      await operation.getByPlaceholder("kind").fill("songs");
      await operation.getByRole("button", { name: "Execute" }).click();
      await operation.locator(".live-responses-table .response").first().waitFor();
      expect(await operation.locator(".live-responses-table").innerText()).toContain("found it");
      expect(await operation.locator(".curl-command").innerText()).toContain("'QUERY'");
      expect(asked).toEqual([["QUERY", "/found/songs?least=2", { text: "a" }, 2]]);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test.each([
    ["its own policy behind helmet", [helmet()], "default-src 'none'"],
    ["helmet's default policy alone", [helmet(), keepPolicy], "default-src 'self'"],
  ] as const)("works under %s", async (_name, middleware, policy) => {
    const url = await listening(engine("", middleware));
    expect((await ask(`${url}/docs`)).headers.get("content-security-policy")).toContain(policy);
    const page = await browser.newPage();
    const { elsewhere, errors } = watchPage(page, url);

    // Swagger UI would load another document, if it were told to listen to this.
    await page.goto(`${url}/docs?url=https://evil.example/openapi.json`);
    expect(await tryItOut(page, "Says hello", "Ann")).toContain('"hello": "Ann"');

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
