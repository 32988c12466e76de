/** How each kind of answer is written: whole, or in chunks as they come. */
import { isUint8Array } from "node:util/types";
import { describeType } from "../../core/errors.js";
import type { KindFacts } from "../contract/kind.js";

/** Tells the client how to read an answer that is not JSON. */
export const ANSWER_KIND = "Answer-Kind";

/** How an answer of a kind is written. */
export interface AnswerWriter {
  /** What the client is told. */
  readonly name: string;
  /** The value of `Content-Type`. */
  readonly type: string;
  /** The whole answer; `undefined` where it comes in chunks. @throws TypeError for a value of another type */
  readonly whole: (value: unknown) => string | Uint8Array | undefined;
  /** The chunks, from the first on. @throws TypeError for a value of another type */
  readonly chunks: (value: unknown) => AsyncIterator<string | Uint8Array>;
}

/** The writer of a kind. */
export function answerWriter(facts: KindFacts): AnswerWriter {
  const { name, types } = facts;
  const [type = ""] = types;
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
