/** Declared views as MariaDB prints them: a view is created briefly, because the server has no temporary views. */
import * as z from "zod";
import { withoutSchema } from "../../catalog/mariadb/catalog.js";
import { SCRATCH_VIEW } from "../../catalog/read.js";
import type { ViewPlace, ViewQuery } from "../dialect.js";
import { tableName } from "../plan.js";

const definitionRow = z.object({ definition: z.string().nullable() });

/** Reads the queries of declared views. */
export async function readViewsOnMariadb(
  views: readonly ViewQuery[],
  { scratch: { runs, tries }, grammar, home }: ViewPlace,
): Promise<readonly (string | undefined)[]> {
  const definitions: (string | undefined)[] = [];
  for (const { view, schema, query } of views) {
    const place = schema ?? home ?? "";
    const [there] = await runs.sql(VIEW_DEFINITION, definitionRow).exec({ schema: place, name: view.name });
    definitions.push(undefined);
    // A view that does not exist is created anyway.
    if (there === undefined) continue;
    const name = `${SCRATCH_VIEW}${Math.random().toString(36).slice(2, 12)}`;
    const spelled = tableName(schema, name, grammar);
    try {
      if (!(await tries(`CREATE VIEW ${spelled} AS ${query}`))) continue;
      const [row] = await runs.sql(VIEW_DEFINITION, definitionRow).exec({ schema: place, name });
      definitions[definitions.length - 1] = withoutSchema(row?.definition ?? "", place);
    } finally {
      await tries(`DROP VIEW IF EXISTS ${spelled}`);
    }
  }
  return definitions;
}

const VIEW_DEFINITION =
  "SELECT VIEW_DEFINITION AS definition FROM information_schema.VIEWS WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :name";
