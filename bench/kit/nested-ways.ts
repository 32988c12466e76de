/**
 * Three ways to orders with their lines, of which all give equal values to the last digit: nested rows in one statement,
 * two queries of rowtype, and two prepared statements of the bare driver, whose rows are put together in the program.
 */
import { deepStrictEqual } from "node:assert";
import mysql from "mysql2/promise";
import type { Lent } from "../../test/servers.js";
import { measure } from "./measure.js";
import { ORDERS, ordersIn } from "./orders.js";

type Read = (last: number) => Promise<readonly object[]>;

/** The ways on a server. Each reads the orders up to a number, with their lines. */
export interface NestedWays {
  readonly one: Read;
  readonly two: Read;
  /** Absent on SQLite. */
  readonly byHand?: Read;
  close(): Promise<void>;
}

/** Makes the tables with their rows, and the ways to read them. */
export async function nestedWays(lent: Lent): Promise<NestedWays> {
  const { orders, lines } = await ordersIn(lent.db);
  const whole = orders.query().where("id", "<=", "last").orderBy("id", "asc");
  const nested = whole.with("lines", lines.query().orderBy("id", "asc"));
  const inner = lines.query().where("orderId", "<=", "last").orderBy("id", "asc");
  const driver = driverOf(lent);
  const byHand =
    driver &&
    (async (last: number) => {
      const found = await driver.rows(driver.orders, last);
      const all = await driver.rows(driver.lines, last);
      return together(found.map(driver.order), all.map(driver.line));
    });
  return {
    one: (last) => nested.exec({ last }),
    two: async (last) => together(await whole.exec({ last }), await inner.exec({ last })),
    ...(byHand === undefined ? {} : { byHand }),
    close: async () => driver?.close(),
  };
}

/** The CPU time of each way by its name, after all of them have given equal values. */
export async function timesOf(
  ways: Partial<Omit<NestedWays, "close">>,
  last: number,
): Promise<ReadonlyMap<string, number>> {
  const reads = Object.entries(ways);
  // The rows of drivers have classes of their own.
  const [first, ...others] = await Promise.all(
    reads.map(async ([, read]) => structuredClone(await read(last))),
  );
  for (const other of others) deepStrictEqual(other, first);
  // One reading of all rows makes less garbage than is collected at once, so another way might pay for it.
  const times = last < ORDERS ? 1 : 10;
  const several = (read: Read) => async () => {
    for (let i = 0; i < times; i++) await read(last);
  };
  return measure(Object.fromEntries(reads.map(([name, read]) => [name, several(read)])));
}

function together<Order extends { readonly id: number }, Line extends { readonly orderId: number }>(
  orders: readonly Order[],
  lines: readonly Line[],
) {
  const groups = new Map<number, Line[]>();
  for (const line of lines) {
    const group = groups.get(line.orderId);
    if (group === undefined) groups.set(line.orderId, [line]);
    else group.push(line);
  }
  return orders.map((order) => ({ ...order, lines: groups.get(order.id) ?? [] }));
}

interface Order {
  id: number;
  note: string;
}

interface Line {
  id: number;
  orderId: number;
  weight: bigint;
  active: boolean;
}

/** A driver as one uses it by hand: what it gives in another form is put right in the rows that it made. */
interface Driver {
  readonly orders: string;
  readonly lines: string;
  rows(sql: string, last: number): Promise<Record<string, unknown>[]>;
  order(row: Record<string, unknown>): Order;
  line(row: Record<string, unknown>): Line;
  close(): Promise<void>;
}

function driverOf({ pool, mysqlPool, url }: Lent): Driver | undefined {
  if (pool !== undefined)
    return {
      ...statements('"', "$1"),
      rows: async (text, last) => (await pool.query({ name: text.slice(0, 40), text, values: [last] })).rows,
      // The driver gives 64-bit numbers as text.
      order: (row) => {
        row["id"] = Number(row["id"]);
        return row as unknown as Order;
      },
      line: (row) => {
        row["id"] = Number(row["id"]);
        row["orderId"] = Number(row["orderId"]);
        row["weight"] = BigInt(row["weight"] as string);
        return row as unknown as Line;
      },
      close: async () => {},
    };
  if (mysqlPool === undefined || url === undefined) return undefined;
  const own = mysql.createPool({ uri: url, timezone: "Z", supportBigNumbers: true, connectionLimit: 4 });
  return {
    ...statements("`", "?"),
    rows: async (sql, last) => (await own.execute<mysql.RowDataPacket[]>(sql, [last]))[0],
    order: (row) => row as unknown as Order,
    line: (row) => {
      // A number, or text where a number would round it.
      row["weight"] = BigInt(row["weight"] as string | number);
      row["active"] = row["active"] === 1;
      return row as unknown as Line;
    },
    close: () => own.end(),
  };
}

const fields = ["id", "orderId", "sku", "price", "ratio", "weight", "active", "at"];

function statements(quote: string, place: string): { readonly orders: string; readonly lines: string } {
  const q = (name: string) => quote + name + quote;
  return {
    orders: `SELECT id, note FROM ${q("orders")} WHERE id <= ${place} ORDER BY id`,
    lines: `SELECT ${fields.map(q).join(", ")} FROM ${q("lines")} WHERE ${q("orderId")} <= ${place} ORDER BY id`,
  };
}
