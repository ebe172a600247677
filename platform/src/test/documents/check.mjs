// Reads what a gateway publishes for machines with the tools that machines use:
// `node check.mjs URL NODE_MODULES`. Prints each fault; ends with 1 when there is one.
import { createRequire } from 'node:module';

const [url, installed] = process.argv.slice(2);
const require = createRequire(installed + '/');
const { Parser } = require('@asyncapi/parser');
const { Spectral } = require('@stoplight/spectral-core');
const { oas } = require('@stoplight/spectral-rulesets');
const Ajv = require('ajv/dist/2020').default;

let faults = 0;
function fault(...words) {
  faults++;
  console.log('FAULT', ...words);
}

async function text(path) {
  const answer = await fetch(url + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

const asyncapi = await new Parser().parse(await text('/contracts/asyncapi.json'));
for (const { severity, path, message } of asyncapi.diagnostics) {
  if (severity <= 1) fault('asyncapi', path.join('/'), message);
}
if (asyncapi.document) console.log('ok asyncapi', asyncapi.document.channels().length, 'channels');

const { contracts } = JSON.parse(await text('/contracts/'));
const schemas = contracts.filter((path) => path.endsWith('.schema.json'));
for (const path of schemas) {
  try {
    const schema = JSON.parse(await text(path));
    if (!schema.$id?.endsWith(path)) fault(path, 'has no $id of its own');
    new Ajv({ strict: true }).compile(schema);
  } catch (error) {
    fault(path, error.message);
  }
}
console.log('ok', schemas.length, 'schemas');

const linter = new Spectral();
linter.setRuleset({ extends: [[oas, 'recommended']] });
const openapi = await linter.run(JSON.parse(await text('/openapi.json')));
for (const { severity, path, message, code } of openapi) {
  if (severity === 0) fault('openapi', code, path.join('/'), message);
}
console.log('ok openapi', openapi.length, 'warnings');
process.exit(faults ? 1 : 0);
