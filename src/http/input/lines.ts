/** Rows from lines of JSON as they come. A bad line ends the iteration with the error that is the answer. */
import { after } from "../../core/values.js";
import { toFields } from "../../schema/issues.js";
import { PayloadTooLarge } from "../contract/errors.js";
import type { Exchange } from "../pipeline/exchange.js";
import { unfit, unreadable } from "./body-error.js";
import type { CompiledJson, CompiledKind } from "./compile.js";
import { parseJson } from "./json-text.js";

/** The longest line, in bytes. */
const LONGEST = 1024 * 1024;

/** The rows of the chunks. @throws HttpError, which is the answer if the function does not catch it */
export async function* rowsOf(
  exchange: Exchange,
  { row }: CompiledKind,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<unknown, void> {
  if (row === undefined) return;
  let index = 0;
  for await (const line of linesOf(exchange, chunks)) {
    yield await rowOf(exchange, row, line, index++);
  }
}

function rowOf(exchange: Exchange, row: CompiledJson, line: Buffer, index: number): unknown {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (cause) {
    throw exchange.refuse(unreadable(exchange, cause, `row ${index} is not JSON`));
  }
  return after(row.validate(row.decode === undefined ? value : row.decode(value)), (result) => {
    if (result.ok) return result.value;
    throw exchange.refuse(unfit(exchange, toFields(result.issues, `[${index}]`)));
  });
}

/** The lines that hold more than blanks and the CR of Windows. */
async function* linesOf(exchange: Exchange, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      check(exchange, size + last.length);
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      if (!isBlank(line)) yield line;
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    check(exchange, size);
  }
  const rest = Buffer.concat(parts);
  if (!isBlank(rest)) yield rest;
}

function isBlank(line: Buffer): boolean {
  return !line.some((byte) => byte > 0x20);
}

function check(exchange: Exchange, size: number): void {
  if (size > LONGEST) throw exchange.refuse(PayloadTooLarge.withDetails({ max_size: LONGEST }));
}
