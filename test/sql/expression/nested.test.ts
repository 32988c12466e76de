/** Expressions of expressions: their texts, before the judges of each dialect, and their rows on each server. */

import { describeCases } from "../../kit/run-cases.js";
import { nestedCases } from "./nested.cases.js";

describeCases("nested expressions", nestedCases);
