/** The size of the used heap, measured after garbage collection. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What collects garbage at once, on Node and on Bun. */
function collector(): () => void {
  const { Bun } = globalThis as { readonly Bun?: { gc(isWaiting: boolean): void } };
  if (Bun !== undefined) return () => Bun.gc(true);
  setFlagsFromString("--expose-gc");
  // The flag shows in contexts that are made after it was set.
  return runInNewContext("gc") as () => void;
}

const collect = collector();

/** Megabytes that are held. */
export async function heldMegabytes(): Promise<number> {
  // What the last turn of the event loop holds, and what weak references held in it, goes with the next ones.
  for (let i = 0; i < 3; i++) {
    await new Promise(setImmediate);
    collect();
  }
  return process.memoryUsage().heapUsed / 2 ** 20;
}
