/**
 * Measures the cost of an event for each of a hundred clients, in microseconds of the server's CPU time. Servers
 * are separate processes in interleaved rounds.
 */
import type { ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { median } from "./measure.js";
import { serverNames, startServer, told } from "./server-processes.js";

const CLIENTS = 100;
const file = fileURLToPath(new URL("stream-servers.mjs", import.meta.url));

/** The names of all servers. */
export function streamServers(): readonly string[] {
  return serverNames(file);
}

interface Server {
  readonly name: string;
  readonly child: ChildProcess;
  readonly sockets: readonly Socket[];
  readonly samples: number[];
}

/** Medians by name. */
export async function streamCost(
  names: readonly string[],
  { rounds, events }: { readonly rounds: number; readonly events: number },
): Promise<ReadonlyMap<string, number>> {
  const servers = await Promise.all(names.map(start));
  for (const server of servers) await sample(server, events);
  for (let round = 0; round < rounds; round++)
    for (const server of servers) server.samples.push(await sample(server, events));
  for (const { child, sockets } of servers) {
    for (const socket of sockets) socket.destroy();
    child.disconnect();
  }
  return new Map(servers.map(({ name, samples }) => [name, median(samples)]));
}

async function start(name: string): Promise<Server> {
  const { child, port } = await startServer(file, name);
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => client(port)));
  return { name, child, sockets, samples: [] };
}

/** A client that reads as fast as it can. */
function client(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    );
    socket.on("error", reject);
    socket.once("data", () => resolve(socket));
    socket.resume();
  });
}

async function sample({ name, child }: Server, events: number): Promise<number> {
  const answer = told<{ perEvent: number; clients: number }>(child, name);
  child.send({ events });
  const { perEvent, clients } = await answer;
  if (clients !== CLIENTS) throw new Error(`${name} has ${clients} clients`);
  return perEvent;
}
