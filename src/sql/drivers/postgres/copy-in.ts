/**
 * `COPY … FROM STDIN` is refused before it is sent: rowtype gives no rows, and the server waits for them. A query of our
 * own on `pg` says so to the server, which refuses it; all others would wait for ever.
 */
import { readTokens } from "../../dialect/grammar/tokens.js";
import { postgresScan } from "../../dialect/postgres/scan.js";

/** @throws an error as the server's own. */
export function refuseCopyIn(text: string): void {
  if (!/stdin/i.test(text) || !copiesIn(text)) return;
  throw Object.assign(new Error("COPY from stdin failed: no rows are given"), { code: "57014" });
}

function copiesIn(text: string): boolean {
  let before: string | undefined;
  let depth = 0;
  for (const { text: token, groups } of readTokens(text, postgresScan)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    const word = groups.word?.toLowerCase();
    if (word === undefined || depth > 0) continue;
    if (before === undefined && word !== "copy") return false;
    if (before === "from") return word === "stdin";
    before = word;
  }
  return false;
}
