/** Takes a spec from outside: copied once, frozen, so that nothing it holds changes between check and rendering. */
import { BuildError } from "../errors.js";
import { BuilderOnly } from "./expression.js";
import { pathTo } from "./path.js";

const MAX_DEPTH = 256;
// In memory a spec may hold one object many times, or itself: what it is as JSON is bounded by this.
const MAX_VALUES = 1_000_000;

/**
 * A frozen copy of plain JSON. A key that is undefined is left out, as JSON does.
 * @throws {BuildError} `INVALID_SPEC` where it nests more than 256 levels, holds more than a million values or
 * something that is no JSON, or cannot be read.
 */
export function frozenCopy(value: unknown): unknown {
  return copied(value, "", 0, { left: MAX_VALUES });
}

/** How many values may still be copied. */
interface Room {
  left: number;
}

function copied(value: unknown, path: string, depth: number, room: Room): unknown {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    throw invalid(`a ${typeof value} is no JSON`, path);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw invalid(`a spec nests more than ${MAX_DEPTH} levels`, path);
  if (value instanceof BuilderOnly) throw invalid(`specs have no ${value.what} such as this one`, path);
  if (Array.isArray(value)) {
    const length = read(() => value.length, path);
    take(length, room, path);
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) {
      const place = pathTo(path, i);
      list.push(
        copied(
          read(() => value[i], place),
          place,
          depth + 1,
          room,
        ),
      );
    }
    return Object.freeze(list);
  }
  const keys = read(() => Object.keys(value), path);
  take(keys.length, room, path);
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const place = pathTo(path, key);
    if (key === "__proto__") throw invalid('unknown key "__proto__"', place);
    // Own enumerable keys of an object of unknown shape.
    const member = read(() => (value as Record<string, unknown>)[key], place);
    if (member !== undefined) copy[key] = copied(member, place, depth + 1, room);
  }
  return Object.freeze(copy);
}

function take(count: number, room: Room, path: string): void {
  room.left -= count;
  if (!(room.left >= 0)) throw invalid(`a spec holds more than ${MAX_VALUES} values`, path);
}

// A getter, or a proxy, of somebody else may throw anything.
function read<T>(get: () => T, path: string): T {
  try {
    return get();
  } catch {
    throw invalid("a spec that cannot be read", path);
  }
}

function invalid(message: string, path: string): BuildError {
  return new BuildError([{ code: "INVALID_SPEC", message, path }]);
}
