/** What a stream holds while it is read. */
import { heldMegabytes } from "../../test/kit/heap.js";

const EVERY = 10_000;

/** The most that the heap held after any ten thousand rows, over what it held before, in MiB with one digit. */
export async function held(rows: AsyncIterable<unknown>): Promise<string> {
  const before = await heldMegabytes();
  let most = 0;
  let count = 0;
  for await (const _ of rows)
    if (++count % EVERY === 0) most = Math.max(most, (await heldMegabytes()) - before);
  if (count < EVERY) throw new Error(`the stream gave ${count} rows`);
  return most.toFixed(1);
}
