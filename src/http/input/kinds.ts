/** Bodies that are no JSON: text, bytes, rows and forms, from bytes to what the function takes. */
import { isUtf8 } from "node:buffer";
import { isList } from "../../core/errors.js";
import { after } from "../../core/values.js";
import type { Exchange } from "../pipeline/exchange.js";
import { unfit, unreadable } from "./body-error.js";
import type { CompiledKind } from "./compile.js";
import type { NamedValues } from "./fields.js";
import { rowsOf } from "./lines.js";
import { readMultipart } from "./multipart.js";
import type { NamedTexts } from "./named-texts.js";
import { ownBytes } from "./own-bytes.js";
import { encodedTexts } from "./query.js";
import { checkLength, chunksOf, readBody } from "./read-body.js";

/** The body of a kind. @throws HttpError */
export function readKind(exchange: Exchange, kind: CompiledKind, limit: number): unknown {
  const { request, response } = exchange;
  switch (kind.facts.name) {
    case "byteStream":
      checkLength(request, response, limit);
      return toPlain(chunksOf(exchange, limit));
    case "bytes":
      return readBody(request, response, limit).then(ownBytes);
    case "text":
      return readBody(request, response, limit).then((bytes) => textOf(exchange, bytes));
    case "form":
      return readBody(request, response, limit).then((bytes) =>
        formOf(exchange, kind, textOf(exchange, bytes)),
      );
    case "multipart":
      checkLength(request, response, limit);
      return readMultipart(exchange, kind, limit);
    default:
      checkLength(request, response, limit);
      return rowsOf(exchange, kind, chunksOf(exchange, limit));
  }
}

async function* toPlain(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) yield ownBytes(chunk);
}

function textOf(exchange: Exchange, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unreadable(exchange, undefined, "the text is not UTF-8");
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

function formOf(exchange: Exchange, kind: CompiledKind, encoded: string): unknown {
  let texts: ReadonlyMap<string, readonly string[]>;
  try {
    texts = encodedTexts(encoded);
  } catch (cause) {
    throw unreadable(exchange, cause, "malformed percent-encoding");
  }
  return valuesOf(exchange, kind, { of: (name) => texts.get(name), names: texts.keys() });
}

/** The fields of a form that middleware has read: texts as the form has them, and other values unchanged. */
export function givenForm(exchange: Exchange, kind: CompiledKind, parsed: NamedValues): unknown {
  const own = (name: string) => (Object.hasOwn(parsed, name) ? parsed[name] : undefined);
  return valuesOf(exchange, kind, {
    of: (name) => {
      const value = own(name);
      if (typeof value === "string") return [value];
      return isList(value) && value.every((one) => typeof one === "string") ? value : undefined;
    },
    other: own,
    names: Object.keys(parsed),
  });
}

function valuesOf(exchange: Exchange, { fields }: CompiledKind, texts: NamedTexts): unknown {
  if (fields === undefined) return {};
  return after(fields(texts), ({ values, failed }) => {
    if (failed.length > 0) throw unfit(exchange, failed);
    return { ...values };
  });
}
