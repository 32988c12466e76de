/** Whether a value of a `zod/v3` schema may be omitted. */
import { fitsZod3, lazyZod3, type Zod3Schema, zod3Def } from "./schema.js";

/** Like `takesUndefined` of Zod 4: the schema's own parse decides, unless it accepts everything. */
export function takesUndefinedZod3(schema: Zod3Schema, ofEverything: boolean): boolean {
  return fitsZod3(schema, undefined) !== false && (ofEverything || !takesAll(schema));
}

/** Whether a schema accepts everything without an explicit optional wrapper. */
function takesAll(schema: Zod3Schema): boolean {
  const def = zod3Def(schema);
  switch (def.typeName) {
    case "ZodAny":
    case "ZodUnknown":
      return true;
    case "ZodString":
    case "ZodBoolean":
      return def.coerce === true;
    case "ZodUnion":
      return def.options?.some(takesAll) === true;
    case "ZodNullable":
    case "ZodReadonly":
      return def.innerType !== undefined && takesAll(def.innerType);
    case "ZodBranded":
      return def.type !== undefined && takesAll(def.type);
    case "ZodPipeline":
      return def.in !== undefined && takesAll(def.in);
    case "ZodEffects":
      return def.schema !== undefined && takesAll(def.schema);
    case "ZodLazy": {
      const inner = lazyZod3(def);
      return inner !== undefined && takesAll(inner);
    }
    default:
      return false;
  }
}
