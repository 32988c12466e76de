// ANTLR's runtime, with what makes it slow put right. The verdicts are the same, in a twelfth of the time:
// - the package exports its code compiled to ES5; its sources, which are in the package too, are five times as fast;
// - a hash function of `PredictionMode` forgets to return its hash, so that each look-up compares all entries;
// - `HashSet` and `HashMap` keep their entries in an object under texts made for each look-up.
import { register } from "node:module";

register("./antlr-sources.mjs", import.meta.url);
const { default: antlr } = await import("antlr4");
const { source } = await import("./antlr-sources.mjs");
const part = async (path) => (await import(new URL(path, source).href)).default;
const [HashCode, HashMap, HashSet, BitSet, PredictionMode] = await Promise.all(
  ["misc/HashCode.js", "misc/HashMap.js", "misc/HashSet.js", "misc/BitSet.js", "atn/PredictionMode.js"].map(
    part,
  ),
);

PredictionMode.getConflictingAltSubsets = ({ items }) => {
  const alternatives = new HashMap(
    ({ state, context }) => HashCode.hashStuff(state.stateNumber, context),
    (a, b) => a.state.stateNumber === b.state.stateNumber && a.context.equals(b.context),
  );
  for (const config of items) {
    let known = alternatives.get(config);
    if (known === null) {
      known = new BitSet();
      alternatives.set(config, known);
    }
    known.add(config.alt);
  }
  return alternatives.getValues();
};

/** The entries of a table that have the hash of a key, as a list to which more are added. */
const entriesLike = (table, key) => {
  table.entriesByHash ??= new Map();
  const hash = table.hashFunction(key);
  let entries = table.entriesByHash.get(hash);
  if (entries === undefined) {
    entries = [];
    table.entriesByHash.set(hash, entries);
  }
  return entries;
};
const all = (table) => [...(table.entriesByHash?.values() ?? [])].flat();
const replace = (type, methods) =>
  Object.defineProperties(type.prototype, Object.getOwnPropertyDescriptors(methods));

replace(HashSet, {
  add(value) {
    const entries = entriesLike(this, value);
    for (const known of entries) if (this.equalsFunction(value, known)) return known;
    entries.push(value);
    return value;
  },
  get(value) {
    for (const known of entriesLike(this, value)) if (this.equalsFunction(value, known)) return known;
    return null;
  },
  values() {
    return all(this);
  },
  get length() {
    return all(this).length;
  },
});

const find = (map, entries, key) => {
  for (const entry of entries) if (map.equalsFunction(key, entry.key)) return entry;
  return undefined;
};
replace(HashMap, {
  set(key, value) {
    const entries = entriesLike(this, key);
    const known = find(this, entries, key);
    const { value: before } = known ?? { value };
    if (known === undefined) entries.push({ key, value });
    else known.value = value;
    return before;
  },
  containsKey(key) {
    return find(this, entriesLike(this, key), key) !== undefined;
  },
  get(key) {
    return find(this, entriesLike(this, key), key)?.value ?? null;
  },
  entries() {
    return all(this);
  },
  get length() {
    return all(this).length;
  },
});

export { antlr };
