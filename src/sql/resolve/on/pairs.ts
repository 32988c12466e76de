/** Pairs of fields, as a caller gives them: one and one, or lists of equal length. */
import { isList, quoted } from "../../../core/errors.js";
import type { Kind } from "../../words/kinds.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field } from "../scope/resolved.js";

/** A field of the statement, and the field of the rows that is equal to it. */
export interface RowPair {
  readonly mine: Field;
  readonly theirs: string;
}

/** The rows that are found: their fields, and the message for a name that is none of them. */
interface OfRows {
  readonly kindOf: (field: string) => Kind | undefined;
  readonly unknown: (field: unknown) => string;
}

/** The pairs of `mine` and `theirs`; undefined, with problems, if they do not fit. */
export function pairsOf(
  mine: unknown,
  theirs: unknown,
  rows: OfRows,
  path: string,
  resolution: Resolution,
): readonly RowPair[] | undefined {
  const areLists = isList(mine) || isList(theirs);
  const [ours, others] = [isList(mine) ? mine : [mine], isList(theirs) ? theirs : [theirs]];
  if (areLists && !(isList(mine) && isList(theirs) && ours.length === others.length && ours.length > 0)) {
    const counts = [mine, theirs].map((one) => (isList(one) ? `a list of ${one.length}` : "no list"));
    const message = `both sides need lists of fields of the same length, not ${counts.join(" and ")}`;
    resolution.add("INVALID_RELATION", message, path);
    return undefined;
  }
  const at = (side: string, i: number) => (areLists ? `${path}.${side}[${i}]` : `${path}.${side}`);
  const pairs = ours.flatMap((name, i): readonly RowPair[] => {
    const other = others[i];
    const field = resolution.field(name, at("mine", i));
    const kind = typeof other === "string" ? rows.kindOf(other) : undefined;
    if (kind === undefined) resolution.add("INVALID_FIELD", rows.unknown(other), at("theirs", i));
    if (field === undefined || kind === undefined || typeof other !== "string") return [];
    // A single pair is compared as everywhere.
    if (!areLists || field.column.kind === kind) return [{ mine: field, theirs: other }];
    const message = `${quoted(name)} (${field.column.kind}) and ${quoted(other)} (${kind}) cannot be compared`;
    resolution.add("INVALID_RELATION", message, path);
    return [];
  });
  return pairs.length === ours.length ? pairs : undefined;
}
