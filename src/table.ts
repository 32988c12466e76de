/**
 * The door of `rowtype/table`: the declaration alone, for what a browser shares with a server. A form validates by
 * `insertSchema` what a handler validates again. It reaches no module of Node and no SQL.
 */
export { column, json, vector } from "./sql/declare/column.js";
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
export { type TableOptions, table } from "./sql/declare/table.js";
export type { Column, Shape, Trait } from "./sql/types/model.js";
export type { Dialect } from "./sql/words/dialect.js";
export { DeclarationError } from "./sql/words/errors.js";
export type { Kind } from "./sql/words/operators.js";
