/** The errors of migrations: a refusal, a failure, and a schema that differs from its declarations. */
import { brand } from "../../../core/errors.js";
import { type MigrationErrorCode, SqlError } from "../../words/errors.js";
import type { Step } from "./step.js";

/** A folder of migrations, a file or a step that cannot be applied; `cause` is the database's error, if it has one. */
export class MigrationError extends SqlError<MigrationErrorCode> {
  static {
    brand(MigrationError, "sql");
  }

  /** The file, if it is about one. */
  readonly file: string | undefined;
  /** The words of the step, if it is about one: `drop column people.age`. */
  readonly step: string | undefined;

  constructor(
    code: MigrationErrorCode,
    message: string,
    about: { readonly file?: string | undefined; readonly step?: string | undefined } = {},
    options?: ErrorOptions,
  ) {
    super(code, message, options);
    const { file, step }: typeof about = Object(about);
    this.file = file;
    this.step = step;
  }
}

/** A database that differs from its declarations. */
export class DriftError extends SqlError<"DRIFT"> {
  static {
    brand(DriftError, "sql");
  }

  /** The steps that would make the database match the declarations. */
  readonly steps: readonly Step[];
  /** The steps as the text of a file. */
  readonly text: string;

  constructor(message: string, steps: readonly Step[], text: string) {
    super("DRIFT", message);
    this.steps = steps;
    this.text = text;
  }
}
