/**
 * The texts of one builder where it has several: one for each set of filters that calls leave out, or of columns that
 * records have. Callers and clients choose among very many, so those unused the longest make room.
 */
import { Lru } from "../../core/lru.js";
import type { Prepared } from "../exec/prepared.js";

/** How many a builder keeps, and how many characters they may have together. */
const MOST_TEXTS = 200;
const MOST_CHARACTERS = 200_000;

/** Prepared texts by what tells them apart. */
export class Texts extends Lru<string, Prepared> {
  constructor() {
    super({
      max: MOST_TEXTS,
      maxWeight: MOST_CHARACTERS,
      weigh: (prepared, key) => key.length + prepared.sql.length,
    });
  }
}
