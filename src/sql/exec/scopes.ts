/** Tracks the transactions and savepoints in which the current code runs. */
import { AsyncLocalStorage } from "node:async_hooks";

interface Scope<T> {
  readonly of: T;
  readonly around: Scope<T> | undefined;
}

/** Scopes of one kind. Before Node 24, every promise of the process is slower while a scope is open. */
export class AsyncScopes<T extends object> {
  readonly #storage = new AsyncLocalStorage<Scope<T>>();
  #open = 0;

  /** The innermost scope around the current code that passes the test. */
  find(test: (of: T) => boolean): T | undefined {
    for (let scope = this.#storage.getStore(); scope !== undefined; scope = scope.around)
      if (test(scope.of)) return scope.of;
    return undefined;
  }

  /** Calls `fn` inside a scope, which is open until the returned promise has settled. */
  async run<R>(of: T, fn: () => R | Promise<R>): Promise<R> {
    const around = this.#storage.getStore();
    this.#open++;
    try {
      return await this.#storage.run({ of, around }, fn);
    } finally {
      this.#open--;
      if (this.#open === 0) this.#storage.disable();
    }
  }
}
