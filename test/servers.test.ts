import { describe } from "vitest";
import { reportServers } from "./servers.js";

describe("servers for live tests", () => {
  reportServers();
});
