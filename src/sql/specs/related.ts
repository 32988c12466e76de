/** The Zod schemas of the parts of a spec about other tables: joins and nested rows. */
import type { ZodType } from "zod";
import * as z from "zod";
import { PARAM_NAME } from "../resolve/scope/resolution.js";
import { conditionSchema } from "./conditions.js";
import { type Keys, keptFor, objectOf } from "./members.js";
import { aloneOf, leadsOn, mayJoin, oneOf, relationPath } from "./names.js";
import type { Permissions } from "./permissions.js";
import { pagingKeys, rowsKeys } from "./rows.js";

/** `joins`, if there are relations. */
function joinsKey(permissions: Permissions): Keys {
  return mayJoin(permissions) ? { joins: () => joinsSchema(permissions) } : {};
}

function joinsSchema(permissions: Permissions): ZodType {
  const name = z.string().regex(PARAM_NAME);
  const own = oneOf(permissions.relations.keys());
  const path = relationPath("The name of a join before");
  const join = z.strictObject({
    relation: leadsOn(permissions) ? z.union([own, path]) : own,
    as: name.optional().describe("What the table is called; default the last word of the relation."),
    kind: z.enum(["inner", "left"]).optional(),
  });
  return z.array(join).optional();
}

/** `with`, if there are relations: nested rows, each a query of its own. */
export function withKey({ relations }: Permissions): Keys {
  if (relations.size === 0) return {};
  const shape = [...relations].map(([name, target]) => [name, () => nestedQuery(target).optional()] as const);
  return { with: () => objectOf(Object.fromEntries(shape)).optional() };
}

const nestedQuery: (permissions: Permissions) => ZodType = keptFor((permissions) =>
  objectOf(nestedKeys(permissions)),
);

/** The keys of statements that select rows by conditions. */
export function chosenKeys(permissions: Permissions): Keys {
  return { where: () => z.array(conditionSchema(permissions)).optional(), ...joinsKey(permissions) };
}

/** The keys of nested rows. */
export const nestedKeys: (permissions: Permissions) => Keys = keptFor((permissions) => ({
  ...rowsKeys(permissions),
  ...chosenKeys(permissions),
  ...withKey(permissions),
  ...pagingKeys(permissions),
}));

/**
 * The keys of a query of a compound, which reads a single table. Its limit is not restricted: `maxLimit` applies to the
 * returned rows.
 */
export const operandKeys: (permissions: Permissions) => Keys = keptFor((permissions) => {
  const alone = aloneOf(permissions);
  const unbounded = pagingKeys({ maxLimit: undefined, defaultLimit: undefined });
  return { ...rowsKeys(alone), ...chosenKeys(alone), ...unbounded };
});
