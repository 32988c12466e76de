/** Parts of media types that bodies and answers share. */
import type { MediaType, Schema } from "../../openapi/index.js";
import type { Json } from "../../schema/json.js";

/** A sequence of items. In 3.1 it is text that contains a list: that version cannot describe one. */
export function mediaOf(type: string, items: Schema, version: "3.1" | "3.2"): MediaType {
  if (version === "3.2") return { itemSchema: items };
  return {
    schema: { type: "string", contentMediaType: type, contentSchema: { type: "array", items } },
  };
}

/** The conversion returns a Schema Object; its keywords were made one by one. */
export function asSchema(json: Json): Schema {
  return json as Schema;
}
