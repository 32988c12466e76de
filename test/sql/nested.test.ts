/** Expressions of expressions: their texts, before the judges of each dialect, and their rows on each server. */
import { nestedCases } from "./nested.cases.js";
import { describeCases } from "./run-cases.js";

describeCases("nested expressions", nestedCases);
