// Takes a gateway's tools for a walk with the official clients, and prints what they saw as JSON.
//   node client.mjs http://127.0.0.1:8080/mcp FOLDER
import { existsSync } from "node:fs";
import { Client as Shaking } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as ShakingTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as Stateless, StreamableHTTPClientTransport as StatelessTransport } from "@modelcontextprotocol/client";

const url = new URL(process.argv[2]);
const folder = process.argv[3];
const self = { name: "tidemill-test", version: "1" };

// Both clients know the same methods; only where the options of a call stand differs.
async function walk(client, transport, call) {
  const errors = [];
  client.onerror = (error) => errors.push(String(error));
  await client.connect(transport);
  const { tools } = await client.listTools();
  const echo = await call("echo", { hello: "tide", n: 7 });
  const unknown = await call("nonsense", {}).catch((error) => ({ code: error.code, message: error.message }));
  const wrong = await call("sleep", { ms: "long" });
  const failed = await call("fail", { how: "failure" });
  const heard = [];
  const slow = await call("sleep", { ms: 1000 }, { onprogress: (progress) => heard.push(progress) });
  return { version: transport.protocolVersion, server: client.getServerVersion(), tools, echo, unknown, wrong, failed, heard, slow, errors: [...errors] };
}

// Hangs up once the tool is at work.
async function hangUp(call, name) {
  const leave = new AbortController();
  const entered = `${folder}/${name}`;
  let hasEnded = false;
  const ended = call("gate", { entered, go: `${folder}/never` }, { signal: leave.signal })
    .then(
      () => "answered",
      (error) => (leave.signal.aborted ? "aborted" : `failed: ${error}`),
    )
    .finally(() => (hasEnded = true));
  while (!hasEnded && !existsSync(entered)) await new Promise((resolve) => setTimeout(resolve, 10));
  leave.abort();
  return ended;
}

async function run(client, transport, call, name) {
  const seen = await walk(client, transport, call);
  seen.left = await hangUp(call, name);
  return seen;
}

// Whoever shook hands says that a call is taken back; that must be on its way before we leave.
let wasTakenBack;
const takenBack = new Promise((resolve) => (wasTakenBack = resolve));
async function watched(target, init) {
  const answer = await fetch(target, init);
  if (String(init?.body).includes("notifications/cancelled")) wasTakenBack();
  return answer;
}

const shaking = new Shaking(self);
const stateless = new Stateless(self, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
const [first, second] = await Promise.all([
  run(
    shaking,
    new ShakingTransport(url, { fetch: watched }),
    (name, args, options) => shaking.callTool({ name, arguments: args }, undefined, options),
    "shaking",
  ),
  run(
    stateless,
    new StatelessTransport(url),
    (name, args, options) => stateless.callTool({ name, arguments: args }, options),
    "stateless",
  ),
]);
if (first.left === "aborted") await takenBack;
await Promise.all([shaking.close(), stateless.close()]);
console.log(JSON.stringify({ shaking: first, stateless: second }));
