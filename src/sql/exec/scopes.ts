/** What runs inside what: the transaction or savepoint that the code which asks was called in. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Scopes of one kind. Before Node 24 every promise of the process costs more while one of them is open. */
export class Scopes<T extends object> {
  readonly #storage = new AsyncLocalStorage<T>();
  #open = 0;

  /** The scope of the code that asks; undefined outside of all. */
  get current(): T | undefined {
    return this.#storage.getStore();
  }

  /** Calls `fn` inside a scope, which is open until what it gives has settled. */
  async run<R>(scope: T, fn: () => R | Promise<R>): Promise<R> {
    this.#open++;
    try {
      return await this.#storage.run(scope, fn);
    } finally {
      this.#open--;
      if (this.#open === 0) this.#storage.disable();
    }
  }
}
