/** The values that every part of a run of migrations needs. */
import { isolated } from "../../../core/events.js";
import { migrationEvents } from "../../words/events.js";
import type { Migration } from "../text/migration-folder.js";
import type { RunTarget } from "./dialect.js";
import type { HeldLease } from "./lease.js";
import type { RecordChanges } from "./records.js";

/** A step that is done. */
export interface StepDone {
  /** The name of the migration. */
  readonly name: string;
  /** The words of the step. */
  readonly step: string;
  /** The place of the step in its file, from 0. */
  readonly index: number;
  /** How many steps the file has. */
  readonly steps: number;
  readonly durationMs: number;
}

/** One run of the runner. */
export interface MigrationRun extends RunTarget {
  readonly lease: HeldLease;
  /** How long to wait for others. */
  readonly waitMs: number;
  readonly onStep: ((step: StepDone) => void) | undefined;
}

/** The place of steps, and the record when they are done. */
export interface StepsPlace {
  readonly migration: Migration;
  /** The place of the first step in the file. */
  readonly from: number;
  readonly changes: RecordChanges;
}

/** Reports steps that are done for good. A listener that throws does not stop a migration. */
export function tell({ onStep }: Pick<MigrationRun, "onStep">, step: StepDone): void {
  migrationEvents.emit("db.migration.step", step);
  if (onStep !== undefined) isolated("onStep", () => onStep(step));
}
