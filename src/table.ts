/**
 * The entry point of `rowtype/table`: only the declaration, for code that a browser shares with a server. A form
 * validates with the `insertSchema` that a handler uses. It imports no Node module and no SQL.
 */
export { column, decimal, json, vector } from "./sql/declare/column.js";
export type {
  AnyTable,
  ByDialect,
  ColumnInfo,
  ColumnMeta,
  Insert,
  InsertShape,
  Row,
  Storage,
  Table,
  Update,
  UpdateShape,
} from "./sql/declare/declaration.js";
export { many, type OneOptions, one } from "./sql/declare/relation.js";
export { type TableOptions, table } from "./sql/declare/table.js";
export type { Column, Shape, Trait } from "./sql/types/model.js";
export type { Dialect } from "./sql/words/dialect.js";
export { DeclarationError } from "./sql/words/errors.js";
export type { Kind } from "./sql/words/kinds.js";
export type { Many, NoRelations, One, Relation, Relations } from "./sql/words/relations.js";
