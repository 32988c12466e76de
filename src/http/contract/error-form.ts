/** The form of error answers: `{ code, message, details? }`, or problem details (RFC 9457). */
import { type AnyHttpError, errorBody } from "./errors.js";

/** How the errors of an engine are written. */
export interface ErrorForm {
  /** The media type. */
  readonly media: string;
  /** The value of `Content-Type`. */
  readonly type: string;
  /** For problem details, the text before an error's code in its `type`; `""` for `about:blank`. */
  readonly problemTypes: string | undefined;
  /**
   * The body of an error's answer.
   * @param status that of the answer.
   * @throws TypeError if the details of the error do not fit their declaration
   */
  readonly body: (error: AnyHttpError, status?: number) => object;
}

/** The form without an option. */
export const PLAIN: ErrorForm = {
  media: "application/json",
  type: "application/json; charset=utf-8",
  problemTypes: undefined,
  body: errorBody,
};

/** Problem details. @param types the text before an error's code in its `type`; `""` for `about:blank` */
export function problemForm(types: string): ErrorForm {
  return {
    media: "application/problem+json",
    type: "application/problem+json",
    problemTypes: types,
    body: (error, status = error.status) => {
      const { code, message, details } = errorBody(error);
      return {
        ...{ type: problemType(types, code), title: error.definition.message, status, detail: message, code },
        ...(details === undefined ? {} : { details }),
      };
    },
  };
}

/** The `type` of a problem. */
export function problemType(types: string, code: string): string {
  return types === "" ? "about:blank" : `${types}${code}`;
}
