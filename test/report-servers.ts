/** After the tests, says by name which live tests did not run for want of a server or a browser. */
import { existsSync } from "node:fs";
import { answers, mariadbUrl, postgresUrl } from "./availability.js";

export async function teardown(): Promise<void> {
  const there = {
    postgres: await answers(postgresUrl),
    mariadb: await answers(mariadbUrl),
    chromium: existsSync(process.env["CHROMIUM"] ?? "/usr/bin/chromium"),
  };
  for (const [name, isThere] of Object.entries(there))
    if (!isThere) console.error(`skipped: live tests on ${name}, which is not there`);
}
