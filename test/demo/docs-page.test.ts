/**
 * The docs page of the demo in a real browser: it shows the document, sends no external request, and every
 * operation succeeds with the values that the page fills in.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumIsThere, required } from "../availability.js";
import { launchChromium, tryAsFilled, tryItOut, watchPage } from "../chromium.js";
import { type Demo, startDemo } from "./start-demo.js";

test("a browser is installed", ({ skip }) => {
  if (!chromiumIsThere && !required.has("chromium"))
    skip("no Chromium: the docs page is not tested in a browser");
  expect(chromiumIsThere).toBe(true);
});

describe.skipIf(!chromiumIsThere)("the docs page in Chromium", () => {
  let folder: string;
  let demo: Demo;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rowtype-docs-"));
    demo = await startDemo(join(folder, "demo.db"));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await demo.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  test("shows every operation without an external request or an error, and calls one", async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });
    const { elsewhere, errors } = watchPage(page, demo.url);

    await page.goto(`${demo.url}/docs`);
    await page.getByText("Countries of the world").first().waitFor();
    expect(await page.locator(".opblock").count()).toBe(8);

    expect(await tryItOut(page, "One country", "NPL")).toContain("Kathmandu");
    if (process.env["SCREENSHOT"] !== undefined)
      await page.screenshot({ path: process.env["SCREENSHOT"], fullPage: true });

    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("is the target of the root path", async () => {
    const page = await browser.newPage();
    await page.goto(`${demo.url}/`);
    await page.getByText("Countries of the world").first().waitFor();
    expect(page.url()).toBe(`${demo.url}/docs`);
  });

  test("fills every form with working values: each operation runs unchanged", async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 3000 } });
    const { errors } = watchPage(page, demo.url);
    page.setDefaultTimeout(60_000);
    await page.goto(`${demo.url}/docs`);
    await page.locator(".opblock").first().waitFor();
    const operations = [
      ["List, filter, sort and page", 200, "Afghanistan"],
      ["Countries, spoken languages and land area of each region", 200, "totalArea"],
      ["Add a country", 201, "Poseidonis"],
      ["One country", 200, "Kathmandu"],
      ["Change a country: the given keys, and no others", 200, "Kathmandu"],
      ["The countries that share a border with one", 200, "India"],
      ["Search by a query spec", 200, "Canada"],
      // Last, since it removes what the others show.
      ["Remove a country and its borders", 204, ""],
    ] as const;
    expect(await page.locator(".opblock").count()).toBe(operations.length);
    for (const [summary, status, text] of operations) {
      const answer = await tryAsFilled(page, summary);
      expect([summary, answer.status]).toEqual([summary, status]);
      expect(answer.body).toContain(text);
    }
    expect(errors).toEqual([]);
    if (process.env["SCREENSHOT"] !== undefined)
      await page.screenshot({ path: `${process.env["SCREENSHOT"]}.filled.png`, fullPage: true });
  }, 180_000);
});
