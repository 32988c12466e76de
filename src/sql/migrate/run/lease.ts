/**
 * One runner at a time: a row names its owner. It is taken by polling, never by a lock in which others wait, because a
 * waiting transaction would block CREATE INDEX CONCURRENTLY. A runner that lost the row changes nothing more: each of
 * its transactions renews it first.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { ignore } from "../../../core/values.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Transaction } from "../../door/repository.js";
import { isSqlError } from "../../words/errors.js";
import { isTransient } from "../../words/failures.js";
import { MigrationError } from "../words/errors.js";
import type { RunTarget } from "./dialect.js";
import { repeated } from "./locks.js";
import { openPresence, type RunnerSession } from "./presence.js";
import { freeLease, type LeaseRow, leaseTable, readLease, renewLease, writeLease } from "./records.js";

/** The right to apply migrations. */
export interface HeldLease {
  /** A comment for statements outside transactions, by which others see that this runner still has one running. */
  readonly tag: string;
  /** Aborts when another runner has taken over. */
  readonly signal: AbortSignal;
  /**
   * Renews the lease in a transaction, and beyond the end of the transaction.
   * @throws {MigrationError} `MIGRATION_LOCKED` if another runner has taken over.
   */
  confirm(tx: Transaction): Promise<void>;
  /** Releases the lease. */
  end(): Promise<void>;
}

const RENEW_MS = 5_000;
const LEASE_MS = 30_000;
const POLL_MS = 250;

/**
 * Waits for the lease and takes it.
 * @param waitMs how long to wait for another runner.
 * @param isNeeded called while it waits; if the other runner has done everything, it stops waiting.
 * @throws {MigrationError} `MIGRATION_LOCKED` when the time is over.
 */
export async function takeLease(
  target: RunTarget,
  waitMs: number,
  isNeeded: () => Promise<boolean>,
): Promise<HeldLease | undefined> {
  const { db } = target;
  const owner = randomUUID();
  const end = Date.now() + waitMs;
  for (;;) {
    const row = await readLease(db).catch(busy);
    if (row !== undefined && (row?.owner == null || (await isAbandoned(target, row))))
      if (await tryToTake(target, owner, row)) return hold(target, owner);
    if (Date.now() >= end)
      throw new MigrationError(
        "MIGRATION_LOCKED",
        `another runner is at work: waited ${waitMs} ms for it; nothing was changed`,
      );
    await setTimeout(Math.min(POLL_MS / 2 + Math.random() * POLL_MS, Math.max(1, end - Date.now())));
    // While the file is locked nobody can tell: another runner may be in the middle of a migration.
    if ((await isNeeded().catch(busy)) === false) return undefined;
  }
}

/** The answer while another connection locks the file for a moment: none yet. */
function busy(error: unknown): undefined {
  if (isSqlError(error) && error.code === "LOCK_TIMEOUT") return undefined;
  throw error;
}

async function isAbandoned(
  { db, dialect }: RunTarget,
  { owner, until, session }: LeaseRow,
): Promise<boolean> {
  const life = await dialect.lifeOf(db, session, tagOf(owner ?? "")).catch(busy);
  return life === "gone" || (life === "unknown" && (until?.getTime() ?? 0) < Date.now());
}

const Found = z.object({ id: z.int() });

async function tryToTake({ db, dialect }: RunTarget, owner: string, seen: LeaseRow | null): Promise<boolean> {
  const lock = lockText(dialect.grammar);
  const take = async (tx: Transaction) => {
    // A step of the owner locks the row, even if its process is gone and the server has not noticed yet.
    if (lock !== undefined && (await tx.sql(lock, Found).exec({})).length === 0) return false;
    const now = await readLease(db, tx);
    if (now?.owner !== seen?.owner || now?.until?.getTime() !== seen?.until?.getTime()) return false;
    const session = dialect.processName?.() ?? null;
    await writeLease(db, { owner, until: inFuture(), session }, tx);
    return true;
  };
  return (await db.transaction(take).catch(lostRace)) === true;
}

function lostRace(error: unknown): undefined {
  if (isTransient(error)) return undefined;
  throw error;
}

/** The statement that locks the lease; none if a transaction that writes locks the whole database. */
function lockText({ quote, locks: { update } }: Grammar): string | undefined {
  const id = quote("id");
  return typeof update === "string"
    ? `SELECT ${id} FROM ${quote(leaseTable)} WHERE ${id} = 1${update} SKIP LOCKED`
    : undefined;
}

async function hold(target: RunTarget, owner: string): Promise<HeldLease> {
  const { db, dialect } = target;
  const lost = new AbortController();
  const tag = tagOf(owner);
  let isRenewing = false;
  let presence: RunnerSession | undefined;
  const isRenewed = async (tx?: Transaction) => renewLease(db, owner, { until: inFuture() }, tx);
  const renew = async () => {
    // A transaction that has renewed the lease locks the row until its end, and this would wait for it.
    if (isRenewing) return;
    isRenewing = true;
    try {
      if (!(await isRenewed())) lost.abort(takenOver());
    } catch {
      // It is tried again, and the next transaction reports the fault.
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), RENEW_MS);
  const noteSession = (session: string | null) =>
    renewLease(db, owner, { until: inFuture(), session }).catch(ignore);
  try {
    presence = await openPresence(target, () => void noteSession(null));
    if (presence !== undefined) await noteSession(presence.session);
  } catch (error) {
    clearInterval(timer);
    await freeLease(db, owner).catch(ignore);
    throw error;
  }
  return {
    tag,
    signal: lost.signal,
    confirm: async (tx) => {
      if (!(await isRenewed(tx))) throw takenOver();
    },
    end: async () => {
      clearInterval(timer);
      await repeated(dialect, LEASE_MS, () => freeLease(db, owner)).catch(ignore);
      await presence?.end();
    },
  };
}

function tagOf(owner: string): string {
  return `/* rowtype ${owner} */`;
}

function inFuture(): Date {
  return new Date(Date.now() + LEASE_MS);
}

/** The error of a runner that has lost its lease. */
export function takenOver(): MigrationError {
  return new MigrationError(
    "MIGRATION_LOCKED",
    "another runner has taken over: this one changes nothing more",
  );
}
