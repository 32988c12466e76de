/** Chooses the reader of a schema by the version of Zod that made the schema. */
import { isZod4 } from "../inspect.js";
import type { AnySchema, SchemaReader } from "../schema-reader.js";
import { Zod3Reader } from "../zod3/reader.js";
import { Zod4Reader } from "./zod4.js";

/** The reader of a schema. */
export function readerOf(schema: AnySchema): SchemaReader {
  return isZod4(schema) ? new Zod4Reader(schema) : new Zod3Reader(schema);
}
