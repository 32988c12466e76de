/** The steps from a table to its declaration: for each part that differs, what the dialect writes for it. */
import { comparedName } from "../../dialect/grammar/names.js";
import type { TableDelta } from "../diff/compare.js";
import { type Going, goingOf, type Part } from "../diff/undeclared.js";
import type {
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
} from "../words/catalog.js";
import type { PlanContext } from "./dialect.js";
import { type Planned, renamesInOrder } from "./plan.js";
import { whyDropped } from "./why.js";

/** What a dialect writes for each part of a table, asked in the order of the members; nothing for those that are absent. */
export interface PartSteps {
  readonly dropForeignKey?: (key: CatalogForeignKey, going: Going) => Planned;
  readonly dropCheck?: (check: CatalogCheck, going: Going) => Planned;
  readonly dropUnique?: (key: CatalogKey, going: Going) => Planned;
  readonly dropPrimaryKey?: (key: CatalogKey, going: Going) => Planned;
  readonly dropIndex: (index: CatalogIndex, going: Going) => Planned;
  readonly dropUnlisted?: () => Planned[];
  readonly renameColumn: (from: string, to: string) => Planned;
  readonly addColumn?: (column: CatalogColumn) => Planned[];
  readonly changeColumns: () => Planned[];
  readonly dropColumn: (column: CatalogColumn, why: string) => Planned;
  readonly changeKeys?: () => Planned[];
  readonly addIndex: (index: CatalogIndex) => Planned[];
  readonly addCheck?: (check: CatalogCheck) => Planned[];
  readonly addForeignKey?: (key: CatalogForeignKey) => Planned[];
  /** Checks the rows for a constraint that is there, and that was added without them. */
  readonly validate?: (kind: "check" | "foreign key", name: string) => Planned;
  readonly comment?: () => Planned[];
}

/** The steps of all parts that differ. */
export function changeSteps(delta: TableDelta, parts: PartSteps, { grammar }: PlanContext): Planned[] {
  const { foreignKeys, checks, keys, primaryKey, indexes } = delta;
  const drop = <T extends Part>(
    list: readonly T[],
    write: ((one: T, going: Going) => Planned) | undefined,
  ) => (write === undefined ? [] : list.map((one) => write(one, goingOf(one, delta))));
  return [
    ...drop(foreignKeys.drop, parts.dropForeignKey),
    ...drop(checks.drop, parts.dropCheck),
    ...drop(keys.drop, parts.dropUnique),
    ...drop(primaryKey.drop, parts.dropPrimaryKey),
    ...drop(indexes.drop, parts.dropIndex),
    ...(parts.dropUnlisted?.() ?? []),
    ...renamesInOrder(delta.renames, comparedName(grammar)).map(([from, to]) => parts.renameColumn(from, to)),
    ...delta.added.flatMap((column) => parts.addColumn?.(column) ?? []),
    ...parts.changeColumns(),
    ...delta.dropped.map((column) => parts.dropColumn(column, whyDropped(delta, column, grammar))),
    ...(parts.changeKeys?.() ?? []),
    ...indexes.add.flatMap(parts.addIndex),
    ...checks.add.flatMap((check) => parts.addCheck?.(check) ?? []),
    ...foreignKeys.add.flatMap((key) => parts.addForeignKey?.(key) ?? []),
    ...unchecked(checks.kept).flatMap((name) => parts.validate?.("check", name) ?? []),
    ...unchecked(foreignKeys.kept).flatMap((name) => parts.validate?.("foreign key", name) ?? []),
    ...(parts.comment?.() ?? []),
  ];
}

function unchecked(
  kept: readonly (readonly [actual: CatalogCheck | CatalogForeignKey, declared: unknown])[],
): string[] {
  return kept.filter(([{ validated }]) => !validated).map(([{ name }]) => name ?? "");
}
