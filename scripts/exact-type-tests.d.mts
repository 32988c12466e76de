/** The files of an exact copy of the type tests: their texts by name. */
export function exactTypeTests(root: string): ReadonlyMap<string, string>;
/** Writes the copy into `folder`, with all that a compiler looks for there. */
export function copyTypeTests(root: string, folder: string): void;
