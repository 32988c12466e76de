/**
 * The texts of one builder that has several: one for each set of omitted filters, or of columns of a record. There can
 * be very many sets, so the least recently used texts are dropped.
 */
import { Lru } from "../../../core/lru.js";
import type { PreparedPlan } from "../../exec/prepared.js";

/** The maximum number of texts of a builder, and of their characters. */
const MOST_TEXTS = 200;
const MOST_CHARACTERS = 200_000;

/** Prepared plans by their key. */
export class Texts extends Lru<string, PreparedPlan> {
  constructor() {
    super({
      max: MOST_TEXTS,
      maxWeight: MOST_CHARACTERS,
      weigh: (prepared, key) => key.length + prepared.sql.length,
    });
  }
}
