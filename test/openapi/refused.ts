/** Reads what must be refused and gives the error, with its type checked. */
import { expect } from "vitest";
import { OpenAPIParseError } from "../../src/openapi/index.js";

/** The beginning of a description in YAML, two lines; more fields may follow. */
export const YAML_HEAD = 'openapi: 3.1.1\ninfo: {title: T, version: "1"}\n';
/** The beginning of a description in JSON; a field and a brace must follow. */
export const JSON_HEAD = '{"openapi":"3.1.1","info":{"title":"T","version":"1"},';

export function refused(read: () => unknown): OpenAPIParseError {
  try {
    read();
  } catch (error) {
    if (!(error instanceof OpenAPIParseError)) throw error;
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).toContain(`line ${error.line}, column ${error.column}`);
    expect(error.name).toBe("OpenAPIParseError");
    return error;
  }
  throw new Error("expected an OpenAPIParseError");
}
