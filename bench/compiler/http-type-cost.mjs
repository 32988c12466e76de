/**
 * Measures the compile cost of a route in addition to its schemas, in instantiations: the programs of
 * `http-types.mjs`, compiled in this process. Compiles the built package, as `type-cost.mjs` does.
 */
import { httpLibraries, httpSourcesOf } from "./http-type-sources.mjs";
import { costOf } from "./type-cost.mjs";

const rowtype = httpLibraries.find(({ name }) => name === "rowtype");
const withClient = httpLibraries.find(({ name }) => name === "rowtype, its client included");

function perRoute(library, count) {
  const { floor, routes } = httpSourcesOf(library, count);
  return Math.round((costOf(routes) - costOf(floor)) / count);
}

/** Measures; see `http-type-cost.d.mts`. */
export function httpTypeCost() {
  return { of300: perRoute(rowtype, 300), of300WithClient: perRoute(withClient, 300) };
}

export const routeOfThousand = () => perRoute(rowtype, 1_000);
