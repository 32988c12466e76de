/**
 * A server for an Express application with mounted engine routers: the server of `start`, for the caller's own
 * application.
 */
import type { Express } from "express";
import { DeclarationError, isReadable, safely } from "../../core/errors.js";
import { servedApp } from "../express/app.js";
import { type Address, listenOn, makeServer } from "../express/server.js";
import { checkAddress, type ListenOptions, listenSettings } from "./engine-options.js";
import { Deadline, readShutdown, type ShutdownOptions, type ShutdownResult, shutDown } from "./shutdown.js";

/** The address of a served application, and its shutdown. */
export interface Listening extends Address {
  /**
   * Accepts no new connections, ends idle ones at once, and active ones after their answers or at the deadline. Only
   * the engine's own `shutdown` ends its streams: call that too.
   */
  shutdown(options?: ShutdownOptions): Promise<ShutdownResult>;
}

/**
 * Serves an Express application by the server of `start`: the same timeouts and refusals, and requests that are created
 * with Express' prototypes. `app.listen` costs a request several times as much.
 * @throws DeclarationError for anything but an application, a host and a port
 * @example
 * import express from "express";
 * import { createEngine, GET, HostLoopback, listen } from "rowtype/http";
 * const api = createEngine().withHandlers(GET("/hello", () => "hello"));
 * const { url } = await listen(express().use("/api", api.router()), HostLoopback, 3000);
 */
export async function listen(
  app: Express,
  host: string,
  port: number,
  options: ListenOptions = {},
): Promise<Listening> {
  if (!safely(() => typeof app === "function" && isReadable(app.request) && isReadable(app.response)))
    throw new DeclarationError("listen takes an Express application");
  checkAddress(host, port);
  const { timeouts } = listenSettings(options);
  const served = makeServer(servedApp(app), timeouts);
  const address = await listenOn(served.server, host, port);
  const deadline = new Deadline();
  let ending: Promise<ShutdownResult> | undefined;
  return {
    ...address,
    async shutdown(given = {}) {
      deadline.add(readShutdown(given));
      // A running answer leaves its connection idle, which then ends.
      served.server.keepAliveTimeout = 1;
      ending ??= shutDown(served, new Set(), deadline.signal).finally(() => deadline.clear());
      return ending;
    },
  };
}
