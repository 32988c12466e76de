/** Texts and names as a TypeScript file contains them. */

/** A text as a literal, with visible escapes for hidden characters. */
export function sourceText(value: string): string {
  return JSON.stringify(value).replace(
    /[\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A list of texts as a literal. */
export function sourceList(values: readonly string[]): string {
  return `[${values.map(sourceText).join(", ")}]`;
}

/** The name of a property. */
export function sourceWord(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : sourceText(name);
}

/** The declaration of a table or a view: its constant, its columns a line each, and its options. */
export function sourceOf(
  word: "table" | "view",
  { constant, name }: { readonly constant: string; readonly name: string },
  columns: readonly string[],
  options: readonly string[],
): string {
  const tail = options.length === 0 ? "" : `,\n  {\n${options.map((one) => `    ${one},`).join("\n")}\n  }`;
  return `export const ${constant} = ${word}(\n  ${sourceText(name)},\n  z.object({\n${columns.join("\n")}\n  })${tail},\n);`;
}
