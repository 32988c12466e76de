/** Writes compound queries: evaluated from left to right, regardless of the server's own precedence. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Item, ResolvedCompound, ResolvedOperand } from "../resolve/scope/resolved.js";
import { writeOrderBy, writePaging } from "./clauses.js";
import { writeWith } from "./named.js";
import type { Plan } from "./plan.js";
import { writeQuery } from "./query.js";
import { startWriting } from "./start.js";
import type { Writer } from "./writer.js";

/** `SELECT … UNION SELECT … ORDER BY … LIMIT …`. */
export function renderCompound(compound: ResolvedCompound, grammar: Grammar): Plan {
  const { of, items, ordersTable, orderBy, paging } = compound;
  const writer = startWriting(of, grammar);
  writeWith(writer, compound.named);
  const names = items.map(({ name }) => name).join(", ");
  if (ordersTable) writer.sql(`SELECT ${names} FROM (`);
  writeOperations(writer, compound, names);
  if (ordersTable) writer.sql(`) ${grammar.quote("rows")}`);
  writeOrderBy(writer, orderBy);
  writePaging(writer, paging);
  return writer.finish(items.map(({ output }) => output));
}

/** The text before, between and after the queries of an operation. */
interface Joint {
  readonly open: string;
  readonly between: string;
  readonly close: string;
}

function writeOperations(writer: Writer, { items, base, operands }: ResolvedCompound, names: string): void {
  const joints = operands.map(({ operation }, i): Joint => {
    const { operations, intersectBindsFirst } = writer.grammar.compound;
    const words = operations[operation];
    if (typeof words !== "string") return numbered(words.numbered, names, nameBeside(items, writer.grammar));
    const before = operands.slice(0, i).map((one) => one.operation);
    const isIntersect = operation.startsWith("intersect");
    const looser = intersectBindsFirst && isIntersect && before.some((one) => !one.startsWith("intersect"));
    return looser
      ? { open: "(", between: `) ${words} `, close: "" }
      : { open: "", between: ` ${words} `, close: "" };
  });
  // Opening parentheses around all previous operations come before the first query.
  for (const { open } of [...joints].reverse()) writer.sql(open);
  writeOperand(writer, base, names);
  for (const [i, operand] of operands.entries()) {
    const joint = joints[i];
    if (joint === undefined) continue;
    writer.sql(joint.between);
    writeOperand(writer, operand, names);
    writer.sql(joint.close);
  }
}

function nameBeside(items: readonly Item[], { quote }: Grammar): string {
  let name = "row";
  while (items.some((item) => item.name.toLowerCase() === quote(name))) name += "_";
  return quote(name);
}

// Equal rows are numbered, so that a set operation keeps the right number of them.
function numbered(words: string, names: string, number: string): Joint {
  const rows = `SELECT ${names}, ROW_NUMBER() OVER (PARTITION BY ${names}) AS ${number} FROM (`;
  return { open: `SELECT ${names} FROM (${rows}`, between: `) ${words} ${rows}`, close: "))" };
}

function writeOperand(writer: Writer, { query, items }: ResolvedOperand, names: string): void {
  const isBounded = query.orderBy.length > 0 || query.paging.length > 0;
  const inParentheses = writer.grammar.compound.bounded === "parentheses";
  if (isBounded) writer.sql(inParentheses ? "(" : `SELECT ${names} FROM (`);
  writeQuery(writer, query, items);
  if (isBounded) writer.sql(")");
}
