/**
 * The music store as a program: every line of curl of its README, its docs page, and the page that edits a customer, in
 * Chromium.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumIsThere } from "../availability.js";
import { launchChromium, tryAsFilled, watchPage } from "../chromium.js";

const example = fileURLToPath(new URL("../../examples/store", import.meta.url));
const cover =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="teal"/></svg>';

let folder: string;
let store: ChildProcess;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rowtype-store-"));
  const env = {
    ...process.env,
    PORT: "0",
    STORE_DB: join(folder, "store.db"),
    STORE_COVERS: join(folder, "covers"),
  };
  store = spawn(process.execPath, ["--import", "tsx", join(example, "main.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = await new Promise<string>((resolve, reject) => {
    let printed = "";
    store.once("exit", (code) => reject(new Error(`the store ended with ${code}`)));
    store.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /^API\s+(\S+)/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  store.removeAllListeners("exit");
});
afterAll(async () => {
  const ended = new Promise((resolve) => store.once("exit", resolve));
  store.kill("SIGTERM");
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

describe("the lines of curl in the README", () => {
  const readme = readFileSync(join(example, "README.md"), "utf8");
  const commands = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.split("\n").filter((line) => line.startsWith("curl ")),
  );
  /** What each of them gives, in order: the status, and a part of what it prints or keeps in a file. */
  const expected: readonly (readonly [number, string])[] = [
    [200, '"next":"'],
    [200, '"genre":{"name":"Jazz"}'],
    [200, '"tracks":[{"id":'],
    [200, ""],
    [304, ""],
    [200, ""],
    [200, ""],
    [200, '{"rows":2,"changed":2,"by":"'],
    [202, '{"job":1,"rows":3503}'],
    [200, '{"rows":3503,'],
    [403, "FORBIDDEN"],
    [200, '"coverType":"image/svg+xml"'],
    [200, ""],
    [206, "<svg"],
    [206, ""],
    [201, '"lines":[{"id":'],
    [200, '"invoices":[{"id":'],
    [200, ""],
    [428, "PRECONDITION_REQUIRED"],
    [200, '"version":2'],
    [412, "PRECONDITION_FAILED"],
    [204, ""],
    [404, "NOT_FOUND"],
  ];

  test("give what the README says, one after the other", async () => {
    writeFileSync(join(folder, "cover.svg"), cover);
    const run = async (command: string) => {
      const { stdout } = await promisify(execFile)("bash", ["-c", `${command} -sS -w '\\n%{http_code}'`], {
        cwd: folder,
        env: { ...process.env, URL: url },
      });
      const end = stdout.lastIndexOf("\n");
      return [Number(stdout.slice(end + 1)), stdout.slice(0, end)] as const;
    };
    expect(commands).toHaveLength(expected.length);
    for (const [n, command] of commands.entries()) {
      const [status, text] = await run(command);
      expect([command, status, text]).toEqual([
        command,
        expected[n]?.[0],
        expect.stringContaining(expected[n]?.[1] ?? ""),
      ]);
    }
    const file = (name: string) => readFileSync(join(folder, name), "utf8");
    const sheet = file("catalogue.csv").split("\r\n");
    expect([sheet[0], sheet.length]).toEqual(["id,name,milliseconds,price", 3505]);
    const lines = file("catalogue.ndjson").trimEnd().split("\n");
    expect(lines).toHaveLength(3503);
    expect(JSON.parse(lines[6] ?? "")).toMatchObject({ id: 7, price: "0.99" });
    expect([file("whole.svg"), file("rest.svg")]).toEqual([cover, cover.slice(4)]);
    expect(statSync(join(folder, "covers", "3")).size).toBe(cover.length);
    expect(JSON.parse(file("card.json"))).toMatchObject({ id: 5, version: 1 });
    // The long list is worked off afterwards, and the short one was undone by it.
    await expect
      .poll(async () => (await run('curl "$URL/admin/prices/1" -H "X-Staff: 1"'))[1])
      .toBe('{"rows":3503,"changed":3503}');
  });
});

describe.skipIf(!chromiumIsThere)("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  const picture = (name: string) =>
    process.env["SCREENSHOT"] === undefined ? undefined : `${process.env["SCREENSHOT"]}.${name}.png`;

  test("the docs page uploads a cover, and searches by QUERY", async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1800 } });
    page.setDefaultTimeout(60_000);
    const { elsewhere, errors } = watchPage(page, url);
    await page.goto(`${url}/docs`);
    await page.locator(".opblock").first().waitFor();
    const found = await tryAsFilled(page, "Search over tracks, albums, artists, genres and sales by QUERY");
    expect(found.status).toBe(200);
    expect(found.body).toContain('"Jazz"');

    const upload = page.locator(".opblock", {
      has: page.getByText("Upload the cover of an album", { exact: true }),
    });
    await upload.locator(".opblock-summary-control").click();
    await upload.getByRole("button", { name: "Try it out" }).click();
    await upload
      .locator('input[type="file"]')
      .setInputFiles({ name: "c.svg", mimeType: "image/svg+xml", buffer: Buffer.from(cover) });
    await upload.getByRole("button", { name: "Execute" }).click();
    const answer = upload.locator(".live-responses-table .response").first();
    await answer.waitFor();
    expect(await answer.innerText()).toContain('"coverType": "image/svg+xml"');

    const path = picture("docs");
    if (path !== undefined) await page.screenshot({ path, fullPage: true });
    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test("who saves second sees both texts, and decides", async () => {
    const open = async () => {
      const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
      await page.goto(`${url}/customers/8/edit`);
      await expect.poll(() => page.getByLabel("Name").inputValue()).not.toBe("");
      return page;
    };
    const [ann, bob] = [await open(), await open()];
    await ann.getByLabel("City").fill("Bern");
    await ann.getByRole("button", { name: "Save" }).click();
    await ann.getByText("Saved", { exact: true }).waitFor();

    await bob.getByLabel("City").fill("Chur");
    await bob.getByRole("button", { name: "Save" }).click();
    await bob.getByText("Somebody else has changed this customer").waitFor();
    const city = bob.locator("tr.differs");
    expect(await city.allInnerTexts()).toEqual(["city\tChur\tBern"]);
    const path = picture("edit");
    if (path !== undefined) await bob.screenshot({ path });

    await bob.getByRole("button", { name: "Keep mine" }).click();
    await bob.getByText("Saved", { exact: true }).waitFor();
    const card = async () => (await (await fetch(`${url}/customers/8/card`)).json()) as object;
    expect(await card()).toMatchObject({ city: "Chur", version: 3 });

    await ann.getByLabel("City").fill("Genf");
    await ann.getByRole("button", { name: "Save" }).click();
    await ann.getByText("Somebody else has changed this customer").waitFor();
    await ann.getByRole("button", { name: "Take theirs" }).click();
    expect(await ann.getByLabel("City").inputValue()).toBe("Chur");
    expect(await card()).toMatchObject({ city: "Chur", version: 3 });
    await ann.close();
    await bob.close();
  });
});
