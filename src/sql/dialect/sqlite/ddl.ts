/** How SQLite declares tables: it stores only numbers, text and blobs, and keeps no comments. */
import type { Storage } from "../../declare/declaration.js";
import { decimalFromText, toUnits } from "../../kind/decimals.js";
import type { DdlGrammar } from "../grammar/ddl-grammar.js";
import { everyAction, existence, quotedText } from "../grammar/forms.js";
import { isEpoch } from "./dates.js";
import { kindCheck } from "./kind-check.js";

export const sqliteDdl: DdlGrammar = {
  // SQLite compares text this way by default.
  byCodePoint: (type) => type,
  decimal: "TEXT",
  identity: () => "PRIMARY KEY AUTOINCREMENT",
  identityIsKey: true,
  defaultExpression: (expression, storage) => {
    if (storage.kind === "decimal") return `(${decimalDefault(expression, storage)})`;
    if (!/^\s*\(?\s*current_timestamp\s*\)?\s*$/i.test(expression)) return `(${expression})`;
    return isEpoch(storage)
      ? "(CAST(round(unixepoch('now', 'subsec') * 1000) AS INTEGER))"
      : "(strftime('%Y-%m-%d %H:%M:%f', 'now'))";
  },
  checkExpression: (expression) => expression,
  // It refuses values with more digits, as the other servers do.
  kindCheck,
  text: quotedText,
  flag: (value) => (value ? "1" : "0"),
  computed: (expression, stored = false) =>
    `GENERATED ALWAYS AS (${expression}) ${stored ? "STORED" : "VIRTUAL"}`,
  computedNotNull: true,
  onDelete: everyAction,
  onUpdate: everyAction,
  defers: true,
  refersAhead: true,
  dropReference: undefined,
  comments: "none",
  index: { where: true, expression: true, method: () => undefined, takes: () => true },
  // An index has the schema of its table, as does a referenced table: neither name may be qualified.
  qualifies: { index: true, indexed: false, referenced: false },
  commentedView: "VIEW",
  enums: false,
  nameSpaces: [{ of: "schema", parts: ["index"] }],
  ...existence,
};

/** A default of decimals as a whole number of the last digit. */
function decimalDefault(expression: string, { scale = 0 }: Storage): string {
  const literal = /^\s*[('\s]*(-?\d+(?:\.\d+)?)[)'\s]*$/.exec(expression)?.[1];
  const storage: Storage = { kind: "decimal", scale };
  const exact = decimalFromText(literal, storage);
  if (exact !== undefined) return String(toUnits(exact, storage));
  return `CAST(round((${expression}) * ${10n ** BigInt(scale)}) AS INTEGER)`;
}
