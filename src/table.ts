/**
 * The entry point of `rowtype/table`: only the declaration, for code that a browser shares with a server. A form
 * validates with the `insertSchema` that a handler uses. It imports no Node module and no SQL.
 */
export { column, decimal, json, vector } from "./sql/declare/column.js";
export type {
  AnyDeclared,
  AnyReadable,
  AnyTable,
  AnyView,
  ByDialect,
  CheckInfo,
  ColumnInfo,
  ColumnMeta,
  Constraints,
  Deferrable,
  EnumType,
  ForeignKeyInfo,
  IndexedColumn,
  IndexInfo,
  Insert,
  InsertShape,
  ReferentialAction,
  Row,
  Storage,
  Table,
  Update,
  UpdateShape,
  View,
  ViewInfo,
} from "./sql/declare/declaration.js";
export { enumType } from "./sql/declare/enum-type.js";
export type {
  ColumnIndexOptions,
  ExpressionIndexOptions,
  ForeignKeyOptions,
  IndexOptions,
  TableOptions,
} from "./sql/declare/options.js";
export { type ManyOptions, many, type OneOptions, one, type ThroughOptions } from "./sql/declare/relation.js";
export { table } from "./sql/declare/table.js";
export { type ViewOptions, view } from "./sql/declare/view.js";
export type { Column, InKeys, Shape, Trait } from "./sql/types/model.js";
export type { Dialect } from "./sql/words/dialect.js";
export { DeclarationError } from "./sql/words/errors.js";
export type { Kind } from "./sql/words/kinds.js";
export type { Many, NoRelations, One, Relation, Relations, Through, Ways } from "./sql/words/relations.js";
