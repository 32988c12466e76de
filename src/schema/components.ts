/**
 * The components of a document: every named, recursive or discriminated schema once, under a name of its own,
 * and as two components only where requests and responses see it differently.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { Zod3Components } from "./components-zod3.js";
import { childrenOf } from "./graph.js";
import { isZod4 } from "./inspect.js";
import type { Io, Json } from "./json.js";
import { convert } from "./json-schema.js";
import { schemaName } from "./names.js";
import { componentName, pascal, renamed } from "./references.js";
import type { AnySchema } from "./validate.js";

/** Asked for what was added, once `finish` has run. */
export type Described = () => Json;

/** Collects the schemas of a document, then describes them together. */
export class Components {
  readonly #proposals = new Map<$ZodType, string>();
  readonly #roots: Record<Io, $ZodType[]> = { input: [], output: [] };
  readonly #zod3 = new Zod3Components();
  /** Further names of schemas that have one. */
  readonly #aliases: (readonly [name: string, schema: $ZodType])[] = [];
  readonly #taken = new Set<string>();
  #described: Record<Io, readonly Json[]> | undefined;

  /** Keeps a name for a component that is written elsewhere. */
  reserve(name: string): void {
    this.#taken.add(name);
  }

  /** Adds a schema; `label` names what is recursive or discriminated in it and has no name of its own. */
  add(schema: AnySchema, io: Io, label: string): Described {
    if (!isZod4(schema)) return this.#zod3.add(schema, io, label);
    this.#propose(schema, io, label);
    const index = this.#roots[io].push(schema) - 1;
    return () => this.#described?.[io][index] ?? {};
  }

  /** Adds a schema that is a component even where nothing uses it, by this name whatever others it has. */
  addNamed(schema: AnySchema, io: Io, name: string): void {
    if (!isZod4(schema)) {
      this.#zod3.addNamed(schema, io, name);
      return;
    }
    const other = this.#proposals.get(schema);
    if (other === undefined) this.#proposals.set(schema, name);
    else if (other !== name) this.#aliases.push([name, schema]);
    this.add(schema, io, name);
  }

  /** Converts everything that was added and gives the components by name. */
  finish(): ReadonlyMap<string, Json> {
    const keys = new Map([...this.#proposals.keys()].map((schema, i) => [schema, `s${i}`] as const));
    const input = convert(this.#roots.input, "input", keys);
    const output = convert(this.#roots.output, "output", keys);
    const sides: Record<Io, Map<string, Json>> = { input: new Map(input.defs), output: new Map(output.defs) };
    const names = this.#name(keys, sides);

    const components = new Map<string, Json>();
    for (const io of ["output", "input"] as const) {
      for (const [key, json] of sides[io]) {
        const name = names[io].get(key);
        if (name !== undefined && !components.has(name)) components.set(name, renamed(json, names[io]));
      }
    }
    for (const [name, json] of this.#zod3.finish((name) => this.#unique(name))) components.set(name, json);
    for (const [name, schema] of this.#aliases) {
      const target = names.output.get(keys.get(schema) ?? "");
      components.set(this.#unique(componentName(name)), { $ref: `#/components/schemas/${target}` });
    }
    this.#described = {
      input: input.roots.map((json) => renamed(json, names.input)),
      output: output.roots.map((json) => renamed(json, names.output)),
    };
    return new Map([...components].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  /** Walks a schema once and proposes names for what must be a component. */
  #propose(root: $ZodType, io: Io, label: string): void {
    const path = new Map<$ZodType, string>();
    const seen = new Set<$ZodType>();
    const visit = (schema: $ZodType, name: string): void => {
      // Reached from within itself: a component, called as it was where it was reached first.
      const outer = path.get(schema);
      if (outer !== undefined && !this.#proposals.has(schema) && !isLazy(schema)) {
        this.#proposals.set(schema, outer);
      }
      if (seen.has(schema)) return;
      seen.add(schema);
      const own = schemaName(schema);
      if (own !== undefined && !this.#proposals.has(schema)) this.#proposals.set(schema, own);
      const here = own ?? name;
      this.#proposeVariants(schema, here);
      path.set(schema, here);
      for (const [step, child] of childrenOf(schema, io)) visit(child, `${here}${pascal(step)}`);
      const parent = schema._zod.parent;
      if (parent !== undefined) visit(parent, name);
      path.delete(schema);
    };
    visit(root, label);
  }

  /** A mapping can only name variants that are components. */
  #proposeVariants(schema: $ZodType, name: string): void {
    const def = (schema as $ZodTypes)._zod.def;
    if (def.type !== "union" || !("discriminator" in def) || typeof def.discriminator !== "string") return;
    for (const option of def.options) {
      if (this.#proposals.has(option) || schemaName(option) !== undefined) continue;
      const [tag] = option._zod.propValues?.[def.discriminator] ?? [];
      this.#proposals.set(option, `${name}${pascal(String(tag ?? ""))}`);
    }
  }

  /** A final name for every definition, for each direction. */
  #name(
    keys: ReadonlyMap<$ZodType, string>,
    sides: Record<Io, Map<string, Json>>,
  ): Record<Io, Map<string, string>> {
    const names: Record<Io, Map<string, string>> = { input: new Map(), output: new Map() };
    const proposals = new Map([...this.#proposals].map(([schema, name]) => [keys.get(schema) ?? "", name]));
    const all = new Set([...sides.output.keys(), ...sides.input.keys()]);
    const split = differing(sides, all);
    const same = new Map<string, Record<Io, string>>();
    for (const key of all) {
      const proposal = componentName(proposals.get(key) ?? "Schema");
      // Two schemas of one name that describe the same are one component.
      const text = JSON.stringify([proposal, sides.output.get(key), sides.input.get(key)]);
      let given = same.get(text);
      if (given === undefined) {
        const output = this.#unique(proposal);
        given = { output, input: split.has(key) ? this.#unique(`${proposal}Input`) : output };
        same.set(text, given);
      }
      names.output.set(key, given.output);
      names.input.set(key, given.input);
    }
    return names;
  }

  #unique(name: string): string {
    let unique = name;
    for (let n = 2; this.#taken.has(unique); n++) unique = `${name}${n}`;
    this.#taken.add(unique);
    return unique;
  }
}

/** The keys whose two directions differ, in themselves or in what they refer to. */
function differing(sides: Record<Io, ReadonlyMap<string, Json>>, keys: ReadonlySet<string>): Set<string> {
  const differ = new Set<string>();
  const both = [...keys].filter((key) => sides.input.has(key) && sides.output.has(key));
  for (const key of both) {
    if (JSON.stringify(sides.input.get(key)) !== JSON.stringify(sides.output.get(key))) differ.add(key);
  }
  // What Zod named itself, recursion that nothing else names, may mean another schema in each direction.
  for (const key of both) if (key.startsWith("__")) differ.add(key);
  for (let grown = differ.size > 0; grown; ) {
    grown = false;
    for (const key of both) {
      if (differ.has(key)) continue;
      const text = JSON.stringify(sides.input.get(key));
      if (
        [...text.matchAll(/"#\/\$defs\/([^"]+)"/g)].some(([, ref]) => ref !== undefined && differ.has(ref))
      ) {
        differ.add(key);
        grown = true;
      }
    }
  }
  return differ;
}

function isLazy(schema: $ZodType): boolean {
  return (schema as $ZodTypes)._zod.def.type === "lazy";
}
