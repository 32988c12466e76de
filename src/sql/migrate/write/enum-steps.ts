/**
 * Enum types, compared with their declarations, and their steps, where the server has such types. It adds a member in
 * place. It cannot remove or reorder members: the type is created again, and each column is changed to the new one.
 */
import { ddl } from "../../ddl/ddl.js";
import type { EnumType } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { beginningOf } from "../../dialect/grammar/names.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import { enumOfType } from "../catalog/enum-types.js";
import type { DeclarationScratch } from "../catalog/scratch-run.js";
import { literal } from "../text/one-line-literals.js";
import type { Catalog, CatalogEnum, CatalogTable } from "../words/catalog.js";
import { schemaOf } from "../words/declared-list.js";
import { MigrationError } from "../words/errors.js";
import { stepWords } from "../words/step.js";
import { type Planned, planned, subjectOf, tableName } from "./plan.js";

/** The differences of the enum types of a database. */
export interface EnumDelta {
  /** Declared types that do not exist. */
  readonly created: readonly DeclaredEnum[];
  /** Types with further members. */
  readonly grown: readonly DeclaredEnum[];
  /** Types without some of the members, or with another order. */
  readonly rebuilt: readonly RebuiltEnum[];
  /** Existing types that are not declared. */
  readonly left: readonly CatalogEnum[];
}

/** An enum type that is declared. */
interface DeclaredEnum {
  readonly type: EnumType;
  /** `null` for the schema that unqualified names refer to. */
  readonly schema: string | null;
  readonly added: readonly Added[];
}

interface RebuiltEnum extends DeclaredEnum {
  readonly actual: CatalogEnum;
}

interface Added {
  readonly value: string;
  /** Its place among the others: `AFTER 'sad'`; empty for the end. */
  readonly place: string;
}

/** Compares enum types with their declarations; there are none on dialects without such types. */
export function compareEnums(
  declared: readonly EnumType[],
  { enums }: Catalog,
  { ddl }: Grammar,
  home: string | null,
): EnumDelta {
  const created: DeclaredEnum[] = [];
  const grown: DeclaredEnum[] = [];
  const rebuilt: RebuiltEnum[] = [];
  const found = new Set<CatalogEnum>();
  for (const type of ddl.enums ? declared : []) {
    const schema = schemaOf(type, home);
    const actual = enums.find((one) => one.name === type.name && one.schema === schema);
    if (actual === undefined) {
      created.push({ type, schema, added: [] });
      continue;
    }
    found.add(actual);
    const kept = type.values.filter((value) => actual.values.includes(value));
    const isKept = kept.join("\0") === actual.values.join("\0");
    const one = { type, schema, added: isKept ? addedTo(type.values, actual.values) : [] };
    if (!isKept) rebuilt.push({ ...one, actual });
    else if (one.added.length > 0) grown.push(one);
  }
  return { created, grown, rebuilt, left: enums.filter((one) => !found.has(one)) };
}

function addedTo(values: readonly string[], there: readonly string[]): Added[] {
  const added: Added[] = [];
  for (const [i, value] of values.entries()) {
    if (there.includes(value)) continue;
    const isLast = values.slice(i).every((later) => !there.includes(later));
    const before = values[i - 1];
    const next = values.slice(i).find((later) => there.includes(later));
    const place = isLast
      ? ""
      : before === undefined
        ? `BEFORE ${literal(next ?? "")}`
        : `AFTER ${literal(before)}`;
    added.push({ value, place });
  }
  return added;
}

/** Creates the differing types temporarily, so that declared tables have them; the caller removes them. */
export async function makeScratchEnums(
  { created, grown, rebuilt }: EnumDelta,
  { tries }: DeclarationScratch,
  { quote }: Grammar,
): Promise<void> {
  for (const { type, schema } of [...created, ...grown, ...rebuilt]) {
    const { name, values } = type;
    const members = values.map(literal).join(", ");
    // The temporary schema is searched first, and needs no further right.
    const place = schema === null ? "pg_temp" : quote(schema);
    if (schema !== null && !created.some((one) => one.type === type))
      await tries(`ALTER TYPE ${place}.${quote(name)} RENAME TO ${quote(formerName(name))}`);
    await tries(`CREATE TYPE ${place}.${quote(name)} AS ENUM (${members})`);
  }
}

/** The tables of a catalog, in which rebuilt types have the names that they keep until they are dropped. */
export function withFormerTypes(
  tables: readonly CatalogTable[],
  { rebuilt }: EnumDelta,
): readonly CatalogTable[] {
  if (rebuilt.length === 0) return tables;
  const actual = rebuilt.map((one) => one.actual);
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      const type = enumOfType(column.type, actual);
      return type === undefined ? column : { ...column, type: `${column.type} (former)` };
    }),
  }));
}

/** The steps of enum types. */
export function enumSteps(
  { created, grown, rebuilt }: EnumDelta,
  gone: readonly CatalogEnum[],
  grammar: Grammar,
): Planned[] {
  return [
    ...created.map(({ type, schema }) =>
      planned({
        ...subjectOf(schema, type.name),
        phase: "enums",
        kind: "create enum",
        sql: ddl(type, grammar.dialect),
        why: "the enum type is declared but does not exist",
      }),
    ),
    ...grown.flatMap((one) => addValues(one, grammar)),
    ...rebuilt.flatMap((one) => rebuildEnum(one, grammar)),
    ...gone.map(({ schema, name }) =>
      planned({
        ...subjectOf(schema, name),
        phase: "drop enums",
        kind: "drop enum",
        sql: [`DROP TYPE IF EXISTS ${tableName(schema, name, grammar)}`],
        risks: ["undeclared", "breaks-old-code"],
        why: "the enum type is not declared",
      }),
    ),
  ];
}

function addValues({ type, schema, added }: DeclaredEnum, grammar: Grammar): Planned[] {
  const alter = `ALTER TYPE ${tableName(schema, type.name, grammar)}`;
  return added.map(({ value, place }) =>
    planned({
      ...subjectOf(schema, type.name),
      phase: "enums",
      kind: "add value",
      name: value,
      sql: [`${alter} ADD VALUE ${literal(value)} ${place}`.trimEnd()],
      // The next steps may use it, which requires a separate transaction.
      transaction: false,
      why: "the member is declared but does not exist",
    }),
  );
}

function rebuildEnum({ type, schema, actual }: RebuiltEnum, grammar: Grammar): Planned[] {
  const lost = actual.values.filter((value) => !type.values.includes(value));
  const former = formerName(type.name);
  const rename = `ALTER TYPE ${tableName(schema, type.name, grammar)} RENAME TO ${grammar.quote(former)}`;
  return [
    planned({
      ...subjectOf(schema, type.name),
      phase: "enums",
      kind: "rebuild enum",
      sql: [rename, ...ddl(type, grammar.dialect)],
      risks: ["loses-data", "may-fail", "breaks-old-code"],
      why:
        lost.length === 0
          ? "the order of the members changed: the type is made again, and each column is written again"
          : `the type loses ${lost.map((value) => JSON.stringify(value)).join(", ")}: a row that has it fails the step of its column, so change those rows first`,
    }),
    planned({
      ...subjectOf(schema, former),
      phase: "drop enums",
      kind: "drop enum",
      sql: [`DROP TYPE ${tableName(schema, former, grammar)}`],
      why: "each column has the new type",
    }),
  ];
}

/**
 * The types that are dropped with the undeclared tables: those that no declared column names.
 * @throws {MigrationError} `MIGRATION_REFUSED` for a rebuilt type that an undeclared table uses which stays.
 */
export function goneEnums(
  { left, rebuilt }: EnumDelta,
  declared: readonly DeclaredTable[],
  undeclared: readonly CatalogTable[],
): readonly CatalogEnum[] {
  for (const { type, schema, actual } of rebuilt)
    for (const { name, columns } of undeclared)
      for (const column of columns)
        if (enumOfType(column.type.replace(FORMER, ""), [actual]) !== undefined) {
          const step = stepWords({ kind: "rebuild enum", ...subjectOf(schema, type.name) });
          throw new MigrationError(
            "MIGRATION_REFUSED",
            `the step ${step} is refused: column ${JSON.stringify(column.name)} of table ${JSON.stringify(name)}, which is not declared, has the type: declare the table`,
            { step },
          );
        }
  const used = new Set(
    declared.flatMap(({ catalog }) => catalog.columns.flatMap(({ type }) => enumOfType(type, left) ?? [])),
  );
  return left.filter((one) => !used.has(one));
}

/** Follows the type of a column whose enum type is created again. */
export const FORMER: RegExp = / \(former\)$/;

/** The name of a type while a new one replaces it; a name has at most 63 bytes. */
function formerName(name: string): string {
  return `${beginningOf(name, 55)}__former`;
}
