/** Resolves text of the program itself: the contents of its holes, and whether it stays in its place. */
import { quoted } from "../../../core/errors.js";
import type { RawNode, RawNodeText } from "../../ast/expression.js";
import { type FragmentFault, faultOfFragment } from "../../dialect/grammar/tokens.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedValue } from "../scope/result.js";
import { around, boundIn, columnIn } from "./raw-values.js";

/** Resolves text whose values have a schema. */
export function resolveRaw(
  { of, text }: RawNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const { dialect, scan } = resolution.grammar;
  const own = isOne(text) ? text : text[dialect];
  if (own === undefined) {
    resolution.unsupported(
      "this raw text",
      `add a text for ${dialect}: raw(schema, { ${dialect}: raw\`…\` })`,
      path,
    );
    return undefined;
  }
  const fault = faultOfFragment(own.texts, scan);
  if (fault !== undefined) resolution.add("INVALID_CONDITION", sentences[fault], path);
  // The text belongs to the program in every clause, and so do the values in its holes.
  const stored = resolution.seeing(resolution.scope.asStored);
  const columns = own.holes.map((hole) => columnIn(hole, stored));
  const holes = own.holes.flatMap((hole, i) => {
    const place = `${path}.hole[${i}]`;
    if (typeof hole === "object" && hole.kind !== "invalid")
      return (
        (boundIn(hole, around(columns, own.texts, i), place, stored) ?? stored.node(hole, place))
          ?.expression ?? []
      );
    // A field is named by field(…), because a plain text would be ambiguous.
    const given = typeof hole === "string" ? `the text ${quoted(hole)}` : hole.what;
    resolution.add("INVALID_CONDITION", holeSentence(given), place);
    return [];
  });
  if (fault !== undefined || holes.length < own.holes.length) return undefined;
  const { storage, nullable, schema } = of;
  return { expression: { kind: "fragment", texts: own.texts, holes }, storage, nullable, schema };
}

function isOne(text: RawNode["text"]): text is RawNodeText {
  return "texts" in text;
}

function holeSentence(given: string): string {
  return `a hole of raw text takes field(…), param(…, schema), value(…) or an expression, not ${given}`;
}

const sentences: Readonly<Record<FragmentFault, string>> = {
  "own placeholder": "raw text cannot hold a placeholder: a parameter is a hole, param(name, schema)",
  name: "raw text cannot hold :name: a parameter is a hole, param(name, schema)",
  "hole in text": "a hole of raw text cannot stand in quotes or in a comment",
  "open text": "quotes and comments of raw text must end in it",
};
