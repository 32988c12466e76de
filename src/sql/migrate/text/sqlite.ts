/** The texts of SQLite: names in any case, and literals whose line breaks a file writes as calls. */
import type { TextDialect } from "./dialect.js";
import { concatenated } from "./one-line-literals.js";
import { sqliteRules } from "./sql-cursor.js";

export const sqliteText: TextDialect = {
  name: "sqlite",
  tokens: sqliteRules,
  expressions: { ignoresCase: true, literals: withPlainBreaks },
  breaks: { literal: (value) => concatenated(value, "char") },
  undoesDdl: true,
};

const ATOM = String.raw`(?:"(?:[^"\\]|\\.)*"|char \( 1[03] \))`;
const ONE = new RegExp(ATOM, "g");
const RUN = new RegExp(String.raw`(\( )?(${ATOM}(?: \| \| ${ATOM})*)( \))?`, "g");

// A line break in a literal, as a file contains it.
function withPlainBreaks(text: string): string {
  return text.replace(RUN, (all, open: string | undefined, run: string, close: string | undefined) => {
    if (!run.includes("char (")) return all;
    const values = (run.match(ONE) ?? []).map((part) =>
      part.startsWith('"') ? String(JSON.parse(part)) : part.includes("10") ? "\n" : "\r",
    );
    const literal = JSON.stringify(values.join(""));
    return open !== undefined && close !== undefined ? literal : `${open ?? ""}${literal}${close ?? ""}`;
  });
}
