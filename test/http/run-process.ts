/**
 * Runs a module in a process of its own, until it ends by itself. It imports the built package: the sources would have
 * to be compiled in each process.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param options whether the reading end of stderr is closed at once */
export async function runProcess(
  module: string,
  { closeStderr = false }: { readonly closeStderr?: boolean } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", module], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (closeStderr) child.stderr.destroy();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    closeStderr ? "" : text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}
