/** Tables whose one value is of a kind, whatever the type of its column, and what is sent about them. */
import { column, type Database, decimal, json, table } from "rowtype";
import { type Driver, databaseOver } from "rowtype/driver";
import { z } from "zod";
import type { Lent } from "../servers.js";
import { driverBehind } from "./driver-behind.js";

export const guardedKinds: Readonly<Record<string, () => z.ZodType>> = {
  text: () => z.string(),
  enum: () => z.enum(["a", "B", "it's"]),
  literals: () => z.literal([1, 2]),
  int: () => z.int(),
  number: () => z.number(),
  bigint: () => z.bigint(),
  boolean: () => z.boolean(),
  date: () => z.date(),
  bytes: () => z.instanceof(Uint8Array),
  "decimal of two digits": () => decimal(12, 2),
  "decimal of none": () => decimal(12, 0),
  json: () => json(z.object({ a: z.int() })),
  texts: () => z.array(z.string()),
};

/** A declaration of its own for each call: nothing is known of its texts. @param type the declared type of the column. */
export function guardedTable(name: string, kind: string, isNullable: boolean, type?: string) {
  const schema = guardedKinds[kind]?.() ?? z.string();
  const value = isNullable ? schema.nullable() : schema;
  return table(
    name,
    z.object({
      id: column(z.int(), { primaryKey: true }),
      v: type === undefined ? value : column(value, { type }),
    }),
  );
}

/** A driver whose errors have a form of its own, which it says by `fault`. */
function withOwnErrors(driver: ReturnType<typeof driverBehind>): Driver {
  return {
    ...driver,
    run: async (statement, signal) => {
      try {
        return await driver.run(statement, signal);
      } catch (error) {
        throw { said: error };
      }
    },
    fault: (error) => {
      const { message, code, errno } = Object(Object(error).said);
      return { message: String(message), sqlState: code, errno };
    },
  };
}

/** A database over the same server whose driver has errors of its own form. */
export function withOwnFaults({ db }: Lent, dialect: "mariadb" | "postgres"): Database<"postgres"> {
  return databaseOver(dialect, withOwnErrors(driverBehind(db))) as unknown as Database<"postgres">;
}

/** A database over the same server that adds each of its texts to a list, outside of transactions, and their beginnings. */
export function hearing({ db }: Lent, dialect: "mariadb" | "postgres", sent: string[]): Database<"postgres"> {
  const driver = driverBehind(db);
  const heard = {
    ...driver,
    run: (...[statement, signal]: Parameters<typeof driver.run>) => {
      sent.push(statement.sql);
      return driver.run(statement, signal);
    },
    connect: async (signal?: AbortSignal) => {
      sent.push("a transaction");
      return driver.connect(signal);
    },
  };
  // One type for both: the tests use what both have.
  return databaseOver(dialect, heard) as unknown as Database<"postgres">;
}
