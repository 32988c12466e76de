/** The Zod schemas of what specs say of other tables: joins, and nested rows. */
import * as z from "zod";
import { PARAM_NAME } from "../resolve/resolution.js";
import { conditionSchema } from "./conditions.js";
import { mayJoin, oneOf } from "./names.js";
import type { Permissions } from "./permissions.js";
import { type Keys, pagingKeys, rowsKeys } from "./rows.js";

/** `joins`, if there are relations. */
export function joinsKey(permissions: Permissions): Keys {
  const { relations } = permissions;
  if (!mayJoin(permissions)) return {};
  const name = z.string().regex(PARAM_NAME);
  const isDeep = [...relations.values()].some((behind) => behind.relations.size > 0);
  const own = oneOf(relations.keys());
  const path = z
    .string()
    .regex(PATH)
    .describe("The name of a join before, a dot, and a relation of its table.");
  const join = z.strictObject({
    relation: isDeep ? z.union([own, path]) : own,
    as: name.optional().describe("What the table is called; default the last word of the relation."),
    kind: z.enum(["inner", "left"]).optional(),
  });
  return { joins: z.array(join).optional() };
}

const PATH = /^[A-Za-z_][A-Za-z0-9_]{0,62}\.[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** `with`, if there are relations: nested rows, each a query of its own. */
export function withKey({ relations }: Permissions): Keys {
  if (relations.size === 0) return {};
  const shape: Keys = Object.create(null);
  for (const [name, behind] of relations) shape[name] = nestedQuery(behind).optional();
  return { with: z.strictObject(shape).optional() };
}

function nestedQuery(permissions: Permissions): z.ZodType {
  return z.strictObject({
    ...rowsKeys(permissions),
    where: z.array(conditionSchema(permissions)).optional(),
    ...joinsKey(permissions),
    ...withKey(permissions),
    ...pagingKeys(permissions),
  });
}
