/** Paths into specs, as errors tell them: `where[0].group[1].field`. */

/** The path to a member of what is at a path. A key that is no plain word stands in quotes, and is cut where it is long. */
export function pathTo(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!WORD.test(key)) return `${path}[${inQuotes(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The keys that lead along a path. */
export function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(STEP)].map(([, word, index, inner]) => {
    if (index !== undefined) return Number(index);
    return word ?? String(JSON.parse(inner ?? '""'));
  });
}

const WORD = /^[A-Za-z_$][\w$]{0,79}$/;
const STEP = /([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;
const LONGEST = 80;

// What is no ASCII could forge a line where a path is printed.
function inQuotes(key: string): string {
  const text = JSON.stringify(key.length > LONGEST ? `${key.slice(0, LONGEST)}...` : key);
  return text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
