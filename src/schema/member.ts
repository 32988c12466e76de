/** The schemas of the values inside a JSON value, one step of a path at a time. SQL's JSON paths use it. */
import type { $ZodType } from "zod/v4/core";
import { isCodec } from "./graph.js";
import { peel } from "./inspect.js";

/** The targets of a step. */
interface Members {
  /** The possible schemas of the member: several in a union, none if there is no such member. */
  readonly found: readonly Member[];
  /** Whether the member may be absent. */
  readonly absent: boolean;
  /** The names that a step may have instead. */
  readonly names: readonly string[];
  /** Why no step leads into the value, if its stored form is not that of its schema. */
  readonly closed?: string | undefined;
}

/** The schema of a member; `any` if the outer schema does not describe it. */
export type Member = $ZodType | "any";

const none: Members = { found: [], absent: true, names: [] };

/** The targets of a step into a value of a schema. */
function memberOf(schema: Member, key: string | number): Members {
  if (schema === "any") return { ...none, found: ["any"] };
  const { inner, nullable, optional } = peel(schema);
  const members = within(inner, key);
  return nullable || optional ? { ...members, absent: true } : members;
}

/** The targets in several schemas, one of which the value has. */
export function membersOf(schemas: readonly Member[], key: string | number): Members {
  const all = schemas.map((schema) => memberOf(schema, key));
  return {
    found: [...new Set(all.flatMap(({ found }) => found))],
    absent: all.some(({ found, absent }) => found.length === 0 || absent),
    names: [...new Set(all.flatMap(({ names }) => names))],
    closed: all.find(({ closed }) => closed !== undefined)?.closed,
  };
}

function within(inner: ReturnType<typeof peel>["inner"], key: string | number): Members {
  const def = inner._zod.def;
  switch (def.type) {
    case "any":
    case "unknown":
      return memberOf("any", key);
    case "object": {
      const names = Object.keys(def.shape);
      const own = typeof key === "string" && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      if (own !== undefined) return { found: [own], absent: false, names };
      const rest = def.catchall;
      if (typeof key !== "string" || rest === undefined || rest._zod.def.type === "never")
        return { ...none, names };
      return { found: [rest], absent: true, names };
    }
    case "record": {
      if (typeof key !== "string") return none;
      const values = def.keyType._zod.values;
      if (values === undefined) return { ...none, found: [def.valueType] };
      const names = [...values].map(String);
      return names.includes(key) ? { found: [def.valueType], absent: false, names } : { ...none, names };
    }
    case "array":
      return typeof key === "number" ? { ...none, found: [def.element] } : none;
    case "tuple": {
      const item = typeof key === "number" ? def.items[key] : undefined;
      if (item !== undefined) return { found: [item], absent: false, names: [] };
      return typeof key === "number" && def.rest !== null ? { ...none, found: [def.rest] } : none;
    }
    case "union":
      return membersOf(def.options, key);
    case "intersection": {
      const [left, right] = [memberOf(def.left, key), memberOf(def.right, key)];
      const closed = left.closed ?? right.closed;
      const names = [...left.names, ...right.names];
      if (left.found.length > 0 && right.found.length > 0) {
        const closing = "both sides of an intersection describe it";
        return {
          found: [...left.found, ...right.found],
          absent: left.absent && right.absent,
          names,
          closed: closed ?? closing,
        };
      }
      return { ...(left.found.length > 0 ? left : right), names, closed };
    }
    case "pipe":
      return isCodec(inner)
        ? { ...none, closed: "a codec stores it in another form" }
        : memberOf(def.out, key);
    case "map":
    case "set":
    case "custom":
    case "transform":
      return { ...none, closed: `a ${def.type} is stored in another form` };
    default:
      return none;
  }
}
