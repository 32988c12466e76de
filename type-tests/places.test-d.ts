// Each place of a builder that takes an expression: its parameters come out, and its fields, its kind and its role are asked.
import { add, c, column, count, isNull, notNull, type ParamsOf, param, sum, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

type ParamsIn<B> = ParamsOf<B>["inside" & keyof ParamsOf<B>];

const rows = sqlite().repository(
  table(
    "rows",
    z.object({
      id: column(z.int(), { primaryKey: true }),
      text: z.string(),
      number: z.number(),
      none: z.number().nullable(),
    }),
  ),
);
const good = add("number", param("inside"));
const misspelt = add("nosuch", param("inside"));
const unfit = add("text", param("inside"));
const gathered = sum("number");

// One row
const selectOf = rows.select();
const selectWhere = selectOf.where(good, "=", "p");
expectType<number>({} as ParamsIn<typeof selectWhere>);
// @ts-expect-error no such field
selectOf.where(misspelt, "=", "p");
// @ts-expect-error not a number
selectOf.where(unfit, "=", "p");
// @ts-expect-error an aggregate
selectOf.where(gathered, "=", "p");
const selectWhereNull = selectOf.whereNull(good);
expectType<number>({} as ParamsIn<typeof selectWhereNull>);
// @ts-expect-error no such field
selectOf.whereNull(misspelt);
// @ts-expect-error not a number
selectOf.whereNull(unfit);
// @ts-expect-error an aggregate
selectOf.whereNull(gathered);
const selectWhereNotNull = selectOf.whereNotNull(good);
expectType<number>({} as ParamsIn<typeof selectWhereNotNull>);
// @ts-expect-error no such field
selectOf.whereNotNull(misspelt);
// @ts-expect-error not a number
selectOf.whereNotNull(unfit);
// @ts-expect-error an aggregate
selectOf.whereNotNull(gathered);
const selectWhereFields = selectOf.whereFields(good, "=", "number");
expectType<number>({} as ParamsIn<typeof selectWhereFields>);
// @ts-expect-error no such field
selectOf.whereFields(misspelt, "=", "number");
// @ts-expect-error not a number
selectOf.whereFields(unfit, "=", "number");
// @ts-expect-error an aggregate
selectOf.whereFields(gathered, "=", "number");
const selectWhereFieldsRight = selectOf.whereFields("number", "=", good);
expectType<number>({} as ParamsIn<typeof selectWhereFieldsRight>);
// @ts-expect-error no such field
selectOf.whereFields("number", "=", misspelt);
// @ts-expect-error not a number
selectOf.whereFields("number", "=", unfit);
// @ts-expect-error an aggregate
selectOf.whereFields("number", "=", gathered);
const selectWhereBetween = selectOf.whereBetween(good, "low", "high");
expectType<number>({} as ParamsIn<typeof selectWhereBetween>);
// @ts-expect-error no such field
selectOf.whereBetween(misspelt, "low", "high");
// @ts-expect-error not a number
selectOf.whereBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
selectOf.whereBetween(gathered, "low", "high");
const selectWhereNotBetween = selectOf.whereNotBetween(good, "low", "high");
expectType<number>({} as ParamsIn<typeof selectWhereNotBetween>);
// @ts-expect-error no such field
selectOf.whereNotBetween(misspelt, "low", "high");
// @ts-expect-error not a number
selectOf.whereNotBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
selectOf.whereNotBetween(gathered, "low", "high");
const selectWhereAnd = selectOf.whereAnd(isNull("text"), c(good, "=", "p"));
expectType<number>({} as ParamsIn<typeof selectWhereAnd>);
// @ts-expect-error no such field
selectOf.whereAnd(isNull("text"), c(misspelt, "=", "p"));
// @ts-expect-error not a number
selectOf.whereAnd(isNull("text"), c(unfit, "=", "p"));
const selectWhereOr = selectOf.whereOr(isNull("text"), isNull(good));
expectType<number>({} as ParamsIn<typeof selectWhereOr>);
// @ts-expect-error no such field
selectOf.whereOr(isNull("text"), isNull(misspelt));
// @ts-expect-error not a number
selectOf.whereOr(isNull("text"), isNull(unfit));
const selectWhereOptional = selectOf.whereOptional(notNull(good));
expectType<{ inside?: number | undefined }>({} as ParamsOf<typeof selectWhereOptional>);
// @ts-expect-error no such field
selectOf.whereOptional(notNull(misspelt));
// @ts-expect-error not a number
selectOf.whereOptional(notNull(unfit));
const selectFields = selectOf.fields(good.as("x"));
expectType<number>({} as ParamsIn<typeof selectFields>);
// @ts-expect-error no such field
selectOf.fields(misspelt.as("x"));
// @ts-expect-error not a number
selectOf.fields(unfit.as("x"));
const selectOrderBy = selectOf.orderBy(good, "asc");
expectType<number>({} as ParamsIn<typeof selectOrderBy>);
// @ts-expect-error no such field
selectOf.orderBy(misspelt, "asc");
// @ts-expect-error not a number
selectOf.orderBy(unfit, "asc");
const selectOrderByNulls = selectOf.orderByNulls(good, "asc", "last");
expectType<number>({} as ParamsIn<typeof selectOrderByNulls>);
// @ts-expect-error no such field
selectOf.orderByNulls(misspelt, "asc", "last");
// @ts-expect-error not a number
selectOf.orderByNulls(unfit, "asc", "last");
const selectGroupBy = selectOf.fields(count().as("n")).groupBy(good);
expectType<number>({} as ParamsIn<typeof selectGroupBy>);
// @ts-expect-error no such field
selectOf.fields(count().as("n")).groupBy(misspelt);
// @ts-expect-error not a number
selectOf.fields(count().as("n")).groupBy(unfit);
// @ts-expect-error an aggregate
selectOf.fields(count().as("n")).groupBy(gathered);
const selectHaving = selectOf.fields(count().as("n")).having(good, ">", "p");
expectType<number>({} as ParamsIn<typeof selectHaving>);
// @ts-expect-error no such field
selectOf.fields(count().as("n")).having(misspelt, ">", "p");
// @ts-expect-error not a number
selectOf.fields(count().as("n")).having(unfit, ">", "p");

// Rows
const queryOf = rows.query();
const queryWhere = queryOf.where(good, "=", "p");
expectType<number>({} as ParamsIn<typeof queryWhere>);
// @ts-expect-error no such field
queryOf.where(misspelt, "=", "p");
// @ts-expect-error not a number
queryOf.where(unfit, "=", "p");
// @ts-expect-error an aggregate
queryOf.where(gathered, "=", "p");
const queryWhereNull = queryOf.whereNull(good);
expectType<number>({} as ParamsIn<typeof queryWhereNull>);
// @ts-expect-error no such field
queryOf.whereNull(misspelt);
// @ts-expect-error not a number
queryOf.whereNull(unfit);
// @ts-expect-error an aggregate
queryOf.whereNull(gathered);
const queryWhereNotNull = queryOf.whereNotNull(good);
expectType<number>({} as ParamsIn<typeof queryWhereNotNull>);
// @ts-expect-error no such field
queryOf.whereNotNull(misspelt);
// @ts-expect-error not a number
queryOf.whereNotNull(unfit);
// @ts-expect-error an aggregate
queryOf.whereNotNull(gathered);
const queryWhereFields = queryOf.whereFields(good, "=", "number");
expectType<number>({} as ParamsIn<typeof queryWhereFields>);
// @ts-expect-error no such field
queryOf.whereFields(misspelt, "=", "number");
// @ts-expect-error not a number
queryOf.whereFields(unfit, "=", "number");
// @ts-expect-error an aggregate
queryOf.whereFields(gathered, "=", "number");
const queryWhereFieldsRight = queryOf.whereFields("number", "=", good);
expectType<number>({} as ParamsIn<typeof queryWhereFieldsRight>);
// @ts-expect-error no such field
queryOf.whereFields("number", "=", misspelt);
// @ts-expect-error not a number
queryOf.whereFields("number", "=", unfit);
// @ts-expect-error an aggregate
queryOf.whereFields("number", "=", gathered);
const queryWhereBetween = queryOf.whereBetween(good, "low", "high");
expectType<number>({} as ParamsIn<typeof queryWhereBetween>);
// @ts-expect-error no such field
queryOf.whereBetween(misspelt, "low", "high");
// @ts-expect-error not a number
queryOf.whereBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
queryOf.whereBetween(gathered, "low", "high");
const queryWhereNotBetween = queryOf.whereNotBetween(good, "low", "high");
expectType<number>({} as ParamsIn<typeof queryWhereNotBetween>);
// @ts-expect-error no such field
queryOf.whereNotBetween(misspelt, "low", "high");
// @ts-expect-error not a number
queryOf.whereNotBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
queryOf.whereNotBetween(gathered, "low", "high");
const queryWhereAnd = queryOf.whereAnd(isNull("text"), c(good, "=", "p"));
expectType<number>({} as ParamsIn<typeof queryWhereAnd>);
// @ts-expect-error no such field
queryOf.whereAnd(isNull("text"), c(misspelt, "=", "p"));
// @ts-expect-error not a number
queryOf.whereAnd(isNull("text"), c(unfit, "=", "p"));
const queryWhereOr = queryOf.whereOr(isNull("text"), isNull(good));
expectType<number>({} as ParamsIn<typeof queryWhereOr>);
// @ts-expect-error no such field
queryOf.whereOr(isNull("text"), isNull(misspelt));
// @ts-expect-error not a number
queryOf.whereOr(isNull("text"), isNull(unfit));
const queryWhereOptional = queryOf.whereOptional(notNull(good));
expectType<{ inside?: number | undefined }>({} as ParamsOf<typeof queryWhereOptional>);
// @ts-expect-error no such field
queryOf.whereOptional(notNull(misspelt));
// @ts-expect-error not a number
queryOf.whereOptional(notNull(unfit));
const queryFields = queryOf.fields(good.as("x"));
expectType<number>({} as ParamsIn<typeof queryFields>);
// @ts-expect-error no such field
queryOf.fields(misspelt.as("x"));
// @ts-expect-error not a number
queryOf.fields(unfit.as("x"));
const queryOrderBy = queryOf.orderBy(good, "asc");
expectType<number>({} as ParamsIn<typeof queryOrderBy>);
// @ts-expect-error no such field
queryOf.orderBy(misspelt, "asc");
// @ts-expect-error not a number
queryOf.orderBy(unfit, "asc");
const queryOrderByNulls = queryOf.orderByNulls(good, "asc", "last");
expectType<number>({} as ParamsIn<typeof queryOrderByNulls>);
// @ts-expect-error no such field
queryOf.orderByNulls(misspelt, "asc", "last");
// @ts-expect-error not a number
queryOf.orderByNulls(unfit, "asc", "last");
const queryGroupBy = queryOf.fields(count().as("n")).groupBy(good);
expectType<number>({} as ParamsIn<typeof queryGroupBy>);
// @ts-expect-error no such field
queryOf.fields(count().as("n")).groupBy(misspelt);
// @ts-expect-error not a number
queryOf.fields(count().as("n")).groupBy(unfit);
// @ts-expect-error an aggregate
queryOf.fields(count().as("n")).groupBy(gathered);
const queryHaving = queryOf.fields(count().as("n")).having(good, ">", "p");
expectType<number>({} as ParamsIn<typeof queryHaving>);
// @ts-expect-error no such field
queryOf.fields(count().as("n")).having(misspelt, ">", "p");
// @ts-expect-error not a number
queryOf.fields(count().as("n")).having(unfit, ">", "p");

// Their number
const numberOf = rows.count();
const numberWhere = numberOf.where(good, "=", "p");
expectType<number>({} as ParamsIn<typeof numberWhere>);
// @ts-expect-error no such field
numberOf.where(misspelt, "=", "p");
// @ts-expect-error not a number
numberOf.where(unfit, "=", "p");
// @ts-expect-error an aggregate
numberOf.where(gathered, "=", "p");
const numberWhereNull = numberOf.whereNull(good);
expectType<number>({} as ParamsIn<typeof numberWhereNull>);
// @ts-expect-error no such field
numberOf.whereNull(misspelt);
// @ts-expect-error not a number
numberOf.whereNull(unfit);
// @ts-expect-error an aggregate
numberOf.whereNull(gathered);
const numberWhereNotNull = numberOf.whereNotNull(good);
expectType<number>({} as ParamsIn<typeof numberWhereNotNull>);
// @ts-expect-error no such field
numberOf.whereNotNull(misspelt);
// @ts-expect-error not a number
numberOf.whereNotNull(unfit);
// @ts-expect-error an aggregate
numberOf.whereNotNull(gathered);
const numberWhereFields = numberOf.whereFields(good, "=", "number");
expectType<number>({} as ParamsIn<typeof numberWhereFields>);
// @ts-expect-error no such field
numberOf.whereFields(misspelt, "=", "number");
// @ts-expect-error not a number
numberOf.whereFields(unfit, "=", "number");
// @ts-expect-error an aggregate
numberOf.whereFields(gathered, "=", "number");
const numberWhereFieldsRight = numberOf.whereFields("number", "=", good);
expectType<number>({} as ParamsIn<typeof numberWhereFieldsRight>);
// @ts-expect-error no such field
numberOf.whereFields("number", "=", misspelt);
// @ts-expect-error not a number
numberOf.whereFields("number", "=", unfit);
// @ts-expect-error an aggregate
numberOf.whereFields("number", "=", gathered);
const numberWhereBetween = numberOf.whereBetween(good, "low", "high");
expectType<number>({} as ParamsIn<typeof numberWhereBetween>);
// @ts-expect-error no such field
numberOf.whereBetween(misspelt, "low", "high");
// @ts-expect-error not a number
numberOf.whereBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
numberOf.whereBetween(gathered, "low", "high");
const numberWhereNotBetween = numberOf.whereNotBetween(good, "low", "high");
expectType<number>({} as ParamsIn<typeof numberWhereNotBetween>);
// @ts-expect-error no such field
numberOf.whereNotBetween(misspelt, "low", "high");
// @ts-expect-error not a number
numberOf.whereNotBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
numberOf.whereNotBetween(gathered, "low", "high");
const numberWhereAnd = numberOf.whereAnd(isNull("text"), c(good, "=", "p"));
expectType<number>({} as ParamsIn<typeof numberWhereAnd>);
// @ts-expect-error no such field
numberOf.whereAnd(isNull("text"), c(misspelt, "=", "p"));
// @ts-expect-error not a number
numberOf.whereAnd(isNull("text"), c(unfit, "=", "p"));
const numberWhereOr = numberOf.whereOr(isNull("text"), isNull(good));
expectType<number>({} as ParamsIn<typeof numberWhereOr>);
// @ts-expect-error no such field
numberOf.whereOr(isNull("text"), isNull(misspelt));
// @ts-expect-error not a number
numberOf.whereOr(isNull("text"), isNull(unfit));
const numberWhereOptional = numberOf.whereOptional(notNull(good));
expectType<{ inside?: number | undefined }>({} as ParamsOf<typeof numberWhereOptional>);
// @ts-expect-error no such field
numberOf.whereOptional(notNull(misspelt));
// @ts-expect-error not a number
numberOf.whereOptional(notNull(unfit));

// An update
const modifyOf = rows.modify();
const modifyWhere = modifyOf.where(good, "=", "p").set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhere>);
// @ts-expect-error no such field
modifyOf.where(misspelt, "=", "p");
// @ts-expect-error not a number
modifyOf.where(unfit, "=", "p");
// @ts-expect-error an aggregate
modifyOf.where(gathered, "=", "p");
const modifyWhereNull = modifyOf.whereNull(good).set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereNull>);
// @ts-expect-error no such field
modifyOf.whereNull(misspelt);
// @ts-expect-error not a number
modifyOf.whereNull(unfit);
// @ts-expect-error an aggregate
modifyOf.whereNull(gathered);
const modifyWhereNotNull = modifyOf.whereNotNull(good).set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereNotNull>);
// @ts-expect-error no such field
modifyOf.whereNotNull(misspelt);
// @ts-expect-error not a number
modifyOf.whereNotNull(unfit);
// @ts-expect-error an aggregate
modifyOf.whereNotNull(gathered);
const modifyWhereFields = modifyOf.whereFields(good, "=", "number").set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereFields>);
// @ts-expect-error no such field
modifyOf.whereFields(misspelt, "=", "number");
// @ts-expect-error not a number
modifyOf.whereFields(unfit, "=", "number");
// @ts-expect-error an aggregate
modifyOf.whereFields(gathered, "=", "number");
const modifyWhereFieldsRight = modifyOf
  .whereFields("number", "=", good)
  .set("text", "t")
  .where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereFieldsRight>);
// @ts-expect-error no such field
modifyOf.whereFields("number", "=", misspelt);
// @ts-expect-error not a number
modifyOf.whereFields("number", "=", unfit);
// @ts-expect-error an aggregate
modifyOf.whereFields("number", "=", gathered);
const modifyWhereBetween = modifyOf.whereBetween(good, "low", "high").set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereBetween>);
// @ts-expect-error no such field
modifyOf.whereBetween(misspelt, "low", "high");
// @ts-expect-error not a number
modifyOf.whereBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
modifyOf.whereBetween(gathered, "low", "high");
const modifyWhereNotBetween = modifyOf
  .whereNotBetween(good, "low", "high")
  .set("text", "t")
  .where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereNotBetween>);
// @ts-expect-error no such field
modifyOf.whereNotBetween(misspelt, "low", "high");
// @ts-expect-error not a number
modifyOf.whereNotBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
modifyOf.whereNotBetween(gathered, "low", "high");
const modifyWhereAnd = modifyOf
  .whereAnd(isNull("text"), c(good, "=", "p"))
  .set("text", "t")
  .where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereAnd>);
// @ts-expect-error no such field
modifyOf.whereAnd(isNull("text"), c(misspelt, "=", "p"));
// @ts-expect-error not a number
modifyOf.whereAnd(isNull("text"), c(unfit, "=", "p"));
const modifyWhereOr = modifyOf.whereOr(isNull("text"), isNull(good)).set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyWhereOr>);
// @ts-expect-error no such field
modifyOf.whereOr(isNull("text"), isNull(misspelt));
// @ts-expect-error not a number
modifyOf.whereOr(isNull("text"), isNull(unfit));
const modifySet = modifyOf.set("number", good).set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifySet>);
// @ts-expect-error no such field
modifyOf.set("number", misspelt);
// @ts-expect-error not a number
modifyOf.set("number", unfit);
// @ts-expect-error an aggregate
modifyOf.set("number", gathered);
const modifyReturning = modifyOf.returning(good.as("x")).set("text", "t").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof modifyReturning>);
// @ts-expect-error no such field
modifyOf.returning(misspelt.as("x"));
// @ts-expect-error not a number
modifyOf.returning(unfit.as("x"));
// @ts-expect-error an aggregate
modifyOf.returning(gathered.as("x"));

// A removal
const removeOf = rows.remove();
const removeWhere = removeOf.where(good, "=", "p").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhere>);
// @ts-expect-error no such field
removeOf.where(misspelt, "=", "p");
// @ts-expect-error not a number
removeOf.where(unfit, "=", "p");
// @ts-expect-error an aggregate
removeOf.where(gathered, "=", "p");
const removeWhereNull = removeOf.whereNull(good).where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereNull>);
// @ts-expect-error no such field
removeOf.whereNull(misspelt);
// @ts-expect-error not a number
removeOf.whereNull(unfit);
// @ts-expect-error an aggregate
removeOf.whereNull(gathered);
const removeWhereNotNull = removeOf.whereNotNull(good).where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereNotNull>);
// @ts-expect-error no such field
removeOf.whereNotNull(misspelt);
// @ts-expect-error not a number
removeOf.whereNotNull(unfit);
// @ts-expect-error an aggregate
removeOf.whereNotNull(gathered);
const removeWhereFields = removeOf.whereFields(good, "=", "number").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereFields>);
// @ts-expect-error no such field
removeOf.whereFields(misspelt, "=", "number");
// @ts-expect-error not a number
removeOf.whereFields(unfit, "=", "number");
// @ts-expect-error an aggregate
removeOf.whereFields(gathered, "=", "number");
const removeWhereFieldsRight = removeOf.whereFields("number", "=", good).where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereFieldsRight>);
// @ts-expect-error no such field
removeOf.whereFields("number", "=", misspelt);
// @ts-expect-error not a number
removeOf.whereFields("number", "=", unfit);
// @ts-expect-error an aggregate
removeOf.whereFields("number", "=", gathered);
const removeWhereBetween = removeOf.whereBetween(good, "low", "high").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereBetween>);
// @ts-expect-error no such field
removeOf.whereBetween(misspelt, "low", "high");
// @ts-expect-error not a number
removeOf.whereBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
removeOf.whereBetween(gathered, "low", "high");
const removeWhereNotBetween = removeOf.whereNotBetween(good, "low", "high").where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereNotBetween>);
// @ts-expect-error no such field
removeOf.whereNotBetween(misspelt, "low", "high");
// @ts-expect-error not a number
removeOf.whereNotBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
removeOf.whereNotBetween(gathered, "low", "high");
const removeWhereAnd = removeOf.whereAnd(isNull("text"), c(good, "=", "p")).where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereAnd>);
// @ts-expect-error no such field
removeOf.whereAnd(isNull("text"), c(misspelt, "=", "p"));
// @ts-expect-error not a number
removeOf.whereAnd(isNull("text"), c(unfit, "=", "p"));
const removeWhereOr = removeOf.whereOr(isNull("text"), isNull(good)).where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeWhereOr>);
// @ts-expect-error no such field
removeOf.whereOr(isNull("text"), isNull(misspelt));
// @ts-expect-error not a number
removeOf.whereOr(isNull("text"), isNull(unfit));
const removeReturning = removeOf.returning(good.as("x")).where("id", "=", "id");
expectType<number>({} as ParamsIn<typeof removeReturning>);
// @ts-expect-error no such field
removeOf.returning(misspelt.as("x"));
// @ts-expect-error not a number
removeOf.returning(unfit.as("x"));
// @ts-expect-error an aggregate
removeOf.returning(gathered.as("x"));

// An upsert
const upsertOf = rows.insert().onConflict("id").doUpdate();
const upsertWhere = upsertOf.where(good, "=", "p");
expectType<number>({} as Parameters<(typeof upsertWhere)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.where(misspelt, "=", "p");
// @ts-expect-error not a number
upsertOf.where(unfit, "=", "p");
// @ts-expect-error an aggregate
upsertOf.where(gathered, "=", "p");
const upsertWhereNull = upsertOf.whereNull(good);
expectType<number>({} as Parameters<(typeof upsertWhereNull)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereNull(misspelt);
// @ts-expect-error not a number
upsertOf.whereNull(unfit);
// @ts-expect-error an aggregate
upsertOf.whereNull(gathered);
const upsertWhereNotNull = upsertOf.whereNotNull(good);
expectType<number>({} as Parameters<(typeof upsertWhereNotNull)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereNotNull(misspelt);
// @ts-expect-error not a number
upsertOf.whereNotNull(unfit);
// @ts-expect-error an aggregate
upsertOf.whereNotNull(gathered);
const upsertWhereFields = upsertOf.whereFields(good, "=", "number");
expectType<number>({} as Parameters<(typeof upsertWhereFields)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereFields(misspelt, "=", "number");
// @ts-expect-error not a number
upsertOf.whereFields(unfit, "=", "number");
// @ts-expect-error an aggregate
upsertOf.whereFields(gathered, "=", "number");
const upsertWhereFieldsRight = upsertOf.whereFields("number", "=", good);
expectType<number>({} as Parameters<(typeof upsertWhereFieldsRight)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereFields("number", "=", misspelt);
// @ts-expect-error not a number
upsertOf.whereFields("number", "=", unfit);
// @ts-expect-error an aggregate
upsertOf.whereFields("number", "=", gathered);
const upsertWhereBetween = upsertOf.whereBetween(good, "low", "high");
expectType<number>({} as Parameters<(typeof upsertWhereBetween)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereBetween(misspelt, "low", "high");
// @ts-expect-error not a number
upsertOf.whereBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
upsertOf.whereBetween(gathered, "low", "high");
const upsertWhereNotBetween = upsertOf.whereNotBetween(good, "low", "high");
expectType<number>({} as Parameters<(typeof upsertWhereNotBetween)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereNotBetween(misspelt, "low", "high");
// @ts-expect-error not a number
upsertOf.whereNotBetween(unfit, "low", "high");
// @ts-expect-error an aggregate
upsertOf.whereNotBetween(gathered, "low", "high");
const upsertWhereAnd = upsertOf.whereAnd(isNull("text"), c(good, "=", "p"));
expectType<number>({} as Parameters<(typeof upsertWhereAnd)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereAnd(isNull("text"), c(misspelt, "=", "p"));
// @ts-expect-error not a number
upsertOf.whereAnd(isNull("text"), c(unfit, "=", "p"));
const upsertWhereOr = upsertOf.whereOr(isNull("text"), isNull(good));
expectType<number>({} as Parameters<(typeof upsertWhereOr)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.whereOr(isNull("text"), isNull(misspelt));
// @ts-expect-error not a number
upsertOf.whereOr(isNull("text"), isNull(unfit));
const upsertSet = upsertOf.set("number", good);
expectType<number>({} as Parameters<(typeof upsertSet)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.set("number", misspelt);
// @ts-expect-error not a number
upsertOf.set("number", unfit);
// @ts-expect-error an aggregate
upsertOf.set("number", gathered);
const upsertReturning = upsertOf.returning(good.as("x"));
expectType<number>({} as Parameters<(typeof upsertReturning)["exec"]>[1]["inside"]);
// @ts-expect-error no such field
upsertOf.returning(misspelt.as("x"));
// @ts-expect-error not a number
upsertOf.returning(unfit.as("x"));
// @ts-expect-error an aggregate
upsertOf.returning(gathered.as("x"));
