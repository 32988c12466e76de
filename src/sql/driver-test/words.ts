/** What the tests write in each dialect, and in which form its values go and come. */
import type { DriverDialect, Value } from "../driver/interface.js";

/** A value that is stored in a column of a type. */
export interface Sample {
  readonly name: string;
  readonly type: string;
  readonly value: Value;
  /** What is read, if that is another form. */
  readonly read?: Value;
  readonly bigints?: true;
}

/** One dialect. */
export interface Words {
  readonly integer: string;
  readonly text: string;
  /** A text that can be a key. */
  readonly shortText: string;
  /** The placeholder of a position, from 1. */
  readonly place: (position: number) => string;
  /** How a whole number is read from an integer column. */
  readonly whole: (value: number) => Value;
  readonly mostParams: number;
  /** A statement that takes a minute, where the server can be made to wait. */
  readonly sleep?: string;
  /** Whether two cursors can be open on one connection. */
  readonly hasTwoCursors: boolean;
  readonly samples: readonly Sample[];
}

const LARGE = 1_000_000;
const allBytes = Uint8Array.from({ length: 256 }, (_, i) => i);
const texts: readonly (readonly [name: string, value: string])[] = [
  ["an empty text", ""],
  ["a text with quotes, backslashes and placeholders", "a'b\"c\\d`e $1 ? :n \\x41 %_"],
  ["a text with line breaks and blanks at its ends", " \t\r\na\n "],
  ["a text of several scripts, with characters beyond the base plane", "äß 世界 🙂 \u{1F468}\u200d\u{1F469}"],
  ["a text that looks like a number", "007"],
  ["a text that looks like null", "NULL"],
  ["a text of a million letters", "é".repeat(LARGE / 2)],
];
const textsOf = (type: string): Sample[] => texts.map(([name, value]) => ({ name, type, value }));

const hex = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}`;

export const words: { readonly [D in DriverDialect]: Words } = {
  postgres: {
    integer: "bigint",
    text: "text",
    shortText: "text",
    place: (position) => `$${position}`,
    whole: String,
    // postgres.js takes two fewer than the protocol.
    mostParams: 65_533,
    sleep: "SELECT pg_sleep(60)",
    hasTwoCursors: true,
    samples: [
      ...textsOf("text"),
      {
        name: "the smallest integer of 64 bits",
        type: "bigint",
        value: "-9223372036854775808",
        bigints: true,
      },
      { name: "the largest integer of 64 bits", type: "bigint", value: "9223372036854775807", bigints: true },
      { name: "an integer beyond 2^53", type: "bigint", value: "9007199254740993", bigints: true },
      { name: "zero", type: "integer", value: "0" },
      { name: "a double with all of its digits", type: "double precision", value: "0.30000000000000004" },
      { name: "the smallest double", type: "double precision", value: "5e-324" },
      { name: "a decimal with zeros at its end", type: "numeric(12,4)", value: "-1.5000" },
      {
        name: "a decimal of 40 digits",
        type: "numeric",
        value: "1234567890123456789012345678901234567890.5",
      },
      { name: "true", type: "boolean", value: "true", read: "t" },
      { name: "false", type: "boolean", value: "false", read: "f" },
      { name: "no bytes", type: "bytea", value: "\\x" },
      { name: "every byte", type: "bytea", value: hex(allBytes) },
      { name: "a megabyte of bytes", type: "bytea", value: hex(new Uint8Array(LARGE).fill(92)) },
      {
        name: "a list",
        type: "text[]",
        value: '{"a,b","q\\"","\\\\",NULL,""}',
        read: '{"a,b","q\\"","\\\\",NULL,""}',
      },
      { name: "JSON", type: "jsonb", value: '{"a": [1, null, "x"]}' },
      { name: "a date", type: "date", value: "0099-12-31" },
      { name: "a uuid", type: "uuid", value: "00000000-0000-4000-8000-00000000000f" },
    ],
  },
  mariadb: {
    integer: "BIGINT",
    text: "LONGTEXT",
    shortText: "VARCHAR(100)",
    place: () => "?",
    whole: (value) => value,
    mostParams: 65_535,
    sleep: "SELECT SLEEP(60)",
    hasTwoCursors: false,
    samples: [
      ...textsOf("LONGTEXT CHARACTER SET utf8mb4"),
      { name: "the smallest integer of 64 bits", type: "BIGINT", value: -(2n ** 63n), bigints: true },
      { name: "the largest integer of 64 bits", type: "BIGINT", value: 2n ** 63n - 1n, bigints: true },
      { name: "an integer beyond 2^53", type: "BIGINT", value: 2n ** 53n + 1n, bigints: true },
      { name: "zero", type: "INT", value: 0 },
      { name: "a double with all of its digits", type: "DOUBLE", value: 0.1 + 0.2 },
      { name: "a decimal with zeros at its end", type: "DECIMAL(12,4)", value: "-1.5000" },
      { name: "no bytes", type: "LONGBLOB", value: new Uint8Array() },
      { name: "every byte", type: "LONGBLOB", value: allBytes },
      { name: "a megabyte of bytes", type: "LONGBLOB", value: new Uint8Array(LARGE).fill(39) },
      { name: "a date", type: "DATE", value: "0099-12-31" },
      { name: "a time with its fraction", type: "DATETIME(3)", value: "2026-01-02 03:04:05.678" },
    ],
  },
  sqlite: {
    integer: "INTEGER",
    text: "TEXT",
    shortText: "TEXT",
    place: () => "?",
    whole: (value) => value,
    mostParams: 32_766,
    hasTwoCursors: true,
    samples: [
      ...textsOf("TEXT"),
      { name: "the smallest integer of 64 bits", type: "INTEGER", value: -(2n ** 63n), bigints: true },
      { name: "the largest integer of 64 bits", type: "INTEGER", value: 2n ** 63n - 1n, bigints: true },
      { name: "an integer beyond 2^53", type: "INTEGER", value: 2n ** 53n + 1n, bigints: true },
      { name: "zero", type: "INTEGER", value: 0 },
      { name: "an integer of 53 bits", type: "INTEGER", value: 2 ** 53 - 1 },
      { name: "a double with all of its digits", type: "REAL", value: 0.1 + 0.2 },
      { name: "the smallest double", type: "REAL", value: 5e-324 },
      { name: "a large double", type: "REAL", value: -1.7976931348623157e308 },
      { name: "no bytes", type: "BLOB", value: new Uint8Array() },
      { name: "every byte", type: "BLOB", value: allBytes },
      { name: "a megabyte of bytes", type: "BLOB", value: new Uint8Array(LARGE).fill(39) },
    ],
  },
};
