/** `rowtype/http/session/sql`: sessions in a database of rowtype. */
export { type SqlStore, type SqlStoreOptions, sqlStore } from "./sql-store.js";
