/**
 * Takes a value that was read for a description: what differs from the shapes is thrown, or handed to the caller's
 * own function, in which case the value stays as it stands in the file.
 */
import { describeType, faultOfKeys } from "../core/errors.js";
import { checkDescription, type Difference, type Differences, isDifference } from "./check.js";
import type { OpenAPI } from "./document.js";
import { OpenAPIParseError } from "./errors.js";
import { fail, invalidArgument, Lines, pointerOf } from "./source-text.js";

/** How a description is read. */
export interface ReadOptions {
  /**
   * Reads on where a known field has a value of the wrong type, and is given the error that would have been thrown,
   * of code `WRONG_TYPE`. The value is kept and written back as it stands in the file: it is not of its type then.
   */
  readonly onProblem?: ((problem: OpenAPIParseError) => void) | undefined;
}

/** The text that a value was read from. */
interface SourceText {
  readonly text: string;
  /** Whether a `null` in a list under `type` stands for `"null"`. */
  readonly nullTypes: boolean;
  /** Where values that differ stand in the text. */
  readonly locate: (differences: Differences) => ReadonlyMap<Difference, number>;
  /** What is said of a difference, where that depends on the format. */
  readonly wording?: (problem: string) => string;
}

/** The most problems that are reported: each one costs, and a hostile text may have millions. */
const MAX_PROBLEMS = 100_000;

/** What the options of a reader are. @throws {OpenAPIParseError} `INVALID_ARGUMENT` */
export function readOptions(options: ReadOptions | undefined): ReadOptions {
  if (options === undefined) return {};
  const words = { must: "options must be an object", noun: "option", of: "a reader" } as const;
  const fault = faultOfKeys(options, ["onProblem"], words);
  if (fault !== undefined) throw invalidArgument(fault);
  const { onProblem } = options;
  if (onProblem !== undefined && typeof onProblem !== "function")
    throw invalidArgument(`options.onProblem must be a function, not ${describeType(onProblem)}`);
  return { onProblem };
}

/** Takes a value for a description, if it is one. @throws {OpenAPIParseError} */
export function asDescription(value: unknown, source: SourceText, { onProblem }: ReadOptions): OpenAPI {
  const asked = { nullTypes: source.nullTypes, left: onProblem === undefined ? 1 : MAX_PROBLEMS + 1 };
  const differences = checkDescription(value, asked);
  if (differences !== undefined) report(differences, source, onProblem, asked.left);
  // Checked: known fields have their types, or the problem was reported. Required fields are left to validation.
  return value as OpenAPI;
}

function report(
  differences: Differences,
  source: SourceText,
  onProblem: ReadOptions["onProblem"],
  left: number,
): void {
  const { text, wording = (problem: string) => problem } = source;
  const offsets = source.locate(differences);
  const lines = new Lines(text);
  if (onProblem !== undefined && left === 0)
    fail("TOO_COMPLEX", `expected at most ${MAX_PROBLEMS} fields of a wrong type, found more`, text, 0, []);
  // Pointers grow by one part a level, so that those of many problems in one place share what leads there.
  const visit = (found: Differences, pointer: string): void => {
    if (!isDifference(found)) {
      for (const [key, part] of found) visit(part, pointer + pointerOf([key]));
      return;
    }
    const place = { ...lines.at(offsets.get(found) ?? 0), pointer };
    const problem = new OpenAPIParseError(found.code, wording(found.problem), place);
    // A value that is not an object, or of another version, is not checked further.
    if (onProblem === undefined || pointer === "" || found.code !== "WRONG_TYPE") throw problem;
    onProblem(problem);
  };
  visit(differences, "");
}
