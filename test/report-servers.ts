/** After the tests, says by name which live tests did not run for want of a server or a browser. */
import { answers, chromiumIsThere, mariadbUrl, postgresUrl } from "./availability.js";

export async function teardown(): Promise<void> {
  const there = {
    postgres: await answers(postgresUrl),
    mariadb: await answers(mariadbUrl),
    chromium: chromiumIsThere,
  };
  for (const [name, isThere] of Object.entries(there))
    if (!isThere) console.error(`skipped: live tests on ${name}, which is not there`);
}
