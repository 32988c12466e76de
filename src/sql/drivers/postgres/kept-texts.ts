/** Which texts postgres.js may keep prepared: it never closes one, so there is a most for each handle. */

const MOST = 256;

/** The texts that a handle keeps, in the form in which they are sent. */
export class KeptTexts {
  readonly #sent = new Map<string, string>();

  /**
   * The text to be sent, if it is kept. postgres.js knows a statement by its text: its name, as a comment, tells it from
   * the caller's own, and from the same text before a table was changed.
   */
  get(text: string, name: string): string | undefined {
    const known = this.#sent.get(name);
    if (known !== undefined || this.#sent.size >= MOST) return known;
    const sent = `${text}\n/* ${name} */`;
    this.#sent.set(name, sent);
    return sent;
  }
}
