/** Measures functions in interleaved rounds, so that a busy machine affects all of them equally. */

const ROUNDS = 15;

/** How long a function is warmed up and sampled, in milliseconds of CPU time of this process. */
export interface Pace {
  readonly warmUp: number;
  readonly sample: number;
}
// Samples are long enough that each has its share of garbage collection.
const PACE: Pace = { warmUp: 80, sample: 12 };

/** Microseconds since a moment that it chooses. */
type Clock = () => number;
export const ownCpu: Clock = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

type Run = () => unknown;

/** The microseconds of CPU time of one call, by name: medians over the rounds. Promises are awaited. */
export async function measure(
  candidates: Readonly<Record<string, Run>>,
): Promise<ReadonlyMap<string, number>> {
  const samples = await samplesOf(candidates, { cpu: ownCpu }, PACE);
  return new Map([...samples].map(([name, all]) => [name, median(all.map(({ cpu }) => cpu))]));
}

/** The microseconds of one call by name and clock, one sample a round. */
export async function samplesOf<Name extends string>(
  candidates: Readonly<Record<string, Run>>,
  clocks: Readonly<Record<Name, Clock>>,
  pace: Pace,
): Promise<ReadonlyMap<string, readonly Readonly<Record<Name, number>>[]>> {
  const entries = Object.entries(candidates).map(([name, run]) => ({
    name,
    run,
    times: 0,
    samples: [] as Record<Name, number>[],
  }));
  for (const one of entries) one.times = await warmUp(one.run, pace);
  for (let round = 0; round < ROUNDS; round++)
    for (let i = 0; i < entries.length; i++) {
      const one = entries[(i + round) % entries.length];
      one?.samples.push(await sample(one.run, one.times, clocks));
    }
  return new Map(entries.map(({ name, samples }) => [name, samples]));
}

// Returns the number of calls that fill a sample.
async function warmUp(run: Run, pace: Pace): Promise<number> {
  const cpu = async (times: number) => (await sample(run, times, { cpu: ownCpu })).cpu;
  let times = 1;
  for (let spent = 0; spent < pace.warmUp * 1000; times *= 2) spent += (await cpu(times)) * times;
  return Math.max(1, Math.round((pace.sample * 1000) / (await cpu(times))));
}

// The result of a call is kept until the next call, so that the compiler cannot remove its computation.
let kept: unknown;

async function sample<Name extends string>(
  run: Run,
  times: number,
  clocks: Readonly<Record<Name, Clock>>,
): Promise<Record<Name, number>> {
  const read = () => Object.entries<Clock>(clocks).map(([name, clock]) => [name, clock()] as const);
  const before = read();
  for (let i = 0; i < times; i++) {
    kept = run();
    if (kept instanceof Promise) await kept;
  }
  const after = new Map(read());
  const taken = before.map(([name, start]) => [name, ((after.get(name) ?? Number.NaN) - start) / times]);
  return Object.fromEntries(taken) as Record<Name, number>;
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
