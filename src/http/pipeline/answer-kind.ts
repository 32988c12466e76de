/** How each kind of answer is written: whole, or in chunks as they come. */
import { isUint8Array } from "node:util/types";
import type { Request } from "express";
import { describeType } from "../../core/errors.js";
import { NotAcceptable } from "../contract/errors.js";
import type { AnswerFacts, RowsFacts } from "../contract/kind.js";
import { csvFormat } from "./csv.js";
import { outputText } from "./output-text.js";
import { type RowFormat, rowChunks } from "./row-chunks.js";

/** Tells the client how to read an answer that is not JSON. */
export const ANSWER_KIND = "Answer-Kind";

/** How an answer of a kind is written. */
export interface AnswerWriter {
  /** What the client is told; `undefined` for JSON, which needs no word. */
  readonly name: string | undefined;
  /** The value of `Content-Type`. */
  readonly type: string;
  /** Whether it is a file, which is sent by its path. */
  readonly isFile?: true;
  /** The whole answer; `undefined` where it comes in chunks. @throws TypeError for a value of another type */
  readonly whole: (value: unknown) => string | Uint8Array | undefined;
  /**
   * The chunks, from the first on.
   * @param encode the JSON form of a row.
   * @throws TypeError for a value of another type
   */
  readonly chunks: (value: unknown, encode: (row: unknown) => unknown) => AsyncIterator<string | Uint8Array>;
}

/** The writer for a request. @throws NotAcceptable if the request takes none */
export type WriterFor = (request: Request) => AnswerWriter;

/** The writers of a kind. */
export function writersOf(facts: AnswerFacts): WriterFor {
  if (facts.name === "rows") return negotiated(facts);
  const writer = "row" in facts ? rowWriter(facts.name, facts) : answerWriter(facts);
  return () => writer;
}

function answerWriter({ name, types }: Exclude<AnswerFacts, RowsFacts>): AnswerWriter {
  const [type = ""] = types;
  if (name === "file") return { name, type, isFile: true, whole: () => undefined, chunks: bytesOf };
  if (name === "bytes") {
    return { name, type, whole: (value) => (isUint8Array(value) ? value : undefined), chunks: bytesOf };
  }
  return {
    name,
    type: /; *charset=/i.test(type) ? type : `${type}; charset=utf-8`,
    whole: (value) => {
      if (typeof value === "string") return value;
      throw new TypeError(`the handler gave ${describeType(value)}, and an answer of ${name}() is text`);
    },
    chunks: () => {
      throw new TypeError(`an answer of ${name}() comes whole`);
    },
  };
}

/** The request chooses; a list of JSON is the first choice. */
function negotiated(facts: RowsFacts): WriterFor {
  const writers = new Map([
    ["application/json", rowWriter("rows", facts)],
    ["application/x-ndjson", rowWriter("ndjson", facts)],
    ["text/csv", rowWriter("csv", facts)],
  ]);
  return (request) => {
    const chosen = request.accepts([...facts.types]);
    const writer = chosen === false ? undefined : writers.get(chosen);
    if (writer === undefined) throw NotAcceptable;
    return writer;
  };
}

function rowWriter(name: RowsFacts["name"], facts: RowsFacts): AnswerWriter {
  const { format, type } = rowsAs(name, facts);
  return {
    name: name === "rows" ? undefined : name,
    type,
    whole: () => undefined,
    chunks: (value, encode) => rowChunks(value, format, encode),
  };
}

function rowsAs(
  name: RowsFacts["name"],
  { row, csv }: RowsFacts,
): { readonly format: RowFormat; readonly type: string } {
  if (name === "csv" && csv !== undefined)
    return { format: csvFormat(csv, row), type: "text/csv; charset=utf-8" };
  const json = (encoded: unknown) => outputText(encoded, true) ?? "null";
  if (name === "ndjson") {
    return {
      format: { start: "", end: "", text: (encoded) => `${json(encoded)}\n` },
      type: "application/x-ndjson",
    };
  }
  const text: RowFormat["text"] = (encoded, _, isFirst) => (isFirst ? "" : ",") + json(encoded);
  return { format: { start: "[", end: "]", text }, type: "application/json; charset=utf-8" };
}

function bytesOf(value: unknown): AsyncIterator<Uint8Array> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) {
    throw new TypeError(
      `the handler gave ${describeType(value)}, and an answer of bytes() is bytes or a stream of them`,
    );
  }
  return checked((value as AsyncIterable<unknown>)[Symbol.asyncIterator]());
}

/** The chunks of a source. Its end is passed on, also if nothing was read. */
function checked(source: AsyncIterator<unknown>): AsyncIterator<Uint8Array> {
  return {
    next: async () => {
      const { done, value } = await source.next();
      if (done === true) return { done, value };
      if (isUint8Array(value)) return { done: false, value };
      throw new TypeError(`a chunk of bytes() is a Uint8Array, not ${describeType(value)}`);
    },
    return: async () => {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}
