// Contracts: the published channels and schemas, with real messages as examples.
import { View, html, nothing, heading, repeat } from '../core/element.js';
import { at, get } from '../core/api.js';
import { to } from '../core/router.js';
import { count } from '../core/format.js';
import { busy } from '../parts/basics.js';
import { headersOf, raw } from './messages.js';

const typeOf = (schema) => (Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? (schema.enum ? 'one of' : schema.$ref ? schema.$ref.split('/').pop() : schema.const !== undefined ? 'exactly' : schema.oneOf ? 'one of several' : 'anything')));

/** The constraints of a schema beyond the type, in words. */
function rules(schema) {
  const said = [];
  if (schema.const !== undefined) said.push(JSON.stringify(schema.const));
  if (schema.enum) said.push(schema.enum.map((each) => JSON.stringify(each)).join(', '));
  if (schema.format) said.push(schema.format);
  if (schema.pattern) said.push(`matches ${schema.pattern}`);
  if (schema.minLength !== undefined) said.push(`at least ${count(schema.minLength, 'character')}`);
  if (schema.maxLength !== undefined) said.push(`at most ${count(schema.maxLength, 'character')}`);
  if (schema.minimum !== undefined) said.push(`≥ ${schema.minimum}`);
  if (schema.maximum !== undefined) said.push(`≤ ${schema.maximum}`);
  if (schema.minItems !== undefined) said.push(`at least ${count(schema.minItems, 'item')}`);
  return said.join('; ');
}

/** Rows of a schema's properties, those inside others indented. */
function* fields(schema, depth = 0, path = '') {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield { name, path: `${path}/${name}`, depth, needed: (schema.required ?? []).includes(name), type: typeOf(property), rules: rules(property), about: property.description ?? '' };
    if (depth > 4) continue;
    if (property.properties) yield* fields(property, depth + 1, `${path}/${name}`);
    if (property.items?.properties) yield* fields(property.items, depth + 1, `${path}/${name}[]`);
  }
}

const TITLES = { C1: 'Crawls over Kafka', C2: 'Workflows and tasks over Kafka', C3: 'Jobs over Redis', C4: 'Pages over AMQP', C5: 'Collected data over AMQP' };
const CONTRACTS = [[/streamops\//, 'C2'], [/\/crawl-/, 'C1'], [/\/job/, 'C3'], [/\/page/, 'C4'], [/\/(collected|analyze)/, 'C5']];

/** A kind of message without an example. */
function unseen(address) {
  const contract = CONTRACTS.find(([pattern]) => pattern.test(address))?.[1] ?? '';
  return { contract, schema: address, message: address.split('/').pop().replace('.schema.json', '') };
}

class Contracts extends View {
  static properties = { api: { state: true }, index: { state: true }, examples: { state: true }, schemas: { state: true } };

  constructor() {
    super();
    this.schemas = new Map();
  }

  connectedCallback() {
    super.connectedCallback();
    this.fetch();
  }

  fetch() {
    this.load('api', (signal) => get('/contracts/asyncapi.json', { signal }));
    this.load('index', (signal) => get('/contracts/', { signal }));
    this.every(5000, () => this.load('examples', async (signal) => (await get('/api/contracts/examples', { signal })).examples));
  }

  /** All kinds of messages, with an example if there is one. */
  kinds() {
    const seen = this.examples ?? [];
    const described = (this.index?.contracts ?? []).filter((address) => address.endsWith('.schema.json') && !address.endsWith('/envelope.schema.json'));
    const others = described.filter((address) => !seen.some((example) => example.schema === address)).map(unseen);
    return [...seen, ...others].sort((one, other) => one.contract.localeCompare(other.contract) || one.message.localeCompare(other.message));
  }

  async schema(address) {
    if (!address || this.schemas.has(address)) return;
    this.schemas.set(address, null);
    const schema = await get(address).catch(() => null);
    this.schemas = new Map(this.schemas.set(address, schema));
  }

  channel(name, channel, operations) {
    const own = operations.filter(([, operation]) => operation.channel?.$ref?.endsWith(`/${name.replaceAll('/', '~1')}`));
    return html`<li><strong>${channel.address ?? name}</strong> ${own.map(([, operation]) => html`<span class="pill calm">${operation.action}</span> `)}<br><span class="dim">${channel.description ?? channel.title ?? ''}</span></li>`;
  }

  example(example) {
    return html`${headersOf(example.headers)}<p>${example.valid ? html`<tm-status status="valid"></tm-status> fits its schema` : html`<tm-status status="invalid"></tm-status> ${(example.violations ?? []).join('; ')}`} · seen <tm-time .at=${example.seenAt}></tm-time> on <code>${example.channel}</code>${example.key ? html` with the key <code>${example.key}</code>` : nothing}</p>
      <tm-json .value=${raw(example) ?? ''} label=${`A ${example.message} seen on the wire`}></tm-json>`;
  }

  message(example) {
    const schema = this.schemas.get(example.schema);
    return html`<details class="message" id=${`message-${example.message}`} ?open=${this.parts[0] === example.message} @toggle=${() => this.schema(example.schema)}><summary><strong>${example.message}</strong> ${example.seenAt ? html`${example.valid ? nothing : html`<tm-status status="invalid"></tm-status>`}<small>seen <tm-time .at=${example.seenAt}></tm-time> on <code>${example.channel}</code></small>` : html`<small>not seen yet</small>`}</summary>
      <div class="split"><div>${schema ? html`<p>${schema.description ?? ''} <a href=${at(example.schema)}>Schema</a></p><div class="scroll" tabindex="0" role="region" aria-label=${`Fields of ${example.message}`}><table class="plain"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Rules</th></tr></thead>
        <tbody>${[...fields(schema)].map((field) => html`<tr><th scope="row"><code>${'  '.repeat(field.depth)}${field.name}</code> ${field.needed ? html`<span class="needed">needed</span>` : nothing}</th><td class="type">${field.type}</td><td>${field.rules}${field.rules && field.about ? html`<br>` : nothing}${field.about ? html`<span class="dim">${field.about}</span>` : nothing}</td></tr>`)}</tbody></table></div>` : html`<p><a href=${at(example.schema)}>Schema</a></p>`}</div>
      <div>${example.seenAt ? this.example(example) : html`<p class="dim">No such message was seen yet.</p>`}</div></div></details>`;
  }

  messages() {
    const kinds = this.kinds();
    const wanted = this.parts[0];
    return html`${wanted && !kinds.some((each) => each.message === wanted) ? html`<div class="note" role="status"><div><strong>Not found</strong><p>No message is called ${wanted}.</p></div></div>` : nothing}
      ${[...new Set(kinds.map((each) => each.contract))].map((contract) => html`<section class="contract" aria-label=${contract}><h2>${contract} <small>${TITLES[contract] ?? ''}</small></h2>
        <div class="card messages">${repeat(kinds.filter((each) => each.contract === contract), (each) => each.schema + each.message, (each) => this.message(each))}</div></section>`)}`;
  }

  /** Scrolls once to the message in the URL. */
  updated() {
    const [wanted] = this.parts;
    const found = wanted && this.querySelector(`#message-${CSS.escape(wanted)}`);
    if (!found || this.sought === wanted) return;
    this.sought = wanted;
    found.scrollIntoView({ block: 'start' });
  }

  render() {
    const operations = Object.entries(this.api?.operations ?? {});
    return html`${heading('Contracts', html`<a href=${at('/contracts/asyncapi.json')}>AsyncAPI</a><a href=${at('/openapi.json')}>OpenAPI</a>`)}
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>
      ${this.index ? this.messages() : this.problem ? nothing : busy('Fetching the contracts…')}
      ${this.api ? html`<section class="card"><h2>Channels</h2><p class="dim">${this.api.info?.description ?? ''}</p><ul class="channels">${Object.entries(this.api.channels ?? {}).map(([name, channel]) => this.channel(name, channel, operations))}</ul>
        <p>Messages in them now: <a href=${to('servers')}>Servers</a></p></section>` : nothing}`;
  }
}

customElements.define('tm-contracts', Contracts);
