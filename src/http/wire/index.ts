/** `rowtype/http/wire`: values to and from the form in which they travel, by their schema, for browsers and Node. */
import { parse, encode as validateBackwards } from "zod";
import type { $ZodType } from "zod/v4/core";
import { DeclarationError, describeType } from "../../core/errors.js";
import { isZod4 } from "../../schema/inspect.js";
import { boundedWork, isOneWay } from "../../schema/validate.js";
import { wireDecoder } from "../../schema/wire-decode.js";
import { wireEncoder } from "../../schema/wire-encode.js";
import type { OutputOf, Zod4 } from "../contract/schema-types.js";
import type { WireInput, WireOutput } from "../contract/wire-types.js";

export type { Wire, WireInput, WireOutput } from "../contract/wire-types.js";

/**
 * The value of data that have travelled: dates, bigints, bytes, sets and maps as such, codecs decoded, validated by the
 * schema.
 * @param schema a schema of Zod 4 without asynchronous parts.
 * @throws ZodError for data that do not fit; DeclarationError for another schema
 * @example
 * import { decode } from "rowtype/http/wire";
 * const answer = await client.GET("/people/{id}", { path: { id: 1 } });
 * if (answer.ok) decode(Person.schema, answer.data).createdAt.getFullYear();
 */
export function decode<S extends Zod4>(schema: S, data: WireInput<S>): OutputOf<S> {
  const real = schemaOf(schema);
  const read = wireDecoder(real);
  const input: unknown = read === undefined ? data : read(data);
  // The parse of a schema gives its output.
  return parse(boundedWork(real, "forward"), input) as OutputOf<S>;
}

/**
 * The form in which a value travels, as the body of a call: ISO 8601 for dates, decimal text for bigints, base64 for
 * bytes, lists for sets, lists of pairs for maps, codecs encoded, and no undeclared fields. The value is validated, unless
 * a transform of its schema runs in one direction only.
 * @param schema a schema of Zod 4 without asynchronous parts.
 * @throws ZodError for a value that does not fit; DeclarationError for another schema
 * @example
 * import { encode } from "rowtype/http/wire";
 * await client.POST("/people", { body: encode(NewPerson, { name: "Ann", born: new Date(0) }) });
 */
export function encode<S extends Zod4>(schema: S, value: OutputOf<S>): WireOutput<S> {
  const real = schemaOf(schema);
  if (!isOneWay(real)) validateBackwards(boundedWork(real, "backward"), value);
  const write = wireEncoder(real);
  // The encoder writes the wire form that the type describes.
  return (write === undefined ? value : write(value)) as WireOutput<S>;
}

/** @throws DeclarationError */
function schemaOf(schema: unknown): $ZodType {
  if (isZod4(schema)) return schema;
  throw new DeclarationError(`a schema of Zod 4 was expected, not ${describeType(schema)}`);
}
