/** After the tests, says by name which live tests did not run for want of a server or a browser. */
import { answers, chromiumIsThere, mariadbUrl, oracleUrl, postgresUrl } from "./availability.js";
import { h2IsThere } from "./oracle/h2/process.js";

export async function teardown(): Promise<void> {
  const there = {
    postgres: await answers(postgresUrl),
    mariadb: await answers(mariadbUrl),
    h2: h2IsThere,
    oracle: oracleUrl !== undefined && (await answers(oracleUrl)),
    chromium: chromiumIsThere,
  };
  for (const [name, isThere] of Object.entries(there))
    if (!isThere) console.error(`skipped: live tests on ${name}, which is not there`);
}
