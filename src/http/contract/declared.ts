/** A declared endpoint: its type, and how one is made of what was declared. */
import { checkDeclaration, type DeclaredHandler } from "./declaration.js";
import type { Identity } from "./identity.js";
import type { METHODS } from "./methods.js";
import type { AnyOptions } from "./options.js";
import { keepSegments } from "./path.js";

/** The methods that a handler can answer. */
export type Method = (typeof METHODS)[number];

/** A declared endpoint. Its type parameters are for clients and engines. */
export interface Handler<
  M extends string = string,
  Path extends string = string,
  Types = unknown,
  // The identity that the handler needs: an engine must supply a subtype of it.
  Id = Identity,
> {
  readonly name: string;
  readonly method: M;
  readonly path: Path;
  readonly options: AnyOptions;
  /** Streams get their sending side as a second argument. */
  readonly run: (call: never, stream: never) => unknown;
  /** Types only; absent at run time. */
  readonly "~types"?: Types;
  /** Types only; absent at run time. */
  readonly "~identity"?: (identity: Id) => void;
}

/** A declaration, and its name if it has its own. */
interface Declaration extends DeclaredHandler {
  readonly name: string | undefined;
}

/** Makes the value; the caller's overload gives its type. @throws DeclarationError */
export function declare<H>(declaration: Declaration): H {
  const { name, method, path } = declaration;
  const checked = checkDeclaration(declaration);
  const declared = Object.freeze({
    name: name ?? checked.options.name ?? `${method} ${path}`,
    method,
    path,
    options: checked.options,
    run: checked.run,
  });
  keepSegments(declared, checked.segments);
  // The maker's overload names the type.
  return declared as H;
}
