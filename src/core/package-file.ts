/** Files of this package that are not code. The code may be in any file of `dist`, or run from the sources. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The path of a file in the folder of the package. */
export function packageFile(...path: readonly string[]): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("rowtype/package.json")), ...path);
}
