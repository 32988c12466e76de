/** `rowtype/http/sql`: what errors of a database are to the clients of an engine. */
export { mapSqlErrors } from "./map-sql-errors.js";
