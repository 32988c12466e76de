/**
 * What a file of tests leaves open is closed after it. Test files share a process and its modules, so that a module
 * which is not a test file must not call `afterAll` itself: only the first file would evaluate it.
 */
import { afterAll } from "vitest";

const open: (() => unknown)[] = [];

/** Has the function called when all tests of the file are done. */
export function atEnd(close: () => unknown): void {
  open.push(close);
}

/** Closes what the file has left open; vitest evaluates `test/setup.ts`, which calls this, for each file. */
export function closeAtEnd(): void {
  afterAll(async () => {
    await Promise.all(open.splice(0).map((close) => close()));
  });
}
