/**
 * A provider whose every answer a test decides, on a port of its own; and tokens signed with keys that it may or
 * may not publish.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { atEnd } from "../at-end.js";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Provider {
  readonly url: string;
  /** Every request so far. */
  readonly asked: Asked[];
  answer: (asked: Asked, response: ServerResponse) => void;
}

/** A provider that listens. Its `answer` may be changed at any time. */
export async function provider(answer: Provider["answer"]): Promise<Provider> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const asked = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body,
    };
    self.asked.push(asked);
    self.answer(asked, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const self: Provider = { url: `http://127.0.0.1:${address.port}`, asked: [], answer };
  return self;
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Small, until somebody unpacks all of it. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));

/** Answers that no client should take for an answer, by name. */
export const hostile: Readonly<Record<string, Provider["answer"]>> = {
  "fails with 500": (_asked, response) => void response.writeHead(500).end("secret-of-the-provider"),
  "never answers": () => {},
  "stops in the middle": (_asked, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"keys":[');
  },
  "answers with HTML": (_asked, response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<h1>secret-of-the-provider</h1>"),
  "answers with JSON of another shape": (_asked, response) => json(response, [1, null]),
  "redirects to itself": ({ path }, response) =>
    void response.writeHead(307, { location: path.startsWith("/again") ? "/x" : `/again${path}` }).end(),
  "cuts the connection": (_asked, response) => void response.destroy(),
  "answers with a bomb": (_asked, response) =>
    void response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(BOMB),
  "never stops answering": (_asked, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  },
};

export interface Signer {
  /** The public key as it is published. */
  readonly jwk: JWK;
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
}

/** A key pair that signs tokens, in any algorithm. */
export async function signer(kid: string, alg = "RS256"): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid, ...header })
        // Lets a test demand an extension that the receiver does not know.
        .sign(privateKey, { crit: { unheard: true } }),
  };
}
