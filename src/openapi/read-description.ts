/**
 * Accepts a parsed value as a description. Differences from the shapes are thrown, or passed to the caller's own
 * function; then the value stays as it is in the file.
 */
import { describeType, readKeys } from "../core/errors.js";
import { checkDescription, type Difference, type Differences, isDifference } from "./check.js";
import type { OpenAPI } from "./document.js";
import { OpenAPIParseError } from "./errors.js";
import { fail, invalidArgument, Lines, pointerOf } from "./source-text.js";

/** How a description is read. */
export interface ReadOptions {
  /**
   * Called if a known field has a value of the wrong type, with the error that would otherwise be thrown, of code
   * `WRONG_TYPE`; reading continues. The value is kept and written back as it is in the file, without its declared
   * type.
   */
  readonly onProblem?: ((problem: OpenAPIParseError) => void) | undefined;
}

/** The text that a value was read from. */
interface SourceText {
  readonly text: string;
  /** Whether a `null` in a list under `type` means `"null"`. */
  readonly nullTypes: boolean;
  /** The positions of differing values in the text. */
  readonly locate: (differences: Differences) => ReadonlyMap<Difference, number>;
  /** The message of a difference, if it depends on the format. */
  readonly wording?: (problem: string) => string;
}

/** The maximum number of reported problems: each one takes time, and a hostile text may have millions. */
const MAX_PROBLEMS = 100_000;

/** The options of a reader, checked. @throws {OpenAPIParseError} `INVALID_ARGUMENT` */
export function readOptions(options: ReadOptions | undefined): ReadOptions {
  if (options === undefined) return {};
  const words = { must: "options must be an object", noun: "option", of: "a reader" } as const;
  const result = readKeys(options, ["onProblem"], words);
  if ("fault" in result) throw invalidArgument(result.fault);
  // The copy has the known keys of the options.
  const { onProblem } = result.read as ReadOptions;
  if (onProblem !== undefined && typeof onProblem !== "function")
    throw invalidArgument(`options.onProblem must be a function, not ${describeType(onProblem)}`);
  return { onProblem };
}

/** Accepts a value as a description, if it is one. @throws {OpenAPIParseError} */
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
  // A pointer grows by one part per level: the pointers of many problems in one place share their beginning.
  const visit = (found: Differences, pointer: string): void => {
    if (!isDifference(found)) {
      for (const [key, part] of found) visit(part, pointer + pointerOf([key]));
      return;
    }
    const place = { ...lines.at(offsets.get(found) ?? 0), pointer };
    const problem = new OpenAPIParseError(found.code, wording(found.problem), place);
    // A value that is not an object, or has another version, is not checked further.
    if (onProblem === undefined || pointer === "" || found.code !== "WRONG_TYPE") throw problem;
    onProblem(problem);
  };
  visit(differences, "");
}
