/** Checks the metadata of a column: its keys, the types of their values, and which of them exclude each other. */
import { quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { isAction, isByDialect, isFlag, isNames, isText, type Readers, readEntries } from "./checked.js";
import type { Auto, CheckedMeta, Storage } from "./declaration.js";

const autos: ReadonlySet<unknown> = new Set<Auto>(["updated", "version", "deleted"]);

const readers: Readers = new Map([
  ["name", isText],
  ["type", isByDialect],
  ["primaryKey", isFlag],
  ["generated", (value: unknown) => isFlag(value) || value === "byDefault"],
  ["unique", isFlag],
  ["default", isByDialect],
  ["computed", (value: unknown) => isByDialect(value) && value !== ""],
  ["stored", isFlag],
  ["readOnly", isFlag],
  ["auto", (value: unknown) => autos.has(value)],
  ["check", isByDialect],
  ["checkValues", isFlag],
  ["index", (value: unknown) => isFlag(value) || isText(value)],
  ["references", (value: unknown) => isText(value) || typeof value === "function"],
  ["onDelete", isAction],
  ["onUpdate", isAction],
  ["comment", isText],
  ["renamedFrom", isNames],
  ["constraints", isText],
]);

/**
 * The metadata of a schema, with what is given now over what it has already.
 * @throws {DeclarationError} for an unknown key, a value of the wrong type, and keys that exclude each other.
 */
export function mergedMeta<M extends CheckedMeta>(known: M, given: unknown): M {
  const meta: M = { ...known, ...readEntries(given, readers, "column metadata") };
  const refuse = (what: string) => {
    throw new DeclarationError(`column metadata ${what}`);
  };
  if (meta.computed !== undefined) {
    if (meta.default !== undefined) refuse(`"computed" excludes "default"`);
    if (meta.generated !== undefined && meta.generated !== false) refuse(`"computed" excludes "generated"`);
  }
  if (meta.stored !== undefined && meta.computed === undefined) refuse(`"stored" needs "computed"`);
  for (const key of ["onDelete", "onUpdate"] as const)
    if (meta[key] !== undefined && meta.references === undefined) refuse(`${quoted(key)} needs "references"`);
  return meta;
}

/** @throws {DeclarationError} for metadata that does not fit the values of the column. */
export function checkFitting(meta: CheckedMeta, storage: Storage, where: string): void {
  if (meta.checkValues === true && storage.values === undefined)
    throw new DeclarationError(`column ${where} has checkValues and is not an enum`);
}
