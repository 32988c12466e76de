// Imports the subpath named on the command line and prints every package that was loaded for it.
import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";

const { port1, port2 } = new MessageChannel();
const packages = new Set();
port1.on("message", (url) => {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (name !== undefined) packages.add(name);
});
port1.unref();
register(
  `data:text/javascript,${encodeURIComponent(`
    let port;
    export function initialize(data) { port = data.port; }
    export async function load(url, context, next) { port.postMessage(url); return next(url, context); }
  `)}`,
  { data: { port: port2 }, transferList: [port2] },
);
const [specifier] = process.argv.slice(2);
const exported = await import(specifier);
if (Object.keys(exported).length === 0) throw new Error(`${specifier} exports nothing`);
// The messages of the last load have not all arrived.
await new Promise((resolve) => setTimeout(resolve, 50));
console.log([...packages].join("\n"));
