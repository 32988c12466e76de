/** The classes of `oracledb` over a record of what they were asked: answers come from the test. */
import { createRequire } from "node:module";
import type { OraclePool } from "rowtype/oracle";
import {
  type Bind,
  Connection,
  ConnectionImpl,
  driverName,
  LobImpl,
  learned,
  type Options,
  resultSet,
} from "./internals.js";

/** A call as it would go to the server. */
export interface Sent {
  readonly sql: string;
  readonly binds: readonly Bind[];
  readonly autoCommit: boolean;
  /** How often the text is executed; undefined where it is once, by itself. */
  readonly times: number | undefined;
}

/** What a call is answered with, as the driver's protocol would; none for the default. */
export type Answer = (sent: Sent) => object | undefined;

/** A pool whose connections keep what they are asked. */
export interface Recording {
  readonly pool: OraclePool;
  /** Calls of the driver, but the one by which types are found. */
  readonly sent: Sent[];
  /** What happened to connections: `commit`, `rollback`, `break`, `close` and `drop`. */
  readonly told: string[];
}

/** Makes a recording. */
export function recording(answer: Answer = () => undefined): Recording {
  const sent: Sent[] = [];
  const told: string[] = [];
  const tell = async (word: string) => {
    told.push(word);
    await answer({ sql: word, binds: [], autoCommit: false, times: undefined });
  };

  class Session extends ConnectionImpl {
    async execute(
      sql: string,
      times: number,
      binds: Bind[],
      options: Options,
      isMany: boolean,
    ): Promise<object> {
      const call = { sql, binds, autoCommit: options.autoCommit, times: isMany ? times : undefined };
      if (/EMPTY_CLOB\(\)/.test(sql)) {
        await answer(call);
        return resultSet(options, learned, [], (cell) => cell);
      }
      sent.push(call);
      const given = await answer(call);
      if (given !== undefined) return given;
      if (sql.startsWith("SELECT")) return resultSet(options, [], [], (cell) => cell);
      const outs = binds.filter(({ dir }) => dir === 3003).map(({ name }) => [name, []]);
      return { rowsAffected: 1, ...(outs.length > 0 ? { outBinds: Object.fromEntries(outs) } : {}) };
    }

    commit = () => tell("commit");
    rollback = () => tell("rollback");
    breakExecution = () => tell("break");
    close = ({ drop }: { drop?: boolean }) => tell(drop === true ? "drop" : "close");
    createLob = async (type: object) => new Empty(this, type);
  }

  return {
    sent,
    told,
    pool: {
      getConnection: async () => {
        const connection = new Connection();
        connection._impl = new Session();
        // The class of the driver has what its own type declarations say.
        return connection as unknown as Awaited<ReturnType<OraclePool["getConnection"]>>;
      },
    },
  };
}

/** A large object without content. */
export class Empty extends LobImpl {
  readonly _parentObj: object;
  readonly type: object;

  constructor(session: object, type: object) {
    super();
    this._parentObj = session;
    this.type = type;
  }

  getType(): object {
    return this.type;
  }

  getChunkSize(): number {
    return 8_060;
  }

  // What version 6 asks as well.
  getPieceSize(): number {
    return 8_060;
  }

  getLength(): number {
    return 0;
  }

  async close(): Promise<void> {
    // There is nothing to let go of.
  }
}

const errors = createRequire(import.meta.url)(`${driverName}/lib/errors.js`) as {
  transformErr(error: Error, from: () => void): Error;
};

/** An error of the server as the driver gives it. */
export function serverError(number: number, text: string): Error {
  const error = Object.assign(new Error(`ORA-${String(number).padStart(5, "0")}: ${text}`), {
    errorNum: number,
  });
  return errors.transformErr(error, () => undefined);
}
