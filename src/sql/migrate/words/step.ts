/**
 * A step: one change of a schema, its risks, and its words. The words are the same in a file (`-- step …`) and in
 * `allow`; `diff` creates steps, files contain them, and the runner reads their words again.
 */
import { visible } from "../../../core/errors.js";

/** The risks of a step, which its reader must know before it runs. */
export type Risk =
  /** Drops something that no declaration names, and that somebody may have made by hand. */
  | "undeclared"
  /** Drops a table or a column, or makes a type narrower. */
  | "loses-data"
  /** Depends on the rows: a key, NOT NULL, a foreign key, a check. */
  | "may-fail"
  /** Holds a lock of `writes` or `all` for longer than a moment. */
  | "blocks"
  /** A process of the previous version fails after it. */
  | "breaks-old-code";

/** Why a step with these risks is refused unless somebody allows it by its words; undefined if it is not refused. */
export function refusalOf(risks: readonly Risk[]): string | undefined {
  if (risks.includes("loses-data")) return "loses data";
  if (risks.includes("undeclared")) return "drops what no declaration names";
  return risks.includes("blocks") ? "blocks" : undefined;
}

/**
 * The lock of a table while a step runs: `none`; `short` for a change of the catalog only; `writes` or `all` (reads
 * too) as long as rows are read or written.
 */
export type StepLock = "none" | "short" | "writes" | "all";

/** The end of the name of a temporary check: it replaces NOT NULL until the server itself has that. */
export const NOT_NULL_END = "_not_null";

/** The kinds of steps on a whole table, view or enum. */
export const WHOLE_KINDS = [
  "create table",
  "drop table",
  "rename table",
  "rebuild table",
  "comment table",
  "create view",
  "drop view",
  "comment view",
  "create enum",
  "rebuild enum",
  "drop enum",
] as const;

/** The kinds of steps on a part of a table, or on a value of an enum; it has a name. */
export const PART_KINDS = [
  "add column",
  "drop column",
  "rename column",
  "change column",
  "change type",
  "recompute column",
  "set not null",
  "drop not null",
  "set default",
  "drop default",
  "set generated",
  "backfill column",
  "comment column",
  "add primary key",
  "drop primary key",
  "add unique",
  "drop unique",
  "add foreign key",
  "validate foreign key",
  "drop foreign key",
  "add check",
  "validate check",
  "drop check",
  "create index",
  "drop index",
  "add value",
] as const;

/** The kind of a step. */
export type StepKind = (typeof WHOLE_KINDS)[number] | (typeof PART_KINDS)[number];

/** The subject of a step, as its words name it. */
export interface StepSubject {
  readonly kind: StepKind;
  /** The SQL schema of the table, if the declaration names one. */
  readonly schema?: string;
  readonly table: string;
  /** The column, constraint or index; a step about a whole table has none. */
  readonly name?: string;
}

/** One change of a schema. */
export interface Step extends StepSubject {
  /** The statements, in order. If there are several, each has its line `-- step` in a file. */
  readonly sql: readonly string[];
  /** Whether it may share a transaction with its neighbours; otherwise it runs alone. */
  readonly transaction: boolean;
  readonly lock: StepLock;
  /** Whether the server writes every row of the table again. */
  readonly rewrites: boolean;
  readonly risks: readonly Risk[];
  /** The reason for the step, and what a reader must know about it: one sentence. */
  readonly why: string;
}

/**
 * The words of a step, `drop column people.age`: the text after `-- step`, and the text of an entry of `allow`. Names
 * are in double quotes if they contain anything but letters, digits and `_`.
 */
export function stepWords({ kind, schema, table, name }: StepSubject): string {
  const names = [schema, table, name].filter((one) => one !== undefined);
  return `${kind} ${names.map(written).join(".")}`;
}

/** The meaning of a step's words, without marks; `undefined` for other words, which are the author's own. */
export function readStepWords(words: string): StepSubject | undefined {
  for (const kind of WHOLE_KINDS) {
    const names = words.startsWith(`${kind} `) ? readNames(words.slice(kind.length + 1)) : undefined;
    const [table, ...more] = names?.reverse() ?? [];
    if (table !== undefined && more.length < 2) return { kind, ...schemaOf(more[0]), table };
  }
  for (const kind of PART_KINDS) {
    const names = words.startsWith(`${kind} `) ? readNames(words.slice(kind.length + 1)) : undefined;
    const [name, table, ...more] = names?.reverse() ?? [];
    if (name !== undefined && table !== undefined && more.length < 2)
      return { kind, ...schemaOf(more[0]), table, name };
  }
  return undefined;
}

function schemaOf(schema: string | undefined): { readonly schema?: string } {
  return schema === undefined ? {} : { schema };
}

const PLAIN_NAME = /^[\p{L}\p{N}_]+$/u;

// A line of a file must not end within a name, and must show all of its characters.
function written(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  return `"${visible(name.replaceAll("\\", "\\\\")).replaceAll('"', '""')}"`;
}

const ONE_NAME = /(?:"((?:[^"]|"")*)"|([\p{L}\p{N}_]+))(\.|$)/uy;

function readNames(text: string): string[] | undefined {
  const names: string[] = [];
  for (let at = 0; at < text.length; at = ONE_NAME.lastIndex) {
    ONE_NAME.lastIndex = at;
    const [, quoted, plain, end] = ONE_NAME.exec(text) ?? [];
    const name = plain ?? (quoted === undefined ? undefined : unescaped(quoted));
    if (name === undefined) return undefined;
    names.push(name);
    if (end === "") return names;
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(
    /""|\\\\|\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})/g,
    (token, long?: string, short?: string) => {
      const code = long ?? short;
      return code === undefined ? token.slice(1) : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}
