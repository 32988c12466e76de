/**
 * The documents of an engine, each made once until the engine changes: the whole one, and one for every set of handlers
 * that an identity may call. A caller may change the copy that it gets. The served document stays unchanged, and the
 * next caller gets another copy.
 */
import { DeclarationError, hasMethods } from "../../core/errors.js";
import { Lru } from "../../core/lru.js";
import { isObject } from "../../core/values.js";
import type { OpenAPI } from "../../openapi/index.js";
import type { Identity } from "../contract/identity.js";
import { buildDocument, type DocumentParts, type MadeDocument } from "./document.js";
import { PathItems } from "./path-items.js";
import { mayCall, visibleTo } from "./visible.js";

/** The maximum number of sets of handlers with kept documents. An application has few kinds of callers. */
const MAX_SETS = 64;

/** The parts of a document, as the engine has them. */
export type GivenParts = Omit<DocumentParts, "paths">;

/** Makes and keeps the documents of the parts that `given` returns. */
export class Documents {
  readonly #given: () => GivenParts;
  #parts: DocumentParts | undefined;
  readonly #bySet = new Lru<string, Kept>({ max: MAX_SETS });
  #whole: MadeDocument | undefined;
  #handedOut: Kept | undefined;

  constructor(given: () => GivenParts) {
    this.#given = given;
  }

  /** Removes all documents because the engine has changed. */
  forget(): void {
    this.#parts = undefined;
    this.#whole = undefined;
    this.#handedOut = undefined;
    this.#bySet.clear();
  }

  /** The whole document, for callers that only read it. */
  served(): OpenAPI {
    this.#whole ??= buildDocument(this.#all());
    return this.#whole.document;
  }

  /** The whole document, or the part that an identity may see. */
  of(identity: Identity | undefined): OpenAPI {
    if (identity !== undefined) {
      if (!asksScopesAndRoles(identity))
        throw new DeclarationError("openapi() takes an identity, as identity() makes it, or nothing");
      const parts = this.#all();
      const callable = parts.handlers.map((handler) => mayCall(handler, identity));
      if (callable.includes(false)) return this.#part(parts, callable);
    }
    this.#handedOut ??= new Kept(this.served());
    return this.#handedOut.document();
  }

  #all(): DocumentParts {
    if (this.#parts === undefined) {
      const given = this.#given();
      const paths = new PathItems(given.handlers, given.spec);
      this.#parts = { ...given, spec: paths.unified(given.spec), paths };
    }
    return this.#parts;
  }

  #part(parts: DocumentParts, callable: readonly boolean[]): OpenAPI {
    const key = callable.map(Number).join("");
    const known = this.#bySet.get(key);
    if (known !== undefined) return known.document();
    this.served();
    const visible = visibleTo(parts, (_, i) => callable[i] === true);
    const kept = new Kept(buildDocument(visible, this.#whole).document);
    this.#bySet.set(key, kept);
    return kept.document();
  }
}

/** The original document, and a copy that callers share until one of them changes it. */
class Kept {
  readonly #made: OpenAPI;
  #copy: OpenAPI | undefined;

  constructor(made: OpenAPI) {
    this.#made = made;
  }

  document(): OpenAPI {
    if (!isSame(this.#copy, this.#made)) this.#copy = copied(this.#made);
    // It equals the original.
    return this.#copy as OpenAPI;
  }
}

/** The methods that the document needs of an application's own identities. */
function asksScopesAndRoles(value: unknown): value is Identity {
  return typeof value === "object" && hasMethods(value, ["hasScope", "hasRole"]);
}

/** Whether two documents are equal. Node's own comparison takes four times as long. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

/** A deep copy, including the application's own parts. */
function copied<T>(value: T): T {
  // The copy has the same keys with copies of the same values.
  if (Array.isArray(value)) return value.map(copied) as T;
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, held] of Object.entries(value)) {
    if (key === "__proto__") Object.defineProperty(copy, key, { ...OWN, value: copied(held) });
    else copy[key] = copied(held);
  }
  return copy as T;
}

const OWN = { enumerable: true, writable: true, configurable: true } as const;
