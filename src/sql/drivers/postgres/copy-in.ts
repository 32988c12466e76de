/**
 * `COPY … FROM STDIN` is refused before it is sent: rowtype gives no rows, and these clients wait for them. With `pg` the
 * server is told so and refuses it.
 */

// Comments and what is in quotes.
const ASIDE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const COPY_IN = /^\s*copy\b.*\bfrom\s+stdin\b/is;

/** @throws an error as the server's own. */
export function refuseCopyIn(text: string): void {
  if (!/\bstdin\b/i.test(text) || !COPY_IN.test(text.replace(ASIDE, " "))) return;
  throw Object.assign(new Error("COPY from stdin failed: no rows are given"), { code: "57014" });
}
