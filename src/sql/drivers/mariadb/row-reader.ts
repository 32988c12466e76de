/**
 * Reads the rows of prepared statements from mysql2's packets. It replaces the function that mysql2 makes for the
 * columns of a result. That function builds the text of a date from ten parts and a 64-bit integer from an object,
 * obeys settings of the pool, and is looked up by all properties of the columns. This reader returns decimals and JSON
 * as text under any settings, integers as numbers where numbers are decoded, and dates as dates. 1,000 rows of seven
 * columns take 1.3 times the time of hand-written mysql2, down from 3.6 times.
 */
import type { DriverPrepared } from "../../contract/driver.js";
import { THREE_DIGITS, TWO_DIGITS } from "../../dialect/grammar/date-text.js";

/** The part of a packet that is used. After a row its offset is at the end. */
export interface Packet {
  readonly buffer: Uint8Array;
  offset: number;
  readInt8(): number;
  readSInt8(): number;
  readInt16(): number;
  readSInt16(): number;
  readInt32(): number;
  readSInt32(): number;
  readFloat(): number;
  readDouble(): number;
  /** A number, or a text if a number would round it. */
  readInt64(): number | string;
  readSInt64(): number | string;
  readTimeString(): string;
  readLengthCodedBuffer(): unknown;
  readLengthCodedString(encoding: string): string | null;
  parseGeometryValue(): unknown;
  parseVector(): unknown;
}

/** The part of a column's definition that is used. */
export interface Definition {
  /** The number of the type in the protocol. */
  readonly columnType: number;
  readonly characterSet: number;
  readonly encoding: string;
  readonly flags: number;
  readonly decimals: number;
  /** MariaDB's details of a text type. */
  readonly extendedFormat?: string;
}

/** A command that requests the class of its row reader when it knows the columns. */
interface Asking {
  buildParserFromFields?: (fields: readonly Definition[]) => new () => PacketRowReader;
}

/**
 * Makes a command read its rows with this reader.
 * @param prepared the facts about the text.
 * @returns false for a command of another form, which reads its rows itself.
 */
export function readsOwnRows(command: object, prepared: DriverPrepared | undefined): boolean {
  const output = outputOf(prepared);
  const asking: Asking = command;
  if (typeof asking.buildParserFromFields !== "function") return false;
  asking.buildParserFromFields = (fields) => rowReaderClass(fields, output);
  return true;
}

/** The class of the reader of rows with these columns, as mysql2 asks for it. */
export function rowReaderClass(
  fields: readonly Definition[],
  output: DriverPrepared["output"],
): new () => PacketRowReader {
  return PacketRowReader.bind(undefined, readersOf(fields, output));
}

/** The facts about the columns. The columns of the caller's own text may have any order. */
export function outputOf(prepared: DriverPrepared | undefined): DriverPrepared["output"] {
  return prepared?.named === true ? undefined : prepared?.output;
}

/** The reader of rows with these columns. */
export function rowReader(fields: readonly Definition[], output: DriverPrepared["output"]): PacketRowReader {
  return new PacketRowReader(readersOf(fields, output));
}

function readersOf(fields: readonly Definition[], output: DriverPrepared["output"]): Read[] {
  return fields.map((field, i) => readerOf(field, output?.[i]?.kind));
}

type Read = (packet: Packet) => unknown;

export class PacketRowReader {
  readonly #columns: readonly Read[];
  readonly #nullBytes: number;

  constructor(columns: readonly Read[]) {
    this.#columns = columns;
    this.#nullBytes = (columns.length + NULL_BITS_FROM + 7) >> 3;
  }

  /** Called by mysql2 with the packet of each row. */
  next(packet: Packet): unknown[] {
    const columns = this.#columns;
    const { buffer } = packet;
    // A row begins with one unused byte, followed by one bit for each column that is null.
    const nulls = packet.offset + 1;
    packet.offset = nulls + this.#nullBytes;
    // A growing list takes twice the memory.
    const row: unknown[] = new Array(columns.length);
    let i = 0;
    for (const read of columns) {
      const bit = i + NULL_BITS_FROM;
      const isNull = ((buffer[nulls + (bit >> 3)] ?? 0) >> (bit & 7)) & 1;
      row[i++] = isNull === 1 ? null : read(packet);
    }
    return row;
  }
}

const NULL_BITS_FROM = 2;

const UNSIGNED = 32;
const BINARY = 63;

/**
 * The reader of the values of a column: like mysql2 without settings, except for the types named above.
 * @param kind the decoded kind, if known.
 */
function readerOf({ columnType, flags, decimals, ...field }: Definition, kind: string | undefined): Read {
  const isUnsigned = (flags & UNSIGNED) !== 0;
  switch (columnType) {
    case 1:
      return isUnsigned ? tiny.unsigned : tiny.signed;
    case 2:
      return isUnsigned ? short.unsigned : short.signed;
    case 3:
    case 9:
      return isUnsigned ? long.unsigned : long.signed;
    case 4:
      return float;
    case 5:
      return double;
    case 6:
      return none;
    case 8:
      if (kind === "number" || kind === "bigint") return isUnsigned ? longLong.unsigned : longLong.signed;
      return isUnsigned ? longLongText.unsigned : longLongText.signed;
    case 7:
    case 12:
      return kind === "date"
        ? (packet) => dateOrText(packet, decimals)
        : (packet) => dateText(packet, true, decimals);
    case 10:
    case 14:
      return (packet) => dateText(packet, false, decimals);
    case 11:
      return time;
    case 13:
      return short.unsigned;
    case 0:
    case 246:
      return decimal;
    case 242:
      return vector;
    // MySQL reports JSON as binary.
    case 245:
      return utf8;
    case 255:
      return geometry;
  }
  if (field.characterSet === BINARY && field.extendedFormat !== "json") return bytes;
  const { encoding } = field;
  return encoding === "utf8" ? utf8 : (packet) => packet.readLengthCodedString(encoding);
}

interface Integer {
  readonly signed: Read;
  readonly unsigned: Read;
}

const tiny: Integer = { signed: (packet) => packet.readSInt8(), unsigned: (packet) => packet.readInt8() };
const short: Integer = { signed: (packet) => packet.readSInt16(), unsigned: (packet) => packet.readInt16() };
const long: Integer = { signed: (packet) => packet.readSInt32(), unsigned: (packet) => packet.readInt32() };
const longLong: Integer = {
  signed: (packet) => packet.readSInt64(),
  unsigned: (packet) => packet.readInt64(),
};
const longLongText: Integer = {
  signed: (packet) => String(packet.readSInt64()),
  unsigned: (packet) => String(packet.readInt64()),
};
const float: Read = (packet) => packet.readFloat();
const double: Read = (packet) => packet.readDouble();
const none: Read = () => null;
const time: Read = (packet) => packet.readTimeString();
const decimal: Read = (packet) => packet.readLengthCodedString("ascii");
const utf8: Read = (packet) => packet.readLengthCodedString("utf8");
const bytes: Read = (packet) => packet.readLengthCodedBuffer();
const vector: Read = (packet) => packet.parseVector();
const geometry: Read = (packet) => packet.parseGeometryValue();

/** A Date if it represents the value exactly; otherwise a text, which the column's decoder checks. */
function dateOrText(packet: Packet, decimals: number): Date | string {
  const { offset } = packet;
  const length = packet.readInt8();
  if (length >= 7) {
    const year = packet.readInt16();
    const month = packet.readInt8();
    const day = packet.readInt8();
    const hour = packet.readInt8();
    const minute = packet.readInt8();
    const second = packet.readInt8();
    const micros = length >= 11 ? packet.readInt32() : 0;
    // `Date.UTC` reads years below 100 as 19xx, and accepts days that the month does not have.
    if (year >= 100 && month >= 1 && day >= 1 && micros % 1_000 === 0) {
      const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, micros / 1_000));
      if (day <= 28 || date.getUTCDate() === day) return date;
    }
  }
  packet.offset = offset;
  return dateText(packet, true, decimals);
}

// The rows of a result mostly have few different days.
let lastDay = -1;
let lastText = "";

/** `YYYY-MM-DD HH:MM:SS.SSS`, with the column's number of digits if the server sends any. */
function dateText(packet: Packet, hasTime: boolean, decimals: number): string {
  const length = packet.readInt8();
  const day = length < 4 ? ZERO_DAY : dayText(packet.readInt16(), packet.readInt8(), packet.readInt8());
  if (length < 7) return hasTime ? `${day} 00:00:00` : day;
  const hour = TWO_DIGITS[packet.readInt8()];
  const minute = TWO_DIGITS[packet.readInt8()];
  const text = `${day} ${hour}:${minute}:${TWO_DIGITS[packet.readInt8()]}`;
  if (length < 11) return text;
  const micros = packet.readInt32();
  const ms = THREE_DIGITS[Math.floor(micros / 1_000)];
  return decimals === 3
    ? `${text}.${ms}`
    : `${text}.${`${ms}${THREE_DIGITS[micros % 1_000]}`.slice(0, decimals || 6)}`;
}

const ZERO_DAY = "0000-00-00";

function dayText(year: number, month: number, day: number): string {
  const key = (year << 9) | (month << 5) | day;
  if (key !== lastDay) {
    lastText = `${String(year).padStart(4, "0")}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
    lastDay = key;
  }
  return lastText;
}
