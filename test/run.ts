/** What the processes of a run have in common, and what is taken away after it. */
import { randomBytes } from "node:crypto";
import { answers, postgresUrl } from "./availability.js";

export async function setup(): Promise<() => Promise<void>> {
  const run = randomBytes(4).toString("hex");
  // Each process of the tests gets a copy.
  process.env["ROWTYPE_RUN"] = run;
  return async () => {
    if (!(await answers(postgresUrl))) return;
    const { dropDatabasesOf } = await import("./postgres-databases.js");
    await dropDatabasesOf(run);
  };
}
