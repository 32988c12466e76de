/** Checks of parameters that the text of a call may not have. */
import type { ParameterPlace } from "../../resolve/scope/resolved.js";

/** Checks a parameter. */
export interface Check {
  readonly name: string;
  readonly check: (value: unknown) => unknown;
}

/** What binding each of them would refuse. */
export function checksOf(params: readonly ParameterPlace[]): readonly Check[] {
  return params.map(({ name, binder }) => {
    let bind: ((value: unknown) => unknown) | undefined;
    // Made at the first call: many statements are only rendered.
    const check = (value: unknown) => {
      bind ??= binder();
      return bind(value);
    };
    return { name, check };
  });
}
