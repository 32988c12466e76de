// A copy of the type tests for plain compilers. To tsd, `expectType` asks for the very same type. To a compiler it is a
// function like any other, which takes `any` and every narrower type; and a generic call in its parentheses may take its
// type arguments from what is expected of it. In the copy each `expectType<T>(…)` is `expectType<T>()(…)`, which takes a
// value of the very type `T`, whatever the compiler. Lines stay where they are.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

// Two types are the same if a compiler takes one conditional type over them for the other. A value of any other type lacks
// an argument: `any` and `never` would fit whatever a parameter is.
const EXPECTATIONS = `type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Lacks<Expected> = [expected: { readonly "the type is not": Expected }];
export declare const expectType: <T>() => <V>(value: V, ...other: Same<T, V> extends true ? [] : Lacks<T>) => void;
export declare const expectAssignable: <T>(value: T) => void;
export declare const expectNotType: <T>() => <V>(value: V, ...same: Same<T, V> extends true ? [expected: "another type"] : []) => void;
`;
const EXACT = new Set(["expectType", "expectNotType"]);

/** The files of the copy: their texts by name. */
export function exactTypeTests(root) {
  const folder = join(root, "type-tests");
  const texts = new Map([["expectations.d.ts", EXPECTATIONS]]);
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), "utf8");
    texts.set(file, file.endsWith(".test-d.ts") ? exact(text) : text);
  }
  return texts;
}

/** Writes the copy into `folder`, with all that a compiler looks for there. */
export function copyTypeTests(root, folder) {
  mkdirSync(join(folder, "type-tests"));
  for (const name of ["node_modules", "dist"]) symlinkSync(join(root, name), join(folder, name));
  for (const file of ["package.json", "tsconfig.typetests.json"])
    cpSync(join(root, file), join(folder, file));
  for (const [file, text] of exactTypeTests(root)) writeFileSync(join(folder, "type-tests", file), text);
}

function exact(text) {
  const source = ts.createSourceFile("test.ts", text, ts.ScriptTarget.Latest, false);
  const edits = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && EXACT.has(node.expression.text)) {
      if (node.typeArguments?.length !== 1)
        throw new Error(`${node.expression.text} without the type that it expects`);
      const [type] = node.typeArguments;
      edits.push({ at: text.indexOf(">", type.end) + 1, put: "()", length: 0 });
    }
    if (ts.isImportDeclaration(node) && node.moduleSpecifier.text === "tsd") {
      const { end } = node.moduleSpecifier;
      edits.push({ at: end - 5, put: '"./expectations.js"', length: 5 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  let out = text;
  for (const { at, put, length } of edits.sort((a, b) => b.at - a.at))
    out = out.slice(0, at) + put + out.slice(at + length);
  return out;
}
