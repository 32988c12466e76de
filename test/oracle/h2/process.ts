/** H2 in Oracle mode, driven over the lines that `Bridge.java` speaks; one process of Java serves all test files. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { h2Jar, h2Port, javaRuns } from "../java.js";
import { toH2 } from "./translate.js";

export const h2IsThere: boolean = javaRuns(h2Jar);

/** A value on its way, as a letter for its type and its text. */
export type Field = string;

/** What a statement gave: rows of text, or how many it changed. */
export interface H2Result {
  /** By each row of values that the statement was run with. */
  readonly affected: readonly number[];
  readonly types: readonly string[];
  /** The names of the columns. */
  readonly names: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A refusal of H2, by its own number. */
export class H2Error extends Error {
  readonly number: number;

  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}

/** One database in memory, with any number of sessions. */
export class H2 {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, (answer: readonly string[]) => void>();
  #asked = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async start(): Promise<H2> {
    const socket = connect(h2Port(), "127.0.0.1");
    const h2 = new H2(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("H2 closed the connection")));
      createInterface({ input: socket }).on("line", (line) => {
        if (line === "ready") resolve();
        else h2.#answer(line.split("\t"));
      });
    });
    return h2;
  }

  /** Runs a statement with each row of values; at least one, if it has none. */
  async run(session: string, sql: string, rows: readonly (readonly Field[])[]): Promise<H2Result> {
    const width = rows[0]?.length ?? 0;
    const fields = ["run", encodeURIComponent(sql), String(width), ...rows.flat()];
    const [affected = "0", columns = "0", ...cells] = await this.ask(session, ...fields);
    const count = Number(columns);
    const values = cells.slice(count).map((cell) => (cell === "n" ? null : decoded(cell.slice(1))));
    const about = cells.slice(0, count).map((cell) => decoded(cell).split("\n"));
    const height = count === 0 ? 0 : values.length / count;
    return {
      affected: affected.split(",").map(Number),
      types: about.map(([type = ""]) => type),
      names: about.map(([, name = ""]) => name),
      rows: Array.from({ length: height }, (_, i) => values.slice(i * count, (i + 1) * count)),
    };
  }

  /** Prepares a statement in the words of Oracle, and runs nothing. */
  async prepare(sql: string): Promise<void> {
    await this.ask("prepare", "prepare", encodeURIComponent(toH2(sql).sql));
  }

  ask(session: string, ...fields: readonly string[]): Promise<readonly string[]> {
    const id = String(++this.#asked);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ([how, ...answer]) => {
        if (how === "ok") resolve(answer);
        else reject(new H2Error(Number(answer[0]), decoded(answer[1] ?? "")));
      });
      this.#socket.write(`${[id, session, ...fields].join("\t")}\n`);
    });
  }

  /** Says something that is not answered. */
  tell(session: string, word: string): void {
    this.#socket.write(`0\t${session}\t${word}\n`);
  }

  async stop(): Promise<void> {
    const ended = once(this.#socket, "close");
    this.#socket.end();
    await ended;
  }

  #answer([id = "", ...answer]: readonly string[]): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

// `URLEncoder` of Java writes a blank as a plus.
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
