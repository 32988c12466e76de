/**
 * One migration file of SQL: its header, and its steps between lines that begin with `-- step`. SQL is never split by
 * its content: the server refuses a step of several statements.
 */
import { createHash } from "node:crypto";
import { listed, quoted } from "../../../core/errors.js";
import { dialects } from "../../words/dialect.js";
import { MigrationError } from "../words/errors.js";
import { readStepWords, type StepSubject } from "../words/step.js";
import type { TextDialect } from "./dialect.js";

/** One statement of a file, with the content of its line. */
export interface FileStep {
  /** The text after `-- step`, without its marks. */
  readonly words: string;
  /** The meaning of the words; `undefined` for the author's own words. */
  readonly subject: StepSubject | undefined;
  /** Whether it shares a transaction with its neighbours, if the dialect supports that. */
  readonly transaction: boolean;
  readonly losesData: boolean;
  readonly undeclared: boolean;
  readonly blocks: boolean;
  /** Whether a reviewer allowed what it is marked for. */
  readonly allowed: boolean;
  readonly sql: string;
  /** The digest of the text before it: an unfinished migration must still begin with that text. */
  readonly before: string;
}

/** The file of one dialect, read. */
interface FileText {
  readonly checksum: string;
  /** The digest that a further step would have before it. */
  readonly end: string;
  readonly steps: readonly FileStep[];
}

const MARKS = ["(no transaction)", "(loses data)", "(undeclared)", "(blocks)", "(allowed)"] as const;
/** The start of a line after the words of a step that says which rows make it fail. It is not part of the SQL. */
export const MAY_FAIL = "-- may-fail:";
const STEP_LINE = /^-- step(?=[ \t]|$)[ \t]*/;
const HEADER = /^-- rowtype (\d+) · (\S+)(?: · .*)?$/;

/** The text as it is read and hashed: line ends as LF, so that a checkout with CRLF is the same file. */
function plainText(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** The SHA-256 of a text, in hexadecimal. */
export function checksumOf(text: string): string {
  return createHash("sha256").update(plainText(text)).digest("hex");
}

/**
 * Reads the text of a file.
 * @param file its name, for errors.
 * @throws {MigrationError} `MIGRATION_INVALID`, with the line.
 */
export function readMigrationText(given: string, file: string, dialect: TextDialect): FileText {
  const text = plainText(given);
  const lines = text.split("\n");
  checkHeader(lines[0] ?? "", file, dialect.name);
  const starts = lines.flatMap((line, i) => (STEP_LINE.test(line) ? [i] : []));
  const [first = lines.length] = starts;
  const stray = lines.slice(0, first).findIndex((line) => !isComment(line));
  if (stray >= 0) throw invalid(file, stray, 'there is SQL before the first line "-- step"');
  if (starts.length === 0)
    throw invalid(file, 0, 'there is no step: write "-- step WORDS" before a statement');
  const steps = starts.map((at, i): FileStep => {
    const own = lines.slice(at + 1, starts[i + 1]);
    const sql = statementOf(own[0]?.startsWith(MAY_FAIL) === true ? own.slice(1) : own, dialect);
    const { words, marks } = readLine(lines[at] ?? "");
    if (words === "") throw invalid(file, at, 'a step has no words: write "-- step WORDS"');
    if (sql === undefined) throw invalid(file, at, `step ${quoted(words)} is empty`, words);
    return {
      words,
      subject: readStepWords(words),
      transaction: !marks.has("(no transaction)"),
      losesData: marks.has("(loses data)"),
      undeclared: marks.has("(undeclared)"),
      blocks: marks.has("(blocks)"),
      allowed: marks.has("(allowed)"),
      sql,
      before: checksumOf(lines.slice(0, at).join("\n").trimEnd()),
    };
  });
  return { checksum: checksumOf(text), end: checksumOf(text.trimEnd()), steps };
}

function checkHeader(line: string, file: string, dialect: string): void {
  // A handwritten file needs no header.
  if (!line.startsWith("-- rowtype ")) return;
  const [, version, of = ""] = HEADER.exec(line) ?? [];
  if (version !== "1") throw invalid(file, 0, 'the first line must be "-- rowtype 1 · DIALECT · NAME"');
  if (!dialects.some((one) => one === of))
    throw invalid(file, 0, `unknown dialect ${quoted(of)}; dialects: ${listed(dialects)}`);
  if (of !== dialect) throw invalid(file, 0, `it is for ${of}, and the database is ${dialect}`);
}

function readLine(line: string): { readonly words: string; readonly marks: ReadonlySet<string> } {
  let words = line.replace(STEP_LINE, "").trimEnd();
  const marks = new Set<string>();
  for (;;) {
    const mark = MARKS.find((one) => words.endsWith(one));
    if (mark === undefined) return { words, marks };
    marks.add(mark);
    words = words.slice(0, -mark.length).trimEnd();
  }
}

function isComment(line: string): boolean {
  return line.trim() === "" || line.trimStart().startsWith("--");
}

/** The statement in these lines; undefined if there is none. */
function statementOf(lines: readonly string[], { blockEnd }: TextDialect): string | undefined {
  const text = lines.join("\n").trim();
  if (lines.every(isComment) || /^(?:\/\*(?:[^*]|\*(?!\/))*\*\/|--.*|[\s;])*$/.test(text)) return undefined;
  return blockEnd?.test(text) === true ? text : text.replace(/[\s;]+$/, "");
}

function invalid(file: string, line: number, message: string, step?: string): MigrationError {
  const text = `${quoted(file)}, line ${line + 1}: ${message}`;
  return new MigrationError("MIGRATION_INVALID", text, { file, step });
}
