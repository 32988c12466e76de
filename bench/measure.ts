/** Takes the CPU time of functions that take turns, so that a busy machine disturbs all of them alike. */

const ROUNDS = 15;
const WARM_UP_MS = 80;
// Long enough that a sample has its share of garbage collection.
const SAMPLE_MS = 12;

type Run = () => unknown;

/** The microseconds of CPU time that one call takes, by name: medians over the rounds. Promises are awaited. */
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

// Gives the number of calls that fill a sample.
async function warmUp(run: Run): Promise<number> {
  let times = 1;
  for (let spent = 0; spent < WARM_UP_MS * 1000; times *= 2) spent += (await sample(run, times)) * times;
  const one = await sample(run, times);
  return Math.max(1, Math.round((SAMPLE_MS * 1000) / one));
}

// What a call gives is kept until the next, or the compiler could leave out what makes it.
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
