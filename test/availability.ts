/** Which servers are asked for, whether they answer, and where the browser is. */
import { existsSync } from "node:fs";
import { connect } from "node:net";

/** The servers that must be there: `ROWTYPE_REQUIRE=postgres,mariadb`. */
export const required: ReadonlySet<string> = new Set(
  (process.env["ROWTYPE_REQUIRE"] ?? "").split(",").filter((name) => name !== ""),
);
export const postgresUrl = new URL(
  process.env["ROWTYPE_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres",
);
/** Whether it stands behind a pooler that hands each transaction another connection: `ROWTYPE_POOLER=transaction`. */
export const behindPooler: boolean = process.env["ROWTYPE_POOLER"] === "transaction";
export const mariadbUrl = new URL(process.env["ROWTYPE_MARIADB"] ?? "mysql://root@127.0.0.1:3306/test");
/** `oracle://user:password@host:1521/service`, of a user who may create users; there is no default. */
export const oracleUrl: URL | undefined =
  process.env["ROWTYPE_ORACLE"] === undefined ? undefined : new URL(process.env["ROWTYPE_ORACLE"]);
export const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const chromiumIsThere = existsSync(chromiumPath);

/** Whether something listens there: a server says hello or waits for us to, either way the connection stands. */
export function answers(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), timeout: 2_000 });
    const settle = (there: boolean) => {
      socket.destroy();
      resolve(there);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
}
