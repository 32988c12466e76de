/** A login in a real browser, and protected handlers called from the docs page. */
import { createServer, type RequestListener, type Server } from "node:http";
import express from "express";
import type { Browser, Page } from "playwright-core";
import { createEngine, type Extractor, GET, type Identity } from "rowtype/http";
import { jwtExtractor } from "rowtype/http/jwt";
import { memoryStore, sessions } from "rowtype/http/session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumIsThere } from "../availability.js";
import { launchChromium } from "../chromium.js";
import { authorisationServer, CLIENT } from "./authorisation-server.js";
import { json, provider, signer } from "./provider.js";

describe.skipIf(!chromiumIsThere)("in Chromium", () => {
  let chrome: Browser;
  const servers: Server[] = [];
  beforeAll(async () => {
    chrome = await launchChromium();
  });
  afterAll(async () => {
    await chrome.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** An address that is known before what answers there. */
  async function address() {
    let answer: RequestListener = (_request, response) => void response.end();
    const server = createServer((request, response) => answer(request, response));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    const port = typeof bound === "object" ? bound?.port : undefined;
    const serve = (engine: { router(): express.Router }) => {
      answer = express().use(engine.router());
    };
    return { url: `http://127.0.0.1:${port}`, serve };
  }

  /** Calls `GET /me` from the docs page; gives the status and the body that the page shows. */
  async function callMe(page: Page): Promise<readonly string[]> {
    const operation = page.locator(".opblock", { has: page.locator("[data-path='/me']") });
    const execute = operation.getByRole("button", { name: "Execute" });
    if (!(await execute.isVisible())) {
      await operation.locator(".opblock-summary-control").click();
      await operation.getByRole("button", { name: "Try it out" }).click();
    }
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/me");
    await execute.click();
    const status = String((await answered).status());
    const shown = operation.locator(".live-responses-table");
    await shown.locator(".response-col_status", { hasText: status }).first().waitFor();
    return [status, await shown.locator(".microlight").first().innerText()];
  }

  /** Enters a value in the docs page, or takes away the one that is there. */
  async function authorize(page: Page, value: string | null): Promise<string> {
    await page.click(".auth-wrapper .authorize");
    const dialog = page.locator(".modal-ux");
    const text = await dialog.innerText();
    if (value !== null) await dialog.locator("input").fill(value);
    await dialog.getByRole("button", { name: value === null ? "Remove authorization" : "Apply" }).click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    return text;
  }

  const NOBODY = ["401", expect.stringContaining('"UNAUTHORIZED"')];

  const engineWith = (extractor: Extractor<Identity>) =>
    createEngine()
      .withAuthenticator(extractor)
      .withHandlers(GET("/me", { authentication: true }, ({ identity }) => identity.id));

  test("a token that is entered in the docs page is sent with its requests", async () => {
    const key = await signer("one");
    const keys = await provider((_asked, response) => json(response, { keys: [key.jwk] }));
    const { url, serve } = await address();
    const options = { domain: "id.example.com", audience: "a", jwksUri: `${keys.url}/` };
    serve(engineWith(jwtExtractor(options)));
    const page = await chrome.newPage();
    await page.goto(`${url}/docs`);
    expect(await callMe(page)).toEqual(NOBODY);
    const exp = Math.floor(Date.now() / 1000) + 60;
    const claims = { iss: "https://id.example.com/", aud: "a", sub: "ann", exp };
    await authorize(page, await key.sign({ ...claims, aud: "b" }));
    expect(await callMe(page)).toEqual(NOBODY);
    await authorize(page, null);
    await authorize(page, await key.sign(claims));
    expect(await callMe(page)).toEqual(["200", '"ann"']);
    await authorize(page, null);
    expect(await callMe(page)).toEqual(NOBODY);
    await page.close();
  });

  test("a user logs in at a certified server, calls a protected handler from the docs page, and logs out", async () => {
    const { url, serve } = await address();
    const redirectUri = `${url}/callback`;
    const { issuer } = await authorisationServer(redirectUri);
    const login = sessions({
      oauth: {
        ...CLIENT,
        redirectUri,
        issuer,
        authorizationEndpoint: `${issuer}/auth`,
        tokenEndpoint: `${issuer}/token`,
        scopes: ["openid"],
      },
      store: memoryStore(),
      cookie: { signKey: "k".repeat(32) },
      resolve: () => ({ userId: "ann" }),
      afterLogin: "/docs",
    });
    serve(
      createEngine()
        .withAuthenticator(login.extractor)
        .withHandlers(
          GET("/me", { authentication: true, tags: ["a"] }, ({ identity }) => identity.id),
          login.loginHandler("/login"),
          login.callbackHandler("/callback"),
          login.logoutHandler("/logout", { redirectTo: "/me" }),
        ),
    );
    const context = await chrome.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/docs`);
    expect(await callMe(page)).toEqual(NOBODY);
    // What the page says of the cookie; a browser lets no script set it.
    await page.click(".auth-wrapper .authorize");
    expect(await page.locator(".modal-ux").innerText()).toContain("there is nothing to enter");
    await page.goto(`${url}/login`);
    await page.fill("input[name=login]", "ann");
    await page.fill("input[name=password]", "any");
    await page.click("button[type=submit]");
    await page.click("button[type=submit]");
    await page.waitForURL(`${url}/docs`);
    const [cookie] = (await context.cookies(url)).filter(({ name }) => name === "__Host-sid");
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/" });
    expect(await callMe(page)).toEqual(["200", '"ann"']);
    expect(await page.evaluate("document.cookie")).toBe("");
    expect((await page.goto(`${url}/me`))?.status()).toBe(200);
    await page.setContent(`<form method="post" action="${url}/logout"><button>out</button></form>`);
    await page.click("button");
    await page.waitForURL(`${url}/me`);
    expect((await page.goto(`${url}/me`))?.status()).toBe(401);
    await context.close();
  });
});
