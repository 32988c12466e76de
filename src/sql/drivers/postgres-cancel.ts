/**
 * Asks a PostgreSQL server to give up the statement that runs on a connection. The protocol has a request for it on a
 * connection of its own, which names the other by a secret: so it works for any user, through a pooler, and where the
 * pool has no connection left.
 */
import { connect } from "node:net";

/** What of a client of `pg` says where its server is, and how that knows it. */
interface Cancellable {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly processID?: unknown;
  readonly secretKey?: unknown;
}

const CANCEL_REQUEST = 80_877_102;

/**
 * Sends the request. The server has acted on it when this resolves, and does not say how.
 * @returns false where it could not be sent, or where no answer came in time.
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
    // The server closes the connection when the signal is on its way.
    socket.once("close", () => settle(true));
    socket.once("connect", () => socket.write(request));
    socket.resume();
  });
}
