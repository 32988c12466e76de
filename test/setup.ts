/** Evaluated before each file of tests. */
import { closeAtEnd } from "./at-end.js";
import "./code-generation.js";

closeAtEnd();
