/** The two ways from a spec to a builder: `…FromSpec`, and the methods that a caller would have called. */
import {
  and,
  between,
  type ConditionSpec,
  c,
  type Database,
  fn,
  isNull,
  notBetween,
  notNull,
  type OrderBySpec,
  or,
  type PagingSpec,
  type QuerySpec,
  type Rendered,
  type SelectSpec,
} from "rowtype";
import { Person } from "./people.js";
import type { SpecCase } from "./spec-generators.js";

// biome-ignore lint/suspicious/noExplicitAny: random specs call methods with names that no compiler has seen.
export type Untyped = any;

/** A builder as far as these tests need it. */
export interface AnyBuilder {
  render(): Rendered;
  toSpec(): object;
  exec(...args: readonly unknown[]): Promise<unknown>;
}

/** The people of a database, for callers whom no compiler stops. */
export function peopleOf(db: Database): Untyped {
  return db.repository(Person);
}

/** The builder of a spec. */
export function fromSpec(
  people: Untyped,
  { kind, spec }: { readonly kind: string; readonly spec: unknown },
): AnyBuilder {
  return people[`${kind}FromSpec`](spec);
}

/** The builder that a caller would have made by methods. */
export function byMethods(people: Untyped, { kind, spec }: SpecCase): AnyBuilder {
  switch (kind) {
    case "query":
      return queryOf(people, spec);
    case "select":
      return rows(people.select(), spec);
    case "compound": {
      let all = queryOf(people, spec.base);
      for (const { operation, query } of spec.operands) {
        const method = operation.replace("_all", "All");
        all = all[method](queryOf(people, query));
      }
      return paged(ordered(all, spec.order_by), spec);
    }
    case "insert": {
      const { on_conflict: key, conflict_action: action, conflict_set: set = {} } = spec;
      if (key === undefined) return people.insert();
      const upsert = people.insert().onConflict(...key);
      return sets(action === "nothing" ? upsert.doNothing() : upsert.doUpdate(), set);
    }
    case "modify": {
      let change = sets(people.modify(), spec.set ?? {});
      for (const [field, one] of Object.entries(spec.set_expr ?? {}))
        change = change.setExpr(field, one?.operator, one?.param);
      return filtered(change, spec.where);
    }
    case "remove":
      return filtered(people.remove(), spec.where);
    case "count":
      return filtered(people.count(), spec.where);
    default:
      return filtered(people[kind](spec.field), spec.where);
  }
}

function queryOf(people: Untyped, spec: QuerySpec): Untyped {
  return paged(rows(people.query(), spec), spec);
}

function rows(start: Untyped, spec: SelectSpec): Untyped {
  let builder = start;
  if (spec.fields !== undefined)
    builder = builder.fields(
      ...spec.fields.map((one) => {
        if (typeof one === "string") return one;
        const func = one.func === "count_distinct" ? "countDistinct" : one.func;
        const { [func]: make }: Untyped = fn;
        const call = one.field === undefined ? make() : make(one.field);
        return call.as(one.alias);
      }),
    );
  builder = filtered(builder, spec.where);
  if (spec.group_by !== undefined) builder = builder.groupBy(...spec.group_by);
  for (const { field, operator, param } of spec.having ?? [])
    builder = builder.having(field, operator, param);
  for (const { func, field, operator, param } of spec.having_agg ?? [])
    builder = builder.havingAgg(func === "count_distinct" ? "countDistinct" : func, field, operator, param);
  if (spec.distinct === true) builder = builder.distinct();
  if (spec.distinct_on !== undefined) builder = builder.distinctOn(...spec.distinct_on);
  return locked(ordered(builder, spec.order_by), spec);
}

function locked(builder: Untyped, spec: SelectSpec): Untyped {
  if (spec.for_update === true) return builder.forUpdate();
  const lock = spec.for_locking;
  if (lock === undefined) return builder;
  const { mode, skip_locked: skipLocked, no_wait: noWait } = typeof lock === "string" ? { mode: lock } : lock;
  const methods = {
    update: "forUpdate",
    no_key_update: "forNoKeyUpdate",
    share: "forShare",
    key_share: "forKeyShare",
  };
  return builder[methods[mode]]({ skipLocked, noWait });
}

function ordered(start: Untyped, terms: readonly OrderBySpec[] = []): Untyped {
  let builder = start;
  for (const { field, direction, nulls, nulls_first: first, nulls_last: last } of terms) {
    const place = nulls ?? (first === true ? "first" : last === true ? "last" : undefined);
    builder =
      place === undefined ? builder.orderBy(field, direction) : builder.orderByNulls(field, direction, place);
  }
  return builder;
}

// A limit beside its parameter no method makes: the cap of a client's spec.
function paged(start: Untyped, spec: PagingSpec): Untyped {
  const { limit, limit_param: limitParam, offset, offset_param: offsetParam } = spec;
  let builder = start;
  if (limitParam !== undefined) builder = builder.limitParam(limitParam);
  else if (limit !== undefined) builder = builder.limit(limit);
  if (offsetParam !== undefined) return builder.offsetParam(offsetParam);
  return offset === undefined ? builder : builder.offset(offset);
}

function sets(start: Untyped, set: Readonly<Record<string, string | undefined>>): Untyped {
  return Object.entries(set).reduce((builder, [field, param]) => builder.set(field, param), start);
}

function filtered(start: Untyped, where: readonly ConditionSpec[] = []): Untyped {
  let builder = start;
  for (const one of where) {
    if ("group" in one)
      builder =
        one.logic === "AND"
          ? builder.whereAnd(...one.group.map(value))
          : builder.whereOr(...one.group.map(value));
    else if ("right_field" in one) builder = builder.whereFields(one.field, one.operator, one.right_field);
    else if ("param" in one)
      builder = builder[one.optional === true ? "whereOptional" : "where"](
        one.field,
        one.operator,
        one.param,
      );
    else if ("low_param" in one) {
      const method = one.operator === "BETWEEN" ? "whereBetween" : "whereNotBetween";
      builder = builder[method](one.field, one.low_param, one.high_param);
    } else builder = builder[one.operator === "IS NOT NULL" ? "whereNotNull" : "whereNull"](one.field);
  }
  return builder;
}

function value(spec: ConditionSpec): Untyped {
  if ("group" in spec) return (spec.logic === "AND" ? and : or)(...spec.group.map(value));
  if ("param" in spec) return c(spec.field, spec.operator, spec.param);
  if ("low_param" in spec)
    return (spec.operator === "BETWEEN" ? between : notBetween)(spec.field, spec.low_param, spec.high_param);
  if ("right_field" in spec) throw new Error("no value of a condition compares two fields");
  return spec.operator === "IS NOT NULL" ? notNull(spec.field) : isNull(spec.field);
}

/** Whether a caller could have written the spec by methods: specs can say a little more. */
export function hasMethods(spec: unknown): boolean {
  if (typeof spec !== "object" || spec === null) return true;
  if ("group" in spec && Array.isArray(spec.group) && spec.group.some((one) => "right_field" in Object(one)))
    return false;
  if ("limit" in spec && "limit_param" in spec) return false;
  if ("func" in spec && "alias" in spec && "field" in spec && spec.field === "*") return false;
  return Object.values(spec).every(hasMethods);
}
