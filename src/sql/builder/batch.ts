/**
 * The records of a batch of changes: as few statements as the rule allows. Records that could meet one row are in
 * successive statements. What a server refuses together is undone and sent record by record, so that the error is that
 * of its record, with its position.
 */
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { fetchAffected, fetchEach, send } from "../exec/execute.js";
import { inTurn } from "../exec/gathered.js";
import { roundsOf } from "../exec/meeting.js";
import { asList, type CallParams, eachOf } from "../exec/params.js";
import { inParts } from "../exec/parts.js";
import type { PlanRequest, PreparedPlan } from "../exec/prepared.js";
import { carryOut } from "../exec/steps.js";
import type { PreparedTogether } from "../exec/together.js";
import type { ChangeStatement, Gives } from "../resolve/statement.js";
import {
  ConstraintError,
  isSqlError,
  isStored,
  MultipleRowsError,
  ParameterError,
  QueryError,
  StaleVersionError,
} from "../words/errors.js";
import type { ChangeDraft } from "./draft/change-draft.js";
import { requireCurrent } from "./versions.js";

/** The maximum number of records of one statement. */
const MOST_RECORDS = 10_000;

/** What a batch has changed: the number of rows, or the row of each record. */
export interface BatchOutcome {
  affected: number;
  readonly rows: (DecodedRow | null)[];
}

/** A record, checked and bound. */
interface BatchRecord {
  readonly params: PlanRequest["params"];
  readonly values: PlanRequest["values"];
  readonly index: number;
}

/** Records that are sent together; a single one is sent as it would be alone. */
type Chunk = readonly BatchRecord[];

/** The draft of a builder, and what adds its constants to the parameters of a call. */
interface GivenDraft<T extends ChangeStatement> {
  readonly draft: ChangeDraft<T>;
  given(params: CallParams): CallParams;
}

/** A batch whose records are checked and bound. */
export class ChangeBatch<T extends ChangeStatement> {
  readonly chunks: readonly Chunk[];
  readonly #draft: ChangeDraft<T>;
  readonly #gives: Gives;
  readonly #together: PreparedTogether | undefined;
  readonly #length: number;
  /** The text of one record, if the values were bound for it, and not for the statement of all records. */
  readonly #alone: PreparedPlan | undefined;
  // The first chunk that was refused.
  #refused: number | undefined;

  /** @throws {ParameterError} with the position of the record. */
  constructor(builder: GivenDraft<T>, list: readonly CallParams[], gives: Gives) {
    const { draft } = builder;
    const { table, grammar } = draft.source;
    // The items of an untyped caller are checked like parameters.
    const given = asList(list, table) as readonly CallParams[];
    this.#draft = draft;
    this.#gives = gives;
    this.#length = given.length;
    // A single record has the text of a call of its own.
    const together = given.length > 1 ? draft.togetherFor(gives) : undefined;
    this.#together = together;
    let alone: PreparedPlan | undefined;
    const records = eachOf(given, (one, index): BatchRecord => {
      // Only what is used again is kept: there may be very many.
      const { prepared, params, values } = draft.requestFor(gives, builder.given(one), together);
      alone = prepared;
      return { params, values, index };
    });
    this.#alone = together === undefined ? alone : undefined;
    if (together === undefined)
      this.chunks = draft.executesTogether(gives)
        ? inParts(records, { most: MOST_RECORDS, mostBytes: undefined })
        : records.map((record) => [record]);
    else {
      const room = { most: MOST_RECORDS, mostBytes: grammar.mostBytes && grammar.mostBytes / 2 };
      this.chunks = roundsOf(records, ({ values }) => together.meetingKey(values)).flatMap((round) =>
        inParts(round, room),
      );
    }
  }

  get length(): number {
    return this.#length;
  }

  /** Whether it is one statement, so that it needs no transaction to be undone as a whole. */
  isOne(call: RequestCall): boolean {
    const [first, ...others] = this.chunks;
    if (first === undefined || others.length > 0) return false;
    // A failed statement would end the transaction of the caller.
    if (this.#draft.source.grammar.failureEndsTransaction && call.session.isTransaction) return false;
    if (first.length === 1) return true;
    // A record in another version undoes those that were changed with it.
    if (this.#draft.look !== undefined) return false;
    if (this.#together === undefined) return false;
    return this.#together.failsWhole && (this.#gives === "nothing" || this.#together.isOne);
  }

  /** Sends the batch. */
  async send(call: RequestCall): Promise<BatchOutcome> {
    const outcome = this.#outcome();
    this.#refused = undefined;
    await inTurn(this.chunks, call.session, async (chunk, i) => {
      try {
        await this.#sendChunk(chunk, call, outcome);
      } catch (error) {
        const mayBeOther = chunk.length > 1 && isRefusal(error);
        if (mayBeOther || this.#hasEarlier(error, i + 1)) this.#refused ??= i;
        throw error;
      }
    });
    return outcome;
  }

  /** Whether records may be accepted one by one, or the error may be that of one of them. */
  get mayGoOneByOne(): boolean {
    return this.#refused !== undefined;
  }

  /** Sends it again after it was undone: the chunks before the refused one, and the other records one by one. */
  async sendOneByOne(call: RequestCall): Promise<BatchOutcome> {
    const outcome = this.#outcome();
    const accepted = this.chunks.slice(0, this.#refused);
    const others = this.chunks.slice(accepted.length).flat();
    const alone = others.sort((a, b) => a.index - b.index).map((record): Chunk => [record]);
    await inTurn([...accepted, ...alone], call.session, (chunk) => this.#sendChunk(chunk, call, outcome));
    return outcome;
  }

  /** Whether chunks from this one on have a record before the one that meets several rows: it may meet several too. */
  #hasEarlier(error: unknown, from: number): boolean {
    if (!(error instanceof MultipleRowsError)) return false;
    const { index: met = 0 } = error;
    return this.chunks.slice(from).some((chunk) => chunk.some(({ index }) => index < met));
  }

  #outcome(): BatchOutcome {
    return { affected: 0, rows: this.#gives === "rows" ? new Array(this.#length).fill(null) : [] };
  }

  async #sendAlone(
    { params, values, index }: BatchRecord,
    call: RequestCall,
    outcome: BatchOutcome,
  ): Promise<void> {
    const prepared = this.#alone;
    const own =
      prepared === undefined ? this.#draft.requestFor(this.#gives, params) : { prepared, params, values };
    try {
      if (this.#gives === "nothing") {
        const affected = await fetchAffected(own, call);
        if (affected === 0) await requireCurrent(this.#draft, own.params, call, index);
        outcome.affected += affected;
        return;
      }
      const rows = await carryOut(own, call);
      if (rows.length === 0) await requireCurrent(this.#draft, own.params, call, index);
      this.#place(
        rows.map((row) => ({ index, row })),
        outcome,
      );
    } catch (error) {
      throw at(error, index);
    }
  }

  async #sendChunk(chunk: Chunk, call: RequestCall, outcome: BatchOutcome): Promise<void> {
    const together = this.#together;
    const [only, ...more] = chunk;
    if (only !== undefined && more.length === 0) return this.#sendAlone(only, call, outcome);
    if (together === undefined) return this.#execute(chunk, call, outcome);
    const records = chunk.map(({ values }) => values);
    if (this.#gives === "nothing") {
      const affected = await together.count(records, call);
      this.#requireAll(affected, chunk);
      outcome.affected += affected;
      return;
    }
    const indexOf = (position: number) => chunk[position]?.index ?? position;
    const rows = await together.rows(records, call, (found) => {
      this.#requireOneEach(found.map((one) => indexOf(one.at)));
    });
    this.#requireAll(rows.length, chunk);
    this.#place(
      rows.map((one) => ({ index: indexOf(one.at), row: one.row })),
      outcome,
    );
  }

  /** Executes one text with the values of each record, in a single call of the driver. */
  async #execute(chunk: Chunk, call: RequestCall, outcome: BatchOutcome): Promise<void> {
    const prepared = this.#alone;
    if (prepared === undefined) return;
    const request = { prepared, values: [], batch: chunk.map(({ values }) => values) };
    if (this.#gives === "nothing") {
      const each = await fetchEach(request, call);
      const affected = each.reduce((sum, one) => sum + one, 0);
      this.#requireAll(affected, chunk);
      outcome.affected += affected;
      return;
    }
    const found = await send(request, call, {
      isDoubted: true,
      read: ({ rows, each = [] }) => ({ rows: prepared.read({ rows }), each }),
      facts: ({ rows }) => ({ rowsReturned: rows.length }),
    });
    this.#requireAll(found.rows.length, chunk);
    // A database that makes up rows gives one for each record.
    const indexes = chunk.flatMap(({ index }, i) => new Array<number>(found.each[i] ?? 1).fill(index));
    this.#requireOneEach(indexes);
    this.#place(
      found.rows.map((row, i) => ({ index: indexes[i] ?? 0, row })),
      outcome,
    );
  }

  // Which of them are gone, and which are there in another version, is asked record by record.
  #requireAll(changed: number, chunk: Chunk): void {
    if (changed < chunk.length && this.#draft.look !== undefined)
      throw new StaleVersionError(this.#draft.source.table.name);
  }

  #place(rows: readonly { readonly index: number; readonly row: DecodedRow }[], outcome: BatchOutcome): void {
    this.#requireOneEach(rows.map(({ index }) => index));
    for (const { index, row } of rows) outcome.rows[index] = row;
    outcome.affected += rows.length;
  }

  #requireOneEach(indexes: readonly number[]): void {
    const seen = new Set<number>();
    const several = indexes.filter((index) => seen.size === seen.add(index).size);
    if (several.length === 0) return;
    const index = several.reduce((least, one) => Math.min(least, one));
    throw new MultipleRowsError(this.#draft.source.table.name, index);
  }
}

/** Errors of a statement of many records that one of its records may have caused, or their combination. */
const refusals: ReadonlySet<string> = new Set([
  "UNIQUE_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
  "NOT_NULL_VIOLATION",
  "CHECK_VIOLATION",
  "PARAM_TYPE",
  "QUERY_FAILED",
  "DECODE_FAILED",
  "STALE_VERSION",
]);

// Records that are stored must not be sent again.
function isRefusal(error: unknown): boolean {
  return isSqlError(error) && refusals.has(error.code) && !isStored(error);
}

function at(error: unknown, index: number): unknown {
  if (!isRefusal(error)) return error;
  const isOurs =
    error instanceof ParameterError || error instanceof ConstraintError || error instanceof QueryError;
  return isOurs && error.index === undefined ? error.at(index) : error;
}
