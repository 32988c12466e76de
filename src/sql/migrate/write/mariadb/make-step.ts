/** Makes steps of MariaDB: each with its algorithm and lock, and marked if the server copies the table. */
import { engineOf } from "../../catalog/mariadb/create.js";
import type { TableDelta } from "../../diff/compare.js";
import type { Catalog, CatalogTable } from "../../words/catalog.js";
import type { Risk, StepKind } from "../../words/step.js";
import type { PlanContext } from "../dialect.js";
import { type Planned, placesOf, planned } from "../plan.js";

export type Algorithm = "INSTANT" | "NOCOPY" | "INPLACE" | "COPY";

/** Makes a step: its subject, its operation, its algorithm, and its risks. */
export type MakeStep = (
  phase: Planned["phase"],
  kind: StepKind,
  name: string | undefined,
  does: {
    readonly op: string;
    readonly algorithm: Algorithm;
    /** Whether it copies no row, because the first row makes it fail. */
    readonly isShort?: boolean;
    readonly risks?: readonly Risk[];
    readonly why: string;
  },
) => Planned;

/** After the reason of a step that copies the table. */
export const COPIED = "; the server copies the table, and writes wait";

/** How the steps of a table are made. */
export function stepMaker(delta: TableDelta, { grammar, isEmpty, catalog }: PlanContext): MakeStep {
  const { actual } = delta;
  const { old, now, before, after } = placesOf(delta, grammar);
  const isOtherEngine = engineOf(actual, catalog.unknown) !== undefined;
  const onlyCopies = hasIndexedVirtual(delta) || hasSearchIndex(actual, catalog);
  return (phase, kind, name, given) => {
    const isHeld =
      (isOtherEngine && !CATALOG_ONLY.has(kind)) ||
      (onlyCopies && (COLUMN_COMES_OR_GOES.has(phase) || given.algorithm === "INPLACE"));
    const does = isHeld && given.algorithm !== "COPY" ? ({ ...given, algorithm: "COPY" } as const) : given;
    const isBefore = phase === "drop references" || phase === "drop constraints";
    const lock = does.algorithm === "COPY" ? "SHARED" : "NONE";
    const copies = does.algorithm === "COPY" && does.isShort !== true;
    const isShort = does.algorithm === "INSTANT" || does.isShort === true;
    return planned({
      ...(isBefore ? old : now),
      phase,
      kind,
      ...(name === undefined ? {} : { name }),
      sql: [
        `ALTER TABLE ${isBefore ? before : after} WAIT 3 ${does.op}, ALGORITHM=${does.algorithm}, LOCK=${lock}`,
      ],
      transaction: false,
      lock: copies ? "writes" : isShort ? "short" : "none",
      rewrites: copies || does.algorithm === "INPLACE",
      risks: [...(does.risks ?? []), ...(copies && !isEmpty(actual) ? (["blocks"] as const) : [])],
      why: copies ? `${does.why}${COPIED}` : does.why,
    });
  };
}

const COLUMN_COMES_OR_GOES: ReadonlySet<string> = new Set(["add columns", "compute columns", "drop columns"]);

// With an index over a virtual column, the server adds and drops columns only by a copy.
function hasIndexedVirtual({ actual, keys, indexes }: TableDelta): boolean {
  const virtual = new Set(
    actual.columns.filter(({ computed }) => computed?.stored === false).map(({ name }) => name),
  );
  return [...keys.kept, ...indexes.kept].some(([{ columns }]) =>
    columns.some((column) => virtual.has(typeof column === "string" ? column : column[0])),
  );
}

// With an index of words or of places, the server writes a table again only while writes wait.
function hasSearchIndex({ name, schema }: CatalogTable, { unknown }: Catalog): boolean {
  return unknown.some(
    (one) => one.table === name && one.schema === schema && /^(?:fulltext|spatial) index$/.test(one.kind),
  );
}

// Steps that only change the catalog: an engine other than InnoDB does all others by a copy.
const CATALOG_ONLY: ReadonlySet<StepKind> = new Set([
  "rename column",
  "set default",
  "drop default",
  "comment column",
  "comment table",
]);
