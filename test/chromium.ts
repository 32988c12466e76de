/** A real browser, and what is asked of every page that is shown in it. */
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath } from "./availability.js";

/** Starts Chromium, with nothing that it does by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
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
}

/** What a page does from now on that it must not: requests to other origins, and errors. */
export function watchPage(
  page: Page,
  own: string,
): { readonly elsewhere: string[]; readonly errors: string[] } {
  const elsewhere: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== own && protocol !== "data:" && protocol !== "blob:") elsewhere.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return { elsewhere, errors };
}

/** Calls an operation from the docs page, with one parameter; gives the body of the answer as the page shows it. */
export async function tryItOut(page: Page, summary: string, parameter: string): Promise<string> {
  const operation = page.locator(".opblock", { hasText: summary });
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.locator("input").first().fill(parameter);
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .microlight").first();
  await answer.waitFor();
  return answer.innerText();
}

/** Calls an operation from the docs page with what the page has filled in; gives what the page shows of the answer. */
export async function tryAsFilled(
  page: Page,
  summary: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const operation = page.locator(".opblock", { has: page.getByText(summary, { exact: true }) });
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .response").first();
  await answer.waitFor();
  const status = Number.parseInt(await answer.locator(".response-col_status").innerText(), 10);
  return { status, body: await answer.innerText() };
}
