/** Random expressions as those of the package, with the values of their parameters. */
import * as rowtype from "rowtype";
import { decimal } from "rowtype";
import { z } from "zod";
import { textOfDecimal } from "./expression-evaluator.js";
import type { Condition, Tree, Type, Value } from "./expression-trees.js";

type Params = Record<string, unknown>;
type Func = (...operands: unknown[]) => unknown;

/** An expression whose types the compiler does not know. */
export interface Built {
  as(alias: string): never;
}

const functions = rowtype as unknown as Readonly<Record<string, Func>>;

function make(func: string, ...operands: readonly unknown[]): Built {
  const known = functions[func];
  if (known === undefined) throw new Error(`no such function: ${func}`);
  return known(...operands) as Built;
}

/** A value in the form in which the package takes and gives it. */
export function given(value: Value, { kind }: Type): unknown {
  if (typeof value === "object" && value !== null && "units" in value) return textOfDecimal(value);
  if (typeof value === "object" && value !== null && "json" in value) return value.json;
  return kind === "int" && value !== null ? Number(value) : value;
}

function schemaOf({ kind, scale }: Type): z.ZodType {
  switch (kind) {
    case "int":
      return z.int();
    case "big":
      return z.bigint();
    case "dec":
      return decimal(18, scale);
    case "num":
      return z.number();
    case "text":
      return z.string();
    case "bool":
      return z.boolean();
    case "date":
      return z.date();
    case "json":
      return z.unknown();
  }
}

/** An expression of the package; its parameters are added to `params`. */
export function built(tree: Tree, params: Params): Built {
  const operand = (of: Tree): unknown => (of.op === "field" ? of.name : built(of, params));
  // As an argument a name would be that of a parameter.
  const argument = (of: Tree): unknown =>
    of.op === "field" ? rowtype.field(of.name as never) : built(of, params);
  switch (tree.op) {
    case "field":
      return rowtype.field(tree.name as never) as unknown as Built;
    case "constant":
      return make("value", given(tree.value, tree.type));
    case "param": {
      params[tree.name] = given(tree.value, tree.type);
      return tree.typed ? make("param", tree.name, schemaOf(tree.type)) : make("param", tree.name);
    }
    case "path":
      return make("path", tree.name, ...tree.keys);
    case "call": {
      const [first, ...others] = tree.args;
      if (first === undefined) throw new Error(`${tree.func} of nothing`);
      if (tree.digits !== undefined) return make(tree.func, operand(first), tree.digits);
      const isFields = tree.func === "concat" || /^(add|sub|mul|div|mod|greatest|least)$/.test(tree.func);
      return make(tree.func, operand(first), ...others.map(isFields ? operand : argument));
    }
    case "cast":
      return make("cast", operand(tree.args[0]), tree.to);
    case "date": {
      const [first, second] = tree.args.map(operand);
      if (tree.func === "dateAdd") return make("dateAdd", first, second, tree.unit);
      return make(tree.func, tree.unit, ...(second === undefined ? [first] : [first, second]));
    }
    case "when":
      return make("when", builtCondition(tree.condition, params));
    case "case": {
      interface Case extends Built {
        when(condition: unknown, label: unknown): Case;
        else(label: unknown): Built;
      }
      let expression = make("caseWhen", schemaOf(tree.type)) as Case;
      for (const { condition, label } of tree.whens)
        expression = expression.when(builtCondition(condition, params), argument(label));
      return tree.otherwise === undefined ? expression : expression.else(argument(tree.otherwise));
    }
  }
}

/** A condition of the package; its parameters are added to `params`. */
export function builtCondition(condition: Condition, params: Params): unknown {
  if (condition.op === "group")
    return make(condition.logic, ...condition.members.map((member) => builtCondition(member, params)));
  if (condition.op === "not") return make("not", builtCondition(condition.member, params));
  const { left } = condition;
  const operand = left.op === "field" ? left.name : built(left, params);
  if (condition.op === "null") return make(condition.is ? "isNull" : "notNull", operand);
  const { operator, param, values } = condition;
  const all = values.map((value) => given(value, left.type));
  if (operator.endsWith("BETWEEN")) {
    [params[param], params[`${param}_high`]] = all;
    return make(operator === "BETWEEN" ? "between" : "notBetween", operand, param, `${param}_high`);
  }
  params[param] = operator.endsWith("IN") ? all : all[0];
  return make("c", operand, operator, param);
}
