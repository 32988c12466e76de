/**
 * Finds the two files of Swagger UI that the docs page serves: in the published package, or in `node_modules` when the
 * sources run directly.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packageFile } from "../../core/package-file.js";

/** The names of the files. They are also the last segments of their URLs. */
export type SwaggerFile = "swagger-ui-bundle.js" | "swagger-ui.css";

/** The path of a file. */
export function swaggerFile(name: SwaggerFile): string {
  const built = packageFile("dist", "swagger-ui", name);
  if (existsSync(built)) return built;
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("swagger-ui-dist/package.json")), name);
}
