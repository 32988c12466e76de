/** Checks what a handler declares of its successes: its status and output, its outputs by status, their kinds and headers. */
import { describeType, quoted, readParts } from "../../core/errors.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import { type AnswerFacts, type DeclaredKind, isKind, type KindName, kindInside, misplaced } from "./kind.js";
import { type AnyOptions, BODYLESS, type DeclaredSuccess, type OutputForm, successesOf } from "./options.js";
import { checkHeaders } from "./stream-settings.js";

type Refuse = (problem: string) => never;

/** The kinds of answers. */
const ANSWERS: ReadonlySet<KindName> = new Set(["text", "html", "bytes", "ndjson", "csv", "rows", "file"]);
/** Those whose bytes are not at hand when the answer begins. */
const STREAMED: ReadonlySet<KindName> = new Set(["bytes", "ndjson", "csv", "rows", "file"]);

export function isStatus(given: unknown): given is number {
  return typeof given === "number" && Number.isInteger(given) && given >= 200 && given <= 399;
}

/** A schema, or a kind of answer. */
export function readOutput(given: unknown, refuse: Refuse, name: string): OutputForm | undefined {
  if (given === undefined) return undefined;
  if (isKind(given)) return answerKind(given, refuse, name);
  if (!isSchema(given)) return refuse(`${name} is a Zod schema`);
  const inside = kindInside(given);
  return inside === undefined ? given : refuse(`${name}: ${misplaced(inside, "inside a schema")}`);
}

function answerKind(kind: DeclaredKind, refuse: Refuse, name: string): DeclaredKind<AnswerFacts> {
  if (!isAnswer(kind)) return refuse(`${name}: ${kind.facts.name}() is no answer`);
  const { facts } = kind;
  // Rows choose among media types of their own, and a file has that of its name.
  if ("row" in facts || facts.name === "file") return kind;
  if (facts.types.length > 1 || facts.types.some((type) => type.includes("*")))
    return refuse(`${name}: an answer of ${facts.name}() has one media type`);
  return kind;
}

function isAnswer(kind: DeclaredKind): kind is DeclaredKind<AnswerFacts> {
  return ANSWERS.has(kind.facts.name);
}

/** The outputs by status. */
export function readOutputs(given: unknown, refuse: Refuse): AnyOptions["outputs"] {
  if (given === undefined) return undefined;
  const named = isSchema(given) || isKind(given) ? undefined : readParts(given);
  if (named === undefined) return refuse(`outputs are schemas by status, not ${describeType(given)}`);
  const outputs = new Map<number, OutputForm | null>();
  for (const [key, output] of Object.entries(named)) {
    const status = Number(key);
    if (!isStatus(status)) return refuse(`outputs: ${quoted(key)} is no status from 200 to 399`);
    if (output !== null && BODYLESS.has(status)) return refuse(`outputs: status ${status} has no body: null`);
    const read = output === null ? null : readOutput(output, refuse, `output ${status}`);
    if (read === undefined) return refuse(`output ${status} is a Zod schema, or null for no body`);
    outputs.set(status, read);
  }
  if (outputs.size === 0) return refuse("outputs name at least one status");
  return outputs;
}

/** Headers of a success: fixed texts, and schemas of those that `reply` gives. */
export function readHeaders(given: unknown, refuse: Refuse): AnyOptions["responseHeaders"] {
  // The caller's function; its results are checked when they are sent.
  if (given === undefined || typeof given === "function") return given as AnyOptions["responseHeaders"];
  const fixed: Record<string, unknown> = {};
  const named = readParts(given);
  if (named === undefined) return refuse("responseHeaders are a record");
  for (const [name, value] of Object.entries(named)) {
    if (!isSchema(value)) {
      if (isKind(value)) refuse(`header ${quoted(name)}: ${misplaced(value, "among headers")}`);
      fixed[name] = value;
    } else {
      if (readerOf(value).textReader() === undefined)
        refuse(`header ${quoted(name)} has a type that text cannot carry`);
      fixed[name] = "";
    }
  }
  checkHeaders(fixed, refuse);
  // Each member is a text that can be sent, or a schema.
  return named as AnyOptions["responseHeaders"];
}

/** Refuses successes that contradict each other. */
export function checkSuccesses(
  given: { readonly status?: unknown },
  options: Omit<AnyOptions, "stream" | "uses">,
  refuse: Refuse,
): void {
  const { status, output, outputs, etag } = options;
  if (outputs !== undefined && (output !== undefined || given.status !== undefined))
    refuse("outputs replace status and output: leave these out");
  if (BODYLESS.has(status) && output !== undefined) refuse(`status ${status} has no output`);
  for (const { output: one } of successesOf(options)) {
    if (!isKind(one)) continue;
    if (etag !== false && STREAMED.has(one.facts.name))
      refuse(`etag: the answer of ${one.facts.name}() is sent as it comes and has no tag`);
  }
}

/** The schemas of the outputs, those inside kinds too. */
export function schemasOf(options: Omit<AnyOptions, "stream" | "uses">): readonly AnySchema[] {
  return successesOf(options).flatMap(({ output }) => schemaIn(output) ?? []);
}

/** The schema of an output, or of the rows of a kind; `undefined` for none. */
export function schemaIn(output: DeclaredSuccess["output"]): AnySchema | undefined {
  if (!isKind(output)) return output ?? undefined;
  return "row" in output.facts ? output.facts.row : undefined;
}
