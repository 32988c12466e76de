/**
 * Measures the cost of a row of an answer, in microseconds of the server's CPU time. Servers are separate processes in
 * interleaved rounds.
 */
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./measure.js";
import { serverNames, startServer, told } from "./server-processes.js";

const file = fileURLToPath(new URL("row-servers.mjs", import.meta.url));

/** The names of all servers. */
export function rowServers(): readonly string[] {
  return serverNames(file);
}

interface Server {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly samples: number[];
}

/** Medians by name. */
export async function rowCost(
  names: readonly string[],
  { rounds, rows }: { readonly rounds: number; readonly rows: number },
): Promise<ReadonlyMap<string, number>> {
  const servers = await Promise.all(names.map(start));
  try {
    for (const server of servers) await sample(server, rows);
    for (let round = 0; round < rounds; round++)
      for (const server of servers) server.samples.push(await sample(server, rows));
  } finally {
    for (const { child } of servers) child.disconnect();
  }
  return new Map(servers.map(({ name, samples }) => [name, median(samples)]));
}

async function start(name: string): Promise<Server> {
  const { child, port } = await startServer(file, name);
  return { name, child, port, samples: [] };
}

/** A client that reads as fast as it can. */
async function sample({ name, child, port }: Server, rows: number): Promise<number> {
  const asked = () => {
    const answer = told<{ cpu: number }>(child, name);
    child.send({});
    return answer;
  };
  await asked();
  const { body } = await fetch(`http://127.0.0.1:${port}/?rows=${rows}`);
  let bytes = 0;
  // The body of an answer with rows.
  for await (const chunk of body ?? []) bytes += chunk.length;
  if (bytes < rows * 20) throw new Error(`${name} gave ${bytes} bytes`);
  return (await asked()).cpu / rows;
}
