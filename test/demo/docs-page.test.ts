/** The docs page of the demo in a real browser: it shows the document, asks nobody else, and calls an endpoint. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, startDemo } from "./start-demo.js";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

test("a browser is there", ({ skip }) => {
  const there = existsSync(executablePath);
  const required = (process.env["ROWTYPE_REQUIRE"] ?? "").split(",").includes("chromium");
  if (!there && !required) skip("no Chromium: the docs page is not tested in a browser");
  expect(there).toBe(true);
});

describe.skipIf(!existsSync(executablePath))("the docs page in Chromium", () => {
  let folder: string;
  let demo: Demo;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rowtype-docs-"));
    demo = await startDemo(join(folder, "demo.db"));
    browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
  });
  afterAll(async () => {
    await browser.close();
    await demo.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  test("shows every operation, without a request to elsewhere or an error, and calls one", async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });
    const elsewhere: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== demo.url && protocol !== "data:" && protocol !== "blob:") elsewhere.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));

    await page.goto(`${demo.url}/docs`);
    await page.getByText("Countries of the world").first().waitFor();
    expect(await page.locator(".opblock").count()).toBe(7);

    const operation = page.locator(".opblock", { hasText: "One country" });
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.locator("input").first().fill("NPL");
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = operation.locator(".live-responses-table .microlight").first();
    await answer.waitFor();
    expect(await answer.innerText()).toContain("Kathmandu");
    if (process.env["SCREENSHOT"] !== undefined)
      await page.screenshot({ path: process.env["SCREENSHOT"], fullPage: true });

    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
  });
});
