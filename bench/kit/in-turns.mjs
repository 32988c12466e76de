/** What a program prints in processes of its own that take turns, so that a busy machine affects all of them equally. */
import { spawnSync } from "node:child_process";

/** The number that a new process of Node prints. */
export function printedBy(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** The median of what a module prints for each kind, which is its only argument; every other round begins with the last. */
export function mediansOf(path, kinds, rounds) {
  const printed = new Map(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++)
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
      printed.get(kind).push(printedBy([path, kind]));
  return kinds.map((kind) => printed.get(kind).sort((a, b) => a - b)[Math.floor(rounds / 2)]);
}
