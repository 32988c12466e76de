/**
 * A process that a test stops and lets go on: told to, it asks an endpoint, and tells what came of it.
 */
import { createEngine, GET, identity } from "rowtype/http";
import { refreshToken } from "rowtype/http/oauth";
import { serveRequest } from "rowtype/http/testing";

const [tokenEndpoint = "", limit] = process.argv.slice(2);
const limitMs = Number(limit);

const api = createEngine({ timeouts: { identityMs: limitMs } })
  .withAuthenticator(async () => {
    await fetch(tokenEndpoint).then((response) => response.text());
    return identity({ id: "ann" });
  })
  .withHandlers(GET("/me", { authentication: true }, ({ identity }) => identity.id));

const outcomes: Readonly<Record<string, () => Promise<string>>> = {
  refresh: () =>
    refreshToken({ clientId: "shop", tokenEndpoint, timeoutMs: limitMs }, "token").then(
      ({ accessToken }) => accessToken,
      (error: Error) => error.message,
    ),
  request: () => serveRequest(api, "GET", "/me").then((response) => response.text()),
};

process.on("message", async (name: string) => process.send?.((await outcomes[name]?.()) ?? "unknown"));
process.send?.("ready");
