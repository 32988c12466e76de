/** Promises that have not settled, even if nobody awaits them. */
export class Underway {
  #count = 0;
  #waiting: (() => void)[] = [];

  get isNone(): boolean {
    return this.#count === 0;
  }

  /** Tracks a promise until it has settled, and returns it. */
  follow<T>(answer: Promise<T>): Promise<T> {
    this.#count++;
    answer.then(this.#settled, this.#settled);
    return answer;
  }

  /** Waits until all have settled. */
  async none(): Promise<void> {
    while (!this.isNone) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  readonly #settled = (): void => {
    if (--this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  };
}
