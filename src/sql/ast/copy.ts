/** Takes a spec from outside: copied once, frozen, so that nothing it holds changes between check and rendering. */
import { BuildError } from "../errors.js";
import { BuilderOnly } from "./expression.js";

const MAX_DEPTH = 256;

/**
 * A frozen copy of plain JSON.
 * @throws {BuildError} `INVALID_SPEC` where it nests more than 256 levels or holds something that is no JSON.
 */
export function frozenCopy(value: unknown, path = "", depth = 0): unknown {
  if (depth > MAX_DEPTH) throw invalid(`a spec nests more than ${MAX_DEPTH} levels`, path);
  if (Array.isArray(value))
    return Object.freeze(value.map((item, i) => frozenCopy(item, `${path}[${i}]`, depth + 1)));
  if (value instanceof BuilderOnly) throw invalid(`specs have no ${value.what} such as this one`, path);
  if (typeof value === "object" && value !== null) {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (key === "__proto__") throw invalid('unknown key "__proto__"', path);
      // Own enumerable keys of an object of unknown shape.
      copy[key] = frozenCopy(
        (value as Record<string, unknown>)[key],
        path === "" ? key : `${path}.${key}`,
        depth + 1,
      );
    }
    return Object.freeze(copy);
  }
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    throw invalid(`a ${typeof value} is no JSON`, path);
  return value;
}

function invalid(message: string, path: string): BuildError {
  return new BuildError([{ code: "INVALID_SPEC", message, path }]);
}
