/** Paths with `*` and `**`, as configurations name modules by them. */
import { readdir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";

/**
 * The files in a folder that match patterns, sorted. `*` stands for any characters of a name, `**` for any folders.
 * @param home the folder in which patterns begin.
 */
export async function filesOf(patterns: readonly string[], home: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) for (const file of await filesOfOne(pattern, home)) found.add(file);
  return [...found].sort();
}

async function filesOfOne(pattern: string, home: string): Promise<readonly string[]> {
  const parts = pattern.split("/");
  const fixed = parts.findIndex((part) => part.includes("*"));
  if (fixed < 0) return [resolve(home, pattern)];
  const root = resolve(home, parts.slice(0, fixed).join("/") || (pattern.startsWith("/") ? "/" : "."));
  const wanted = new RegExp(
    `^${parts.slice(fixed).map(asRegExp).join("/").replaceAll("(?:.*/)?/", "(?:.*/)?")}$`,
  );
  const recursive = parts.length - fixed > 1;
  const entries = await readdir(root, { recursive, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const below = relative(root, path).split(sep);
      return !below.includes("node_modules") && wanted.test(below.join("/"));
    });
}

function asRegExp(part: string): string {
  if (part === "**") return "(?:.*/)?";
  return part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&").replaceAll("*", "[^/]*");
}
