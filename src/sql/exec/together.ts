/** Sends the changes of many records in one statement. */
import type { Storage } from "../declare/declaration.js";
import type { CarriedValue } from "../dialect/grammar/records.js";
import type { RenderedText } from "../render/plan.js";
import type { Together } from "../render/together.js";
import type { Output } from "../value/output.js";
import type { RequestCall } from "./call.js";
import type { DecodedRow } from "./decode.js";
import { ask, asOne, fetchAffected, send } from "./execute.js";
import { requireInteractive } from "./gathered.js";
import { meetingKey, meetingText } from "./meeting.js";
import { type Prepared, PreparedPlan, PreparedText, type Request, type ResultReader } from "./prepared.js";

/** A row, and the position of its record among the records of the statement, from 0. */
interface PlacedRow {
  readonly at: number;
  readonly row: DecodedRow;
}

/** A statement of many records that is ready to be sent. */
export class PreparedTogether {
  /** Binds the values of one record. */
  readonly record: PreparedPlan;
  /** Whether a statement that fails has surely changed nothing. */
  readonly failsWhole: boolean;
  readonly #columns: readonly CarriedValue[];
  readonly #key: readonly { readonly slot: number; readonly storage: Storage }[];
  readonly #values: Together["form"]["values"];
  readonly #change: PlacedText;
  readonly #read: PlacedText | undefined;
  readonly #readings: readonly ("before" | "after")[];

  /** @param fixesKey whether at most one row meets a record. */
  constructor({ record, columns, key, change, read, readings, form }: Together, fixesKey: boolean) {
    this.record = new PreparedPlan(record);
    this.failsWhole = form.failsWhole;
    this.#columns = columns;
    this.#key = key.map(({ slot, field }) => ({ slot, storage: field.column.storage }));
    this.#values = form.values;
    this.#change = new PlacedText(change);
    this.#read = read === undefined ? undefined : new PlacedText(read);
    this.#readings = readings(fixesKey);
  }

  /** The number of characters of its texts. */
  get weight(): number {
    return this.#change.prepared.sql.length + (this.#read?.prepared.sql.length ?? 0);
  }

  /** Whether rows are returned by the change itself. */
  get isOne(): boolean {
    return this.#read === undefined;
  }

  /** Equal for records that could meet one row. */
  meetingKey(values: readonly unknown[]): string | number {
    const [only, ...others] = this.#key;
    if (only !== undefined && others.length === 0) return meetingKey(values[only.slot], only.storage);
    return this.#key
      .map(({ slot, storage }) => {
        const text = meetingText(values[slot], storage);
        return `${text.length}:${text}`;
      })
      .join("");
  }

  /** Changes the rows of records, and returns their number. */
  count(records: readonly (readonly unknown[])[], call: RequestCall): number | Promise<number> {
    return fetchAffected(this.#request(this.#change, records), call);
  }

  /**
   * Changes the rows of records, and returns them.
   * @param check refuses the rows, while nothing is changed or it can still be undone.
   */
  async rows(
    records: readonly (readonly unknown[])[],
    call: RequestCall,
    check: (rows: readonly PlacedRow[]) => void,
  ): Promise<readonly PlacedRow[]> {
    const read = this.#read;
    const change = this.#request(this.#change, records);
    if (read === undefined) return send(change, call, this.#change.reader(check));
    requireInteractive(call.session);
    const reading = this.#request(read, records);
    return asOne(change.prepared, call, async () => {
      let rows: readonly PlacedRow[] = [];
      if (this.#readings.includes("before")) {
        rows = await this.#asked(reading, read, call, check);
        if (rows.length === 0) return rows;
      }
      const { affected } = await ask(change, call);
      if (affected === 0 || !this.#readings.includes("after")) return rows;
      return this.#asked(reading, read, call, check);
    });
  }

  async #asked(
    request: Request,
    text: PlacedText,
    call: RequestCall,
    check: (rows: readonly PlacedRow[]) => void,
  ): Promise<readonly PlacedRow[]> {
    return text.reader(check).read(await ask(request, call));
  }

  #request({ prepared }: PlacedText, records: readonly (readonly unknown[])[]): Request {
    return { prepared, values: this.#values(this.#columns, records) };
  }
}

/** A text whose rows begin with the position of their record, from 1. */
class PlacedText {
  readonly prepared: Prepared;
  readonly #rows: PreparedText;

  constructor(text: RenderedText) {
    this.#rows = new PreparedText(text);
    this.prepared = text.givesRows
      ? new PreparedText({ ...text, output: [POSITION, ...text.output] })
      : this.#rows;
  }

  reader(check: (rows: readonly PlacedRow[]) => void): ResultReader<readonly PlacedRow[]> {
    return {
      isDoubted: true,
      read: ({ rows }) => {
        const decoded = this.#rows.read({ rows: rows.map((values) => values.slice(1)) });
        const placed = decoded.map((row, i) => ({ at: positionOf(rows[i]?.[0], i), row }));
        check(placed);
        return placed;
      },
      facts: ({ length }) => ({ rowsReturned: length }),
    };
  }
}

// The rows of a database that makes them up are in the order of the records.
function positionOf(value: unknown, i: number): number {
  return value === null || value === undefined ? i : Number(value) - 1;
}

const POSITION: Output = {
  name: "rowtype position",
  kind: "a position",
  nullable: true,
  encode: (value) => value,
  decode: (value) => value,
  fault: () => undefined,
};
