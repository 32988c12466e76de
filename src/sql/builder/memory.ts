/**
 * What a repository remembers of its builders: a chain that is written anew in every request is found again, with
 * all that was checked and rendered for it. Every step has a key; one that has none, for it holds an object of
 * somebody else's or comes from a spec, is made anew.
 */

/** The chains of one repository. Beyond a number of steps all are forgotten, so that chains of chance do not pile up. */
export class Memory {
  static readonly #most = 5_000;
  #steps = 0;
  #generation = 0;

  /** Changes when everything is forgotten. */
  get generation(): number {
    return this.#generation;
  }

  /** Counts a step that is remembered. */
  add(): void {
    this.#steps++;
    if (this.#steps < Memory.#most) return;
    this.#steps = 0;
    this.#generation++;
  }
}
