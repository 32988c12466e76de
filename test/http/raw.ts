/**
 * Sends bytes that no HTTP client would send, and gives back all that came until the connection ended.
 */
import { connect } from "node:net";

/** How long a busy server may take until it begins to answer, and between two parts of what it sends. */
const PATIENCE = { first: 10_000, next: 500 };

/**
 * @param endAfterMs when to leave after the bytes were sent, whatever has come. Without it the connection stays until the server ends it, or
 * has answered and sends no more.
 */
export function raw(
  port: number,
  text: string,
  { endAfterMs }: { readonly endAfterMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    let timer: NodeJS.Timeout | undefined;
    const leaveAfter = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), ms);
    };
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      leaveAfter(endAfterMs ?? PATIENCE.first);
    });
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (endAfterMs !== undefined) return;
      leaveAfter(PATIENCE.next);
    });
    // A server that ends the connection early may reset it.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}
