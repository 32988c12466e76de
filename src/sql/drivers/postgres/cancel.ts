/**
 * Asks a PostgreSQL server to cancel the statement that runs on a connection. The protocol sends this request on a
 * separate connection and identifies the first by a secret. Therefore it works for any user, through a pooler, and if
 * the pool has no free connection.
 */
import { connect } from "node:net";

/** The parts of a `pg` client that hold the server's address and the cancel key. */
interface Cancellable {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly processID?: unknown;
  readonly secretKey?: unknown;
}

const CANCEL_REQUEST = 80_877_102;

/**
 * Sends the request. When this resolves, the server has processed it without reporting a result.
 * @returns false if it could not be sent, or if there was no answer in time.
 */
export function cancelStatement(client: object, timeoutMs: number): Promise<boolean> {
  const { host, port, processID, secretKey } = client as Cancellable;
  if (typeof host !== "string" || typeof port !== "number") return Promise.resolve(false);
  if (typeof processID !== "number" || typeof secretKey !== "number") return Promise.resolve(false);
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    // A host that is a path is the directory of a Unix socket.
    const socket = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const settle = (isDone: boolean) => {
      socket.destroy();
      resolve(isDone);
    };
    socket.setTimeout(timeoutMs, () => settle(false));
    socket.once("error", () => settle(false));
    // The server closes the connection when it has sent the cancel signal.
    socket.once("close", () => settle(true));
    socket.once("connect", () => socket.write(request));
    socket.resume();
  });
}
