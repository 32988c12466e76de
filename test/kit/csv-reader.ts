/** A reader of CSV by RFC 4180, which knows nothing of how ours is written. It stands in for a package that reads CSV. */

/** The records of a text; a cell that stood in quotes says so. @throws SyntaxError for what the RFC does not allow */
export function readCsv(
  text: string,
  delimiter = ",",
): { readonly text: string; readonly quoted: boolean }[][] {
  const records: { readonly text: string; readonly quoted: boolean }[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: { readonly text: string; readonly quoted: boolean }[] = [];
    for (;;) {
      const quoted = text[at] === '"';
      let cell = "";
      if (quoted) {
        at++;
        for (;;) {
          const end = text.indexOf('"', at);
          if (end === -1) throw new SyntaxError("a quoted cell without an end");
          cell += text.slice(at, end);
          at = end + 1;
          if (text[at] !== '"') break;
          cell += '"';
          at++;
        }
      } else {
        while (at < text.length && text[at] !== delimiter && text[at] !== "\r") {
          if (text[at] === '"' || text[at] === "\n")
            throw new SyntaxError("a quote or a line feed outside of quotes");
          cell += text[at++];
        }
      }
      record.push({ text: cell, quoted });
      if (text[at] !== delimiter) break;
      at++;
    }
    if (!text.startsWith("\r\n", at)) throw new SyntaxError("a record does not end with CR LF");
    at += 2;
    records.push(record);
  }
  return records;
}

/** The texts of the cells. */
export function csvTexts(text: string, delimiter?: string): string[][] {
  return readCsv(text, delimiter).map((record) => record.map((cell) => cell.text));
}
