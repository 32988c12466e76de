/** Migrations of Oracle: files are applied; its catalog is not read, so that nothing is compared. */
import { oracleRun } from "../run/oracle/dialect.js";
import type { MigrationDialect } from "./dialect.js";

export const oracle: MigrationDialect = {
  ...oracleRun,
  schema: {
    feature: "reading the catalog",
    hint: 'compare the statements of ddl(table, "oracle") by hand, or use the tools of the server',
  },
};
