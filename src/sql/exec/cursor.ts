/** A statement whose rows are read in pages outside the caller's transaction: it has its own connection. */
import type { Driver, DriverCursor, DriverRequest } from "../contract/driver.js";

/** Opens a statement on its own connection, which is returned when all rows are read or no more are needed. */
export async function openAlone(
  driver: Driver,
  request: DriverRequest,
  signal: AbortSignal | undefined,
): Promise<DriverCursor> {
  if (driver.open !== undefined) return driver.open(request, signal);
  const connection = await driver.connect(signal);
  let isOpen = true;
  const end = async (command: "commit" | "rollback"): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    // Nothing was changed, and there is no error to report. A connection that did not answer is destroyed.
    const inDoubt = await connection.control(command).then(
      () => false,
      () => true,
    );
    await connection.release(inDoubt);
  };
  const orEnd = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      await end("rollback");
      throw error;
    }
  };
  const cursor = await orEnd(async () => {
    await connection.begin(undefined);
    return connection.open(request, signal);
  });
  return {
    next: () =>
      orEnd(async () => {
        const rows = await cursor.next();
        if (rows.length === 0) await end("commit");
        return rows;
      }),
    close: async () => {
      try {
        if (isOpen) await cursor.close();
      } finally {
        await end("rollback");
      }
    },
  };
}
