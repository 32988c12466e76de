/** Names of tables and columns as a dialect writes them, and the faults of a table on a dialect. */
import type { AnyReadable, AnyTable, Storage } from "../../declare/declaration.js";
import { DeclarationError, UnsupportedError } from "../../words/errors.js";
import { meets } from "../../words/kinds.js";
import type { Grammar, Missing } from "./grammar.js";

/** A name in double quotes, as standard SQL quotes it. */
export function doubleQuoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted table name, with its SQL schema. */
export function qualifiedName(
  { name, namespace }: Pick<AnyTable, "name" | "namespace">,
  { quote }: Grammar,
): string {
  return namespace === undefined ? quote(name) : `${quote(namespace)}.${quote(name)}`;
}

/** A name in the form in which it is compared with others: in lower case if the dialect folds names. */
export function comparedName({ foldsNames }: Pick<Grammar, "foldsNames">): (name: string) => string {
  return foldsNames ? (name) => name.toLowerCase() : (name) => name;
}

/** The feature of a table that the dialect cannot support in any statement, if there is one. */
export function tableFault(table: AnyReadable, grammar: Grammar): Missing | undefined {
  const feature = nameFault(table, grammar);
  if (feature !== undefined)
    return { feature, hint: `change the name in the declaration of table ${JSON.stringify(table.name)}` };
  const { unitDigits: most } = grammar;
  if (most !== undefined && Object.values(table.columns).some(({ storage }) => isLongDecimal(storage, most)))
    return { feature: `decimals of more than ${most} digits`, hint: "declare fewer digits" };
  if (grammar.hasNoBigints === true && Object.values(table.columns).some(({ kind }) => kind === "bigint"))
    return { feature: "bigints with this driver", hint: "declare z.int() or a decimal" };
  const vectors = Object.values(table.columns).some(({ kind }) => meets(kind, "a vector"));
  return vectors ? grammar.noVectors : undefined;
}

/**
 * @throws {UnsupportedError} for a table with such a feature.
 * @throws {DeclarationError} for a name that the dialect refuses.
 */
export function checkSupported(table: AnyReadable, grammar: Grammar): void {
  const { refusedNames, dialect } = grammar;
  const refused = refusedNames && declaredNames(table).find((name) => refusedNames.are.test(name));
  if (refused !== undefined)
    throw new DeclarationError(
      `${JSON.stringify(refused)} cannot be a name on ${dialect}: a name ${refusedNames?.must}`,
    );
  const fault = tableFault(table, grammar);
  if (fault !== undefined) throw new UnsupportedError(grammar.dialect, fault.feature, fault.hint);
}

/** The longest beginning of a name that has at most the given number of bytes, in whole characters. */
export function beginningOf(name: string, mostBytes: number): string {
  let cut = "";
  for (const character of name) {
    if (Buffer.byteLength(cut + character) > mostBytes) break;
    cut += character;
  }
  return cut;
}

/** Whether two keys have the same columns in the same order. */
export function isSameKey(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((property, i) => property === b[i]);
}

/** Every name that a declaration gives in a database. */
function declaredNames({ name, namespace, columns, indexes, foreignKeys, checks }: AnyReadable): string[] {
  const given = [
    namespace,
    ...Object.values(columns).map(({ index }) => (typeof index === "string" ? index : undefined)),
    ...[...indexes, ...foreignKeys].map((one) => one.name),
  ];
  return [
    name,
    ...Object.values(columns).map((column) => column.name),
    ...checks.map((check) => check.name),
    ...given.filter((one) => one !== undefined),
  ];
}

// Names that are too long, or that the dialect cannot distinguish or write.
function nameFault(table: AnyReadable, grammar: Grammar): string | undefined {
  const { maxNameBytes, foldsNames, quotesInNames } = grammar;
  const columns = Object.values(table.columns).map(({ name }) => name);
  const names = [table.name, ...(table.namespace === undefined ? [] : [table.namespace]), ...columns];
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes))
    return `names of more than ${maxNameBytes} bytes`;
  if (foldsNames && new Set(columns.map((name) => name.toLowerCase())).size < columns.length)
    return "columns whose names differ only in case";
  if (!quotesInNames && names.some((name) => name.includes('"'))) return "names with a double quote";
  return undefined;
}

function isLongDecimal({ kind, precision = 0 }: Storage, most: number): boolean {
  return kind === "decimal" && precision > most;
}
