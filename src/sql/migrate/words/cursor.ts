/** The place of a data migration: which of its batches, and the key of the last completed row, as JSON. */
import { z } from "zod";
import { isObject } from "../../../core/values.js";

/** The place of a data migration. */
export interface Cursor {
  /** The place of the call of `batch` in the function, from 0. */
  readonly batch: number;
  /** The table of that call, so that a different function is not taken for this one. */
  readonly table: string;
  /** The primary key of the last completed row; none at the beginning. */
  readonly after: readonly unknown[] | undefined;
}

const Stored = z.object({ batch: z.int().min(0), table: z.string(), after: z.array(z.unknown()).optional() });

/** Reads a stored place. */
export function readRowCursor(text: string | null): Cursor | undefined {
  if (text === null) return undefined;
  const { batch, table, after } = Stored.parse(JSON.parse(text));
  return { batch, table, after: after?.map(fromJson) };
}

/** Writes a place as it is stored. */
export function writeCursor({ batch, table, after }: Cursor): string {
  return JSON.stringify({ batch, table, ...(after === undefined ? {} : { after: after.map(toJson) }) });
}

function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return { bigint: String(value) };
  if (value instanceof Date) return { date: value.toISOString() };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  return value;
}

function fromJson(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { bigint, date, bytes } = value;
  if (typeof bigint === "string") return BigInt(bigint);
  if (typeof date === "string") return new Date(date);
  return typeof bytes === "string" ? Uint8Array.from(Buffer.from(bytes, "base64")) : value;
}
