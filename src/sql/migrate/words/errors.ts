/** The errors of migrations: what was refused, what failed, and a schema that is not what its declarations say. */
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

/** A database that is not what the declarations say. */
export class DriftError extends SqlError<"DRIFT"> {
  static {
    brand(DriftError, "sql");
  }

  /** What would make the database as the declarations say. */
  readonly steps: readonly Step[];
  /** The steps as the text of a file. */
  readonly text: string;

  constructor(message: string, steps: readonly Step[], text: string) {
    super("DRIFT", message);
    this.steps = steps;
    this.text = text;
  }
}
