/** The commands that compare a database with its declarations. */
import { DeclarationError } from "../../words/errors.js";
import type { Answer, Asked } from "./answer.js";

type SchemaCommand = "generate" | "diff" | "check" | "pull";

const later = (command: SchemaCommand) => async (): Promise<Answer> => {
  throw new DeclarationError(`rowtype ${command} is not part of this version yet`);
};

export const schemaCommands: { readonly [C in SchemaCommand]: (asked: Asked) => Promise<Answer> } = {
  generate: later("generate"),
  diff: later("diff"),
  check: later("check"),
  pull: later("pull"),
};
