/**
 * Forms with files, `multipart/form-data`, read by busboy. The first part that breaks a rule ends the reading; the faults
 * that only the end shows are told together.
 */
import type { Readable } from "node:stream";
import { after, ignore } from "../../core/values.js";
import { type FieldIssue, toFields } from "../../schema/issues.js";
import { busboy, type FileInfo, type FormParser } from "../contract/busboy.js";
import { PayloadTooLarge, UnsupportedMediaType } from "../contract/errors.js";
import type { Upload } from "../contract/form-kinds.js";
import type { MultipartFacts, UploadFacts } from "../contract/kind.js";
import type { Exchange } from "../pipeline/exchange.js";
import { unfit, unreadable } from "./body-error.js";
import type { CompiledKind } from "./compile.js";
import { isAmong } from "./media-type.js";
import { chunksOf, refuseRest } from "./read-body.js";
import { Spool, SpooledFile } from "./spool.js";

/** The most fields that are text, and the most bytes of one. */
const MOST_FIELDS = 100;
const LONGEST_VALUE = 64 * 1024;

/** The values of the form. @throws HttpError */
export async function readMultipart(exchange: Exchange, kind: CompiledKind, limit: number): Promise<unknown> {
  const { request, response } = exchange;
  const parser = parserOf(exchange);
  const parts = new Parts(exchange, kind.facts as MultipartFacts, parser);
  try {
    for await (const chunk of chunksOf(exchange, limit)) {
      if (!parser.write(chunk)) await parts.room();
      if (parts.refusal !== undefined) throw parts.refusal;
    }
    parser.end();
    await parts.complete();
    return await valuesOf(exchange, kind, parts);
  } catch (error) {
    if (!request.readableEnded) refuseRest(request, response);
    parts.stop();
    throw error;
  }
}

function parserOf(exchange: Exchange): FormParser {
  const { headers } = exchange.request;
  try {
    // One byte more than is taken shows that a value is longer.
    return busboy()({ headers, limits: { fieldSize: LONGEST_VALUE + 1 }, defParamCharset: "utf8" });
  } catch (cause) {
    refuseRest(exchange.request, exchange.response);
    throw unreadable(exchange, cause, "the content type has no boundary");
  }
}

/** The parts that have come. */
class Parts {
  readonly texts = new Map<string, string[]>();
  readonly files = new Map<string, (Upload | undefined)[]>();
  /** The first part that breaks a rule, or the failure to read it. */
  refusal: unknown;
  readonly #exchange: Exchange;
  readonly #facts: MultipartFacts;
  readonly #parser: FormParser;
  readonly #spool: Spool;
  readonly #pending: Promise<void>[] = [];
  readonly #closed: Promise<unknown>;
  /** The number of text fields. */
  #fields = 0;

  constructor(exchange: Exchange, facts: MultipartFacts, parser: FormParser) {
    this.#exchange = exchange;
    this.#facts = facts;
    this.#parser = parser;
    this.#spool = new Spool(exchange);
    this.#closed = new Promise((resolve) => parser.once("close", resolve));
    parser.on("error", (cause: unknown) =>
      this.#refuse(() => unreadable(exchange, cause, "the form is malformed or cut")),
    );
    parser.on("field", (name = "", value, { valueTruncated }) => this.#text(name, value, valueTruncated));
    parser.on("file", (name = "", file, info) => {
      // Its end is that of the parser.
      file.on("error", ignore);
      if (!this.#take(name, file, info)) file.resume();
    });
  }

  /** Resolves when the parser can take more, or has ended. */
  async room(): Promise<void> {
    const parser = this.#parser;
    if (parser.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        parser.off("drain", done).off("close", done);
        resolve();
      };
      parser.on("drain", done).on("close", done);
    });
  }

  /** Resolves when every part is kept. @throws the refusal */
  async complete(): Promise<void> {
    await this.#closed;
    await Promise.all(this.#pending);
    if (this.refusal !== undefined) throw this.refusal;
  }

  /** Ends the parsing. */
  stop(): void {
    this.refusal ??= new Error("the reading of the form has stopped");
    this.#parser.destroy();
  }

  #refuse(make: () => unknown): void {
    if (this.refusal !== undefined) return;
    this.refusal = make();
    this.#parser.destroy();
  }

  #fault(name: string, message: string): void {
    this.#refuse(() => unfit(this.#exchange, toFields([{ path: [name], message }])));
  }

  #text(name: string, value: string, isCut: boolean): void {
    if (this.refusal !== undefined) return;
    const fault = this.#faultOfText(name, isCut);
    if (fault !== undefined) this.#fault(name, fault);
    else this.texts.set(name, [...(this.texts.get(name) ?? []), value]);
  }

  #faultOfText(name: string, isCut: boolean): string | undefined {
    const { shape, uploads } = this.#facts;
    if (uploads.has(name)) return "a file was expected";
    if (!Object.hasOwn(shape.fields, name)) return "not declared";
    if (isCut) return `longer than ${LONGEST_VALUE} bytes`;
    return ++this.#fields > MOST_FIELDS ? `more than ${MOST_FIELDS} fields` : undefined;
  }

  /** Whether a file is read. */
  #take(name: string, file: Readable, info: FileInfo): boolean {
    if (this.refusal !== undefined) return false;
    const upload = this.#facts.uploads.get(name);
    const kept = this.files.get(name) ?? [];
    const isText = Object.hasOwn(this.#facts.shape.fields, name);
    if (upload === undefined) this.#fault(name, isText ? "text was expected" : "not declared");
    else if (kept.length === upload.max)
      this.#fault(name, upload.max === 1 ? "given more than once" : `more than ${upload.max} files`);
    else {
      this.files.set(name, kept);
      this.#pending.push(this.#keep(upload, kept, file, info));
    }
    return this.refusal === undefined;
  }

  /** Receives a file; those of one name keep the order in which they come. */
  async #keep(
    upload: UploadFacts,
    files: (Upload | undefined)[],
    file: Readable,
    info: FileInfo,
  ): Promise<void> {
    const { maxBytes, types } = upload;
    const { filename = "", mimeType } = info;
    const isTaken = types.length === 0 || isAmong(mimeType, types);
    const place = files.push(undefined) - 1;
    const kept = new SpooledFile(this.#spool);
    try {
      for await (const chunk of file as AsyncIterable<Buffer>) {
        if (!isTaken) throw UnsupportedMediaType;
        if (kept.size + chunk.length > maxBytes) throw PayloadTooLarge.withDetails({ max_size: maxBytes });
        await kept.write(chunk);
      }
      // A browser sends a field without a file as an empty one without a name.
      if (filename === "" && kept.size === 0) return;
      if (!isTaken) throw UnsupportedMediaType;
      files[place] = kept.upload(filename, mimeType);
    } catch (error) {
      this.#refuse(() => error);
    } finally {
      kept.close();
    }
  }
}

/** The fields and the files of a form that was read. @throws ValidationFailed */
function valuesOf(exchange: Exchange, { facts, fields }: CompiledKind, { texts, files }: Parts): unknown {
  const values: [string, unknown][] = [];
  const missing: FieldIssue[] = [];
  for (const [name, { isOptional, ...upload }] of (facts as MultipartFacts).uploads) {
    const given = (files.get(name) ?? []).filter((file) => file !== undefined);
    if (upload.name === "upload" && given.length === 0 && !isOptional)
      missing.push({ field: name, message: "a file is missing" });
    else if (upload.name === "uploads" || given.length > 0)
      values.push([name, upload.name === "upload" ? given[0] : given]);
  }
  const read = fields?.({ of: (name) => texts.get(name) }) ?? { values: {}, failed: [] };
  return after(read, (result) => {
    const failed = [...result.failed, ...missing];
    if (failed.length > 0) throw unfit(exchange, failed);
    return { ...Object.fromEntries(values), ...result.values };
  });
}
