/**
 * With `ROWTYPE_JITLESS=1` the tests run as an application does that forbids to generate code: `z.config({ jitless: true
 * })` before anything else. What takes `--disallow-code-generation-from-strings` has a process of its own, because the
 * test runner itself makes functions of text (`test/schema/no-generation.mjs`).
 */
import { z } from "zod";

if (process.env["ROWTYPE_JITLESS"] === "1") z.config({ jitless: true });
