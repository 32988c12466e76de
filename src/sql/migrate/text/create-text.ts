/**
 * The parts of a `CREATE TABLE` that `ddl` wrote, as text: a step writes them again when it adds a column or a
 * constraint to an existing table.
 */
import type { TextDialect } from "./dialect.js";
import { SqlCursor } from "./sql-cursor.js";

/** The kind of a constraint. */
export type ConstraintKind = "primary key" | "unique" | "foreign key" | "check";

/** A column as it is written. */
export interface ColumnText {
  readonly name: string;
  /** Without its name, its checks and its references. */
  readonly definition: string;
  /** The same, but nullable. */
  readonly nullable: string;
  /** Its type, with the collation. */
  readonly type: string;
  /** The text after DEFAULT. */
  readonly default: string | undefined;
  /** Whether the definition has a key, which only a new table can have. */
  readonly hasKey: boolean;
}

/** A constraint as it is written, of a column or of the table. */
interface ConstraintText {
  readonly kind: ConstraintKind;
  readonly name: string | undefined;
  readonly columns: readonly string[];
  /** Without its name: `CHECK (…)`. */
  readonly body: string;
}

/** A table as it is written. */
export interface CreateText {
  readonly head: string;
  readonly columns: readonly ColumnText[];
  readonly constraints: readonly ConstraintText[];
  /** The items in parentheses as they are written; a constraint that is a foreign key can be added later. */
  readonly items: readonly { readonly text: string; readonly constraint: ConstraintText | undefined }[];
  readonly tail: string;
}

/** Reads a `CREATE TABLE` of `ddl`. */
export function readCreateText(sql: string, { tokens }: TextDialect): CreateText {
  const cursor = new SqlCursor(sql, tokens);
  const begin = cursor.peek();
  while (!cursor.isAtEnd && !cursor.sees("(")) cursor.next();
  const head = cursor.since(begin);
  const columns: ColumnText[] = [];
  const constraints: ConstraintText[] = [];
  const items: { text: string; constraint: ConstraintText | undefined }[] = [];
  cursor.takes("(");
  while (!cursor.isAtEnd && !cursor.sees(")")) {
    const first = cursor.peek();
    const constraint = first?.kind === "name" ? undefined : readConstraint(cursor);
    if (constraint !== undefined) constraints.push(constraint);
    else {
      const column = readColumn(cursor);
      columns.push(column.column);
      constraints.push(...column.constraints);
    }
    cursor.skipItem();
    items.push({ text: cursor.since(first), constraint });
    cursor.takes(",");
  }
  cursor.takes(")");
  return { head, columns, constraints, items, tail: cursor.rest() };
}

/** The statement again, with some of its items only. */
export function createOf({ head, tail }: CreateText, items: readonly string[], keyword = ""): string {
  const begin = keyword === "" ? head : head.replace(/^CREATE TABLE/i, `CREATE ${keyword} TABLE`);
  return `${begin} (\n  ${items.join(",\n  ")}\n)${tail === "" ? "" : ` ${tail}`}`;
}

/** The items of a table apart from its foreign keys, which a temporary table cannot have. */
export function withoutReferences({ items }: CreateText): string[] {
  return items.filter(({ constraint }) => constraint?.kind !== "foreign key").map(({ text }) => text);
}

/** The text in the declaration for a constraint of the catalog that was created from it. */
export function writtenConstraint(
  { constraints }: CreateText,
  kind: ConstraintKind,
  { name, columns }: { readonly name: string | null; readonly columns?: readonly string[] },
): ConstraintText | undefined {
  const all = constraints.filter((one) => one.kind === kind);
  const isOf = (one: ConstraintText) =>
    columns === undefined
      ? one.name === undefined &&
        (one.columns[0] === name || name?.endsWith(`_${one.columns[0]}_check`) === true)
      : one.columns.join("\0") === columns.join("\0");
  return all.find((one) => one.name !== undefined && one.name === name) ?? all.find(isOf);
}

/** A constraint with its name, if it has one. */
export function constraintText({ name, body }: ConstraintText, quote: (name: string) => string): string {
  return name === undefined ? body : `CONSTRAINT ${quote(name)} ${body}`;
}

function readConstraint(cursor: SqlCursor): ConstraintText | undefined {
  const name = cursor.takes("CONSTRAINT") ? cursor.name() : undefined;
  const begin = cursor.peek();
  const made = (kind: ConstraintKind, columns: readonly string[]): ConstraintText => {
    cursor.skipItem();
    return { kind, name, columns, body: cursor.since(begin) };
  };
  if (cursor.takes("PRIMARY", "KEY")) return made("primary key", namesIn(cursor));
  if (cursor.takes("UNIQUE")) return made("unique", namesIn(cursor));
  if (cursor.takes("FOREIGN", "KEY")) return made("foreign key", namesIn(cursor));
  if (cursor.takes("CHECK")) {
    cursor.inParentheses();
    return made("check", []);
  }
  return undefined;
}

/** The names in the next parentheses. */
export function namesIn(cursor: SqlCursor): string[] {
  const names: string[] = [];
  if (!cursor.takes("(")) return names;
  while (!cursor.isAtEnd && !cursor.takes(")")) {
    names.push(cursor.name());
    cursor.skipItem();
    cursor.takes(",");
  }
  return names;
}

const AFTER_TYPE =
  "DEFAULT NOT NULL CHECK CONSTRAINT GENERATED AS REFERENCES COMMENT AUTO_INCREMENT PRIMARY UNIQUE".split(
    " ",
  );

function readColumn(cursor: SqlCursor): { column: ColumnText; constraints: ConstraintText[] } {
  // The name as it is written, for a reference on the column.
  const nameToken = cursor.peek()?.text ?? "";
  const name = cursor.name();
  const ends = () => cursor.isAtEnd || cursor.sees(",") || cursor.sees(")");
  const begin = cursor.peek();
  while (!ends() && !AFTER_TYPE.some((word) => cursor.sees(word)))
    if (cursor.inParentheses() === undefined) cursor.next();
  const type = cursor.since(begin);
  const parts = [type];
  const constraints: ConstraintText[] = [];
  let said: string | undefined;
  let hasKey = false;
  while (!ends()) {
    const first = cursor.peek();
    const called = cursor.takes("CONSTRAINT") ? cursor.name() : undefined;
    const start = cursor.peek();
    if (cursor.takes("CHECK")) {
      cursor.inParentheses();
      constraints.push({ kind: "check", name: called, columns: [name], body: cursor.since(start) });
    } else if (cursor.takes("REFERENCES")) {
      passReference(cursor);
      const body = `FOREIGN KEY (${nameToken}) ${cursor.since(start)}`;
      constraints.push({ kind: "foreign key", name: called, columns: [name], body });
    } else if (cursor.takes("DEFAULT")) {
      said = passDefault(cursor);
      parts.push(`DEFAULT ${said}`);
    } else if (cursor.takes("NOT", "NULL")) parts.push(NOT_NULL);
    else if (cursor.sees("COMMENT")) {
      cursor.next();
      cursor.next();
      parts.push(cursor.since(first));
    } else {
      if (cursor.sees("PRIMARY") || cursor.sees("UNIQUE")) hasKey = true;
      if (cursor.inParentheses() === undefined) cursor.next();
      parts.push(cursor.since(first));
    }
  }
  const definition = parts.join(" ");
  const nullable = parts.map((part) => (part === NOT_NULL ? "NULL" : part)).join(" ");
  return { column: { name, definition, nullable, type, default: said, hasKey }, constraints };
}

const NOT_NULL = "NOT NULL";

function passReference(cursor: SqlCursor): void {
  cursor.name();
  if (cursor.takes(".")) cursor.name();
  cursor.inParentheses();
  while (cursor.takes("ON", "DELETE") || cursor.takes("ON", "UPDATE"))
    if (!cursor.takes("SET", "NULL") && !cursor.takes("SET", "DEFAULT") && !cursor.takes("NO", "ACTION"))
      cursor.next();
}

// Reads up to the words that follow a default: it may be a literal with a cast, a call, or in parentheses.
function passDefault(cursor: SqlCursor): string {
  const begin = cursor.peek();
  while (!cursor.isAtEnd && !cursor.sees(",") && !cursor.sees(")")) {
    const isEnd =
      cursor.sees("NOT", "NULL") ||
      ["CHECK", "CONSTRAINT", "REFERENCES", "COMMENT", "GENERATED", "UNIQUE", "PRIMARY"].some((word) =>
        cursor.sees(word),
      );
    if (isEnd) break;
    if (cursor.inParentheses() === undefined) cursor.next();
  }
  return cursor.since(begin);
}
