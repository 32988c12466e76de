/** A stretch of wire before a server, which can be cut, go silent, or be cut by what is said on it. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Where and how a wire breaks. */
export interface Fault {
  /** How many bytes get through before. */
  readonly after: number;
  readonly from: "client" | "server";
  /** Ended on both sides, reset on both sides, or silent from then on. */
  readonly how: "end" | "reset" | "stall";
}

export class Wire {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  #isSilent = false;
  #onRequest: (data: Buffer) => void = () => undefined;
  #fault: Fault | undefined;
  #passed = 0;

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
        this.#pass(data, "client", upstream);
      });
      upstream.on("data", (data) => {
        if (!this.#isSilent) this.#pass(data, "server", client);
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

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** From now on no data gets through in either direction, and neither side is notified. */
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

  /** Breaks in some time, at the next place that this fits. */
  breakAt(fault: Fault): void {
    this.#fault = fault;
    this.#passed = 0;
  }

  /** Breaks at the next place that this fits, counted from where a client says something like this. */
  breakWith(word: string, fault: Fault): void {
    this.#fault = { ...fault, after: Number.POSITIVE_INFINITY };
    this.#onRequest = (data) => {
      if (!data.includes(word)) return;
      this.#onRequest = () => undefined;
      this.breakAt(fault);
    };
  }

  /** Takes back what has not happened yet, and tells whether it has happened. */
  hasBroken(): boolean {
    const isLeft = this.#fault !== undefined;
    this.#fault = undefined;
    this.#onRequest = () => undefined;
    return !isLeft;
  }

  #pass(data: Buffer, from: Fault["from"], to: Socket): void {
    const fault = this.#fault;
    if (fault?.from !== from || this.#passed + data.length <= fault.after) {
      if (fault?.from === from) this.#passed += data.length;
      to.write(data);
      return;
    }
    this.#fault = undefined;
    const heard = data.subarray(0, fault.after - this.#passed);
    if (fault.how === "stall") this.goSilent();
    // Nothing more is read, and what was let through arrives.
    to.write(heard, () => {
      if (fault.how === "end") this.cut();
      else if (fault.how === "reset") this.#reset();
    });
  }

  #reset(): void {
    for (const [client, upstream] of this.#pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
