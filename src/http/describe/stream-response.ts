/**
 * The answer of a stream in the document. OpenAPI 3.1 cannot describe a sequence of events, but JSON Schema can
 * describe text that contains another format. The body is text that contains events, and the data of an event are text
 * that contains JSON. A reader that does not know these keywords sees a string.
 */
import type { Schema } from "../../openapi/index.js";
import type { DescribedSchema, SchemaComponents } from "../../schema/components/components.js";
import { pascal } from "../../schema/names.js";
import { UNNAMED } from "../contract/frame.js";
import type { StreamSettings } from "../contract/stream-settings.js";

/** Returns the schema of an event of a stream after the components are finished. */
export function planEvents(
  { events }: StreamSettings,
  components: SchemaComponents,
  label: string,
): () => Schema {
  const described = [...events].map(
    ([name, schema]) => [name, components.add(schema, "output", `${label}${pascal(name)}Event`)] as const,
  );
  return () => {
    const variants = described.map(([name, data]) => eventSchema(name, data));
    const [only] = variants;
    return variants.length === 1 && only !== undefined ? only : { oneOf: variants };
  };
}

/** The fields of an event. An unnamed event has no `event`. */
function eventSchema(name: string, data: DescribedSchema): Schema {
  // The conversion returns a Schema Object; its keywords were made one by one.
  const contentSchema = data() as Schema;
  const isNamed = name !== UNNAMED;
  return {
    type: "object",
    properties: {
      ...(isNamed ? { event: { type: "string", const: name } } : {}),
      data: { type: "string", contentMediaType: "application/json", contentSchema },
      id: { type: "string" },
      retry: { type: "integer", minimum: 0 },
    },
    required: isNamed ? ["event", "data"] : ["data"],
  };
}
