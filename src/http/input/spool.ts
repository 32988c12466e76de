/**
 * The files of a request: small ones in memory, larger ones in a folder of the request, which is removed when the answer
 * ends, whatever the end.
 */
import { randomUUID } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, write } from "node:fs";
import { copyFile, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeType } from "../../core/errors.js";
import type { Upload } from "../contract/form-kinds.js";
import type { Exchange } from "../pipeline/exchange.js";
import { ownBytes } from "./own-bytes.js";

/** How many bytes of a file are held in memory. */
const IN_MEMORY = 64 * 1024;
/** For the owner of the process alone. */
const MODE = 0o600;

const writeTo = promisify(write);

/** The folder of a request. It is made with its first file. */
export class Spool {
  readonly #exchange: Exchange;
  #folder: string | undefined;
  #files = 0;
  #isRemoved = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const { response } = exchange;
    if (response.destroyed || response.closed) this.#isRemoved = true;
    else response.once("close", () => this.remove());
  }

  /** Whether the answer has ended. */
  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /**
   * A new file, open for writing. It is made at once: nothing can make one after the folder was removed.
   * @throws Error if the answer has ended
   */
  create(): { readonly path: string; readonly descriptor: number } {
    if (this.#isRemoved) throw removed();
    this.#folder ??= mkdtempSync(join(this.#exchange.runtime.uploadFolder ?? tmpdir(), "rowtype-"));
    const path = join(this.#folder, `${this.#files++}`);
    return { path, descriptor: openSync(path, "wx", MODE) };
  }

  /** Removes the folder and what is in it. */
  remove(): void {
    this.#isRemoved = true;
    if (this.#folder === undefined) return;
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch (error) {
      this.#exchange.report(error);
    }
  }
}

/** A file that is being received. */
export class SpooledFile {
  readonly #spool: Spool;
  #chunks: Buffer[] = [];
  #size = 0;
  #file: { readonly path: string; readonly descriptor: number } | undefined;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a chunk. @throws the failure of the disk */
  async write(chunk: Buffer): Promise<void> {
    this.#size += chunk.length;
    if (this.#file === undefined) {
      this.#chunks.push(chunk);
      if (this.#size <= IN_MEMORY) return;
      this.#file = this.#spool.create();
      const held = Buffer.concat(this.#chunks);
      this.#chunks = [];
      await this.#append(held, this.#file.descriptor);
    } else await this.#append(chunk, this.#file.descriptor);
  }

  async #append(bytes: Buffer, descriptor: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await writeTo(descriptor, bytes, at)).bytesWritten;
  }

  /** Ends the writing, after the last `write` has settled. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
  }

  /** The upload that it is. */
  upload(name: string, type: string): Upload {
    const held = this.#file === undefined ? Buffer.concat(this.#chunks) : undefined;
    return new SpooledUpload(this.#spool, { name, type, size: this.#size, held, path: this.#file?.path });
  }
}

interface UploadFields extends Pick<Upload, "name" | "type" | "size"> {
  readonly held: Buffer | undefined;
  readonly path: string | undefined;
}

class SpooledUpload implements Upload {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly #spool: Spool;
  /** Its bytes, if they are in memory. */
  #held: Buffer | undefined;
  /** Where it is, if it is a file. */
  #path: string | undefined;
  #isKept = false;

  constructor(spool: Spool, { name, type, size, held, path }: UploadFields) {
    this.name = name;
    this.type = type;
    this.size = size;
    this.#spool = spool;
    this.#held = held;
    this.#path = path;
  }

  async bytes(): Promise<Uint8Array> {
    return ownBytes(await this.#read());
  }

  async text(): Promise<string> {
    return (await this.#read()).toString("utf8");
  }

  stream(): ReadableStream<Uint8Array> {
    const pieces = this.#pieces();
    return new ReadableStream<Uint8Array>(
      {
        async pull(queue) {
          const { done, value } = await pieces.next();
          if (done === true) queue.close();
          else queue.enqueue(value);
        },
        async cancel() {
          await pieces.return(undefined);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async moveTo(path: string): Promise<void> {
    if (typeof path !== "string" || path === "")
      throw new TypeError(`moveTo() takes a path, not ${describeType(path)}`);
    this.#check();
    if (this.#path === undefined)
      await placed(path, (beside) => writeFile(beside, this.#held ?? "", { mode: MODE, flag: "wx" }));
    else await moved(this.#path, path);
    this.#held = undefined;
    this.#path = path;
    this.#isKept = true;
  }

  async #read(): Promise<Buffer> {
    this.#check();
    return this.#path === undefined ? (this.#held ?? Buffer.alloc(0)) : readFile(this.#path);
  }

  async *#pieces(): AsyncGenerator<Uint8Array, void> {
    this.#check();
    if (this.#path === undefined) {
      // A copy: whoever reads the stream may change or transfer what it gives.
      if (this.#held !== undefined && this.#held.length > 0) yield new Uint8Array(this.#held);
      return;
    }
    const file = await open(this.#path);
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(IN_MEMORY));
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  #check(): void {
    if (this.#spool.isRemoved && !this.#isKept) throw removed();
  }
}

/** Moves a file; over devices it is copied. */
async function moved(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await placed(to, (beside) => copyFile(from, beside));
    await rm(from, { force: true });
  }
}

/** Makes a file next to its place and moves it there in one step: a file that is there is replaced by a whole one. */
async function placed(path: string, make: (beside: string) => Promise<void>): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  try {
    await make(beside);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

function removed(): Error {
  return new Error("the answer has ended, and with it the upload: moveTo() keeps one");
}
