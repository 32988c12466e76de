/** A model: a schema that the document lists under its own name, even if no handler uses it. */

import { DeclarationError } from "../../core/errors.js";
import { isComponentName } from "../../schema/names.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import type { SchemaLike } from "./schema-types.js";

/** A named schema for `withModels`. */
export interface Model {
  readonly name: string;
  readonly schema: AnySchema;
}

/** Names a schema for the document. @throws DeclarationError for a name that a component cannot have */
export function model(name: string, schema: SchemaLike): Model {
  if (!isComponentName(name)) {
    throw new DeclarationError(
      "the name of a model is made of letters, digits, dots, dashes and underscores",
    );
  }
  if (!isSchema(schema)) throw new DeclarationError(`model ${name} needs a Zod schema`);
  return Object.freeze({ name, schema });
}
