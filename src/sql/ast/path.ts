/** Paths into specs, as errors report them: `where[0].group[1].field`. */

/**
 * The path to a member of the value at a path. A key that is not a plain word is quoted, and shortened if it is
 * long.
 */
export function pathTo(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!WORD.test(key)) return `${path}[${inQuotes(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The keys along a path. */
export function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(STEP)].map(([, word, index, inner]) => {
    if (index !== undefined) return Number(index);
    return word ?? String(JSON.parse(inner ?? '""'));
  });
}

const WORD = /^[A-Za-z_$][\w$]{0,79}$/;
const STEP = /([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;
const LONGEST = 80;

// Characters outside ASCII could forge a line when a path is printed.
function inQuotes(key: string): string {
  const text = JSON.stringify(key.length > LONGEST ? `${key.slice(0, LONGEST)}...` : key);
  return text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
