/** A stretch of wire before a server, which can be cut, go silent, or be cut by what is said on it. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Wire {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  #isSilent = false;
  #onRequest: (data: Buffer) => void = () => undefined;

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      const upstream = connect({ host: target.hostname, port: Number(target.port) });
      const pair = [client, upstream] as const;
      this.#pairs.add(pair);
      const end = () => {
        this.#pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      };
      client.on("data", (data) => {
        if (this.#isSilent) return;
        this.#onRequest(data);
        upstream.write(data);
      });
      upstream.on("data", (data) => {
        if (!this.#isSilent) client.write(data);
      });
      for (const socket of pair) {
        socket.on("close", end);
        socket.on("error", end);
      }
    });
  }

  static async before(target: URL): Promise<Wire> {
    const wire = new Wire(target);
    wire.#server.listen(0, "127.0.0.1");
    await once(wire.#server, "listening");
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on nothing gets through in either direction, and nobody is told. */
  goSilent(): void {
    this.#isSilent = true;
  }

  speak(): void {
    this.#isSilent = false;
  }

  /** Ends every connection. */
  cut(): void {
    for (const [client, upstream] of this.#pairs) {
      client.destroy();
      upstream.destroy();
    }
  }

  /** Ends every connection when a client says something like this: before the server hears it, or just after. */
  cutAt(word: string, when: "before" | "after"): void {
    this.#onRequest = (data) => {
      if (!data.includes(word)) return;
      this.#onRequest = () => undefined;
      if (when === "before") this.cut();
      else setTimeout(() => this.cut(), 1);
    };
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
