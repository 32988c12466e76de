/** Evaluated before each file of tests that shares its process with others. */
import { closeAtEnd } from "./at-end.js";
import "./code-generation.js";
import { skipGaps } from "./kit/client-gaps.js";
import { refuseLeftBehind } from "./left-behind.js";
import { keepDatabases } from "./postgres-databases.js";

// The hook that is registered first runs last.
refuseLeftBehind();
closeAtEnd();
keepDatabases();
skipGaps();
