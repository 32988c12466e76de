/** Replaces the constants and the holes in parts of statements. */
import { BuilderOnly } from "./builder-only.js";
import type { GivenMap } from "./given-node.js";

/**
 * A part of a spec with its constants and holes replaced. Statements inside are entered at their specs; what is neither
 * plain data nor a part of a builder is left as it is.
 */
export function mapGiven<T>(part: T, map: GivenMap): T {
  // A copy of plain data has its type.
  return mapped(part, map) as T;
}

function mapped(part: unknown, map: GivenMap): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) {
    const list = part.map((one) => mapped(one, map));
    return list.some((one, i) => one !== part[i]) ? Object.freeze(list) : part;
  }
  if (BuilderOnly.isOne(part)) return part.mapped(map);
  const prototype: unknown = Object.getPrototypeOf(part);
  if (prototype !== Object.prototype && prototype !== null) return part;
  const isStatement = "table" in part && "spec" in part;
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(part)) {
    const own = OPERANDS.has(key) || (isStatement && key !== "spec") ? value : mapped(value, map);
    if (own === value) continue;
    copy ??= Object.assign(Object.create(prototype), part);
    if (copy !== undefined) copy[key] = own;
  }
  return copy === undefined ? part : Object.freeze(copy);
}

// Constants in expressions belong to the text of these.
const OPERANDS: ReadonlySet<string> = new Set(["field", "right_field"]);
