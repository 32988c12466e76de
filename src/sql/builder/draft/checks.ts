/** Checks of parameters that may be absent from the text of a call. */
import type { ParameterPlace } from "../../resolve/scope/resolved.js";

/** Checks a parameter. */
export interface Check {
  readonly name: string;
  readonly check: (value: unknown) => unknown;
}

/** Checks that refuse the values that binding each parameter would refuse. */
export function checksOf(params: readonly ParameterPlace[]): readonly Check[] {
  return params.map(({ name, binder }) => {
    let bind: ((value: unknown) => unknown) | undefined;
    // Made at the first call, because many statements are only rendered.
    const check = (value: unknown) => {
      bind ??= binder();
      return bind(value);
    };
    return { name, check };
  });
}
