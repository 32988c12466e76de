/** Measures the CPU time of functions in interleaved rounds, so that a busy machine affects all of them equally. */

const ROUNDS = 15;
const WARM_UP_MS = 80;
// Long enough that a sample includes its share of garbage collection.
const SAMPLE_MS = 12;

type Run = () => unknown;

/** The microseconds of CPU time of one call, by name: medians over the rounds. Promises are awaited. */
export async function measure(
  candidates: Readonly<Record<string, Run>>,
): Promise<ReadonlyMap<string, number>> {
  const entries = await Promise.all(
    Object.entries(candidates).map(async ([name, run]) => ({ name, run, times: 0, samples: [] as number[] })),
  );
  for (const one of entries) one.times = await warmUp(one.run);
  for (let round = 0; round < ROUNDS; round++)
    for (let i = 0; i < entries.length; i++) {
      const one = entries[(i + round) % entries.length];
      one?.samples.push(await sample(one.run, one.times));
    }
  return new Map(entries.map(({ name, samples }) => [name, median(samples)]));
}

// Returns the number of calls that fill a sample.
async function warmUp(run: Run): Promise<number> {
  let times = 1;
  for (let spent = 0; spent < WARM_UP_MS * 1000; times *= 2) spent += (await sample(run, times)) * times;
  const one = await sample(run, times);
  return Math.max(1, Math.round((SAMPLE_MS * 1000) / one));
}

// The result of a call is kept until the next call, so that the compiler cannot remove its computation.
let kept: unknown;

async function sample(run: Run, times: number): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) {
    kept = run();
    if (kept instanceof Promise) await kept;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
