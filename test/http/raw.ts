/**
 * Sends bytes that no HTTP client would send, and gives back all that came until the connection ended.
 */
import { connect } from "node:net";

export function raw(
  port: number,
  text: string,
  { endAfterMs = 500 }: { readonly endAfterMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const timer = setTimeout(() => socket.destroy(), endAfterMs);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    // A server that ends the connection early may reset it.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}
