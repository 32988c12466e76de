/** The docs page of the demo in a real browser: it shows the document, asks nobody else, and calls an endpoint. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumIsThere, required } from "../availability.js";
import { launchChromium, tryItOut, watchPage } from "../chromium.js";
import { type Demo, startDemo } from "./start-demo.js";

test("a browser is there", ({ skip }) => {
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

  test("shows every operation, without a request to elsewhere or an error, and calls one", async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });
    const { elsewhere, errors } = watchPage(page, demo.url);

    await page.goto(`${demo.url}/docs`);
    await page.getByText("Countries of the world").first().waitFor();
    expect(await page.locator(".opblock").count()).toBe(7);

    expect(await tryItOut(page, "One country", "NPL")).toContain("Kathmandu");
    if (process.env["SCREENSHOT"] !== undefined)
      await page.screenshot({ path: process.env["SCREENSHOT"], fullPage: true });

    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
  });
});
