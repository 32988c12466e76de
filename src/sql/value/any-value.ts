/** The schema of values of which only the kind is known. */
import * as z from "zod";
import type { $ZodType } from "zod/v4/core";

export const anyValue: $ZodType = z.unknown();
