/**
 * `rowtype/driver/test`: the tests of a driver, as a list for any runner. Each opens the driver anew over an empty
 * database, speaks to it directly or through the builders, and fails with a sentence that says what the driver did.
 */
import { listed, quoted } from "../../core/errors.js";
import type { DriverDialect } from "../driver/interface.js";
import { DeclarationError } from "../words/errors.js";
import { inTime } from "./checks.js";
import { connectionTests } from "./connections.js";
import { cursorTests } from "./cursors.js";
import { atomicTests, elsewhereTests, lossTests } from "./losses.js";
import { statementTests } from "./statements.js";
import { throughTests } from "./through.js";
import { transactionTests } from "./transactions.js";
import { valueTests } from "./values.js";
import { words } from "./words.js";
import { type OpenedDriver, type TestGroup, World } from "./world.js";

export type { OpenedDriver } from "./world.js";

/** One test. */
export interface DriverTest {
  readonly name: string;
  /** Why there is nothing to test; it is known once one test of the list has opened the driver. */
  readonly skip?: string;
  /** @throws {Error} with a sentence that says what the driver did, and what is expected */
  run(): Promise<void>;
}

/** What is tested. */
export interface DriverTestOptions {
  readonly dialect: DriverDialect;
  /** Opens the driver over an empty database; every test opens it anew, and closes it. */
  open(): Promise<OpenedDriver>;
}

/** The longest that a whole test may take, in milliseconds. */
const MOST_MS = 10_000;

/**
 * The tests of a driver.
 * @throws {DeclarationError} for a dialect that is none, and without `open`
 * @example
 * import test from "node:test";
 * import { driverTests } from "rowtype/driver/test";
 * for (const { name, run, skip } of driverTests({ dialect: "sqlite", open }))
 *   test(name, { skip }, run);
 */
export function driverTests(options: DriverTestOptions): readonly DriverTest[] {
  const { dialect, open } = readOptions(options);
  if (!Object.hasOwn(words, dialect))
    throw new DeclarationError(`unknown dialect ${quoted(dialect)}; dialects: ${listed(Object.keys(words))}`);
  if (typeof open !== "function") throw new DeclarationError("open is a function that opens the driver");
  const groups: readonly TestGroup[] = [
    valueTests(dialect),
    statementTests,
    throughTests,
    transactionTests,
    connectionTests,
    cursorTests,
    lossTests,
    atomicTests,
    elsewhereTests,
  ];
  return groups.flatMap((group) =>
    group.tests.map(([name, run]) => testOf(group, name, run, { dialect, open })),
  );
}

/** @throws {DeclarationError} for options that cannot be read. */
function readOptions(options: DriverTestOptions): DriverTestOptions {
  try {
    const { dialect, open } = options;
    return { dialect, open };
  } catch (cause) {
    throw new DeclarationError("driverTests takes { dialect, open }", { cause });
  }
}

function testOf(
  group: TestGroup,
  name: string,
  run: (world: World) => Promise<void>,
  { dialect, open }: DriverTestOptions,
): DriverTest {
  let reason: string | undefined;
  const test = {
    name,
    run: async () => {
      const opened = await open();
      const world = new World(opened, dialect);
      try {
        reason = group.needs?.(opened, world);
        if (reason === undefined) await inTime(run(world), name, MOST_MS);
      } finally {
        await inTime(opened.close(), "close");
      }
    },
  };
  Object.defineProperty(test, "skip", { enumerable: true, get: () => reason });
  return test;
}
