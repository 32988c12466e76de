/** The schema of values of which nothing is known but their kind. */
import * as z from "zod";
import type { $ZodType } from "zod/v4/core";

export const anyValue: $ZodType = z.unknown();
