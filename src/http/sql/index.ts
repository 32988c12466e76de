/** `rowtype/http/sql`: converts errors of a database for the clients of an engine. */
export { mapSqlErrors } from "./map-sql-errors.js";
