/** Texts and names as a file of TypeScript has them. */

/** A text as a literal, with nothing hidden in it. */
export function sourceText(value: string): string {
  return JSON.stringify(value).replace(
    /[\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The name of a property. */
export function sourceWord(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : sourceText(name);
}
