// Brokers and stores, and their messages (read-only).
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to } from '../core/router.js';
import { number, bytes, count, dateTime } from '../core/format.js';
import { busy, tone, empty, facts, fact } from '../parts/basics.js';
import './messages.js';

const PEEK = 20;
const sum = (rows, value) => rows.reduce((all, row) => all + value(row), 0);

class Servers extends View {
  static properties = { servers: { state: true }, peek: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.every(4000, () => this.refresh());
  }

  refresh() {
    return this.load('servers', (signal) => get('/api/servers', { signal }));
  }

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const [carrier, channel] = this.parts;
    const key = `${carrier}/${channel}`;
    if (key === this.peeked) return;
    this.peeked = key;
    this.peek = null;
    this.problem = null;
    this.leave('peek');
    if (channel) this.look();
  }

  look(before) {
    const [carrier, channel] = this.parts;
    const more = carrier === 'redis' ? { before } : { from: before };
    return this.load('peek', async (signal) => {
      const page = await get(withQuery(`/api/servers/${encodeURIComponent(carrier)}/${encodeURIComponent(channel)}`, { limit: PEEK, ...more }), { signal });
      return before && this.peek ? { messages: [...this.peek.messages, ...page.messages], next: page.next } : page;
    });
  }

  part(name, title, part, content) {
    if (!part) return nothing;
    return html`<section class="card" aria-labelledby=${`server-${name}`}><h2 id=${`server-${name}`}><span class="pill ${part.status === 'off' ? 'calm' : tone(part.status)}">${part.status}</span> ${title} <small>${part.detail ?? ''}</small></h2>
      ${part.status === 'up' ? content(part) : nothing}</section>`;
  }

  table(label, columns, rows) {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table class="plain"><thead><tr>${columns.map(([title, end]) => html`<th scope="col" class=${end ? 'end' : ''}>${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
  }

  kafka(part) {
    return this.table('Topics', [['Topic'], ['Messages', 1], ['Bytes', 1], ['Partitions', 1], ['Groups and lag']], (part.topics ?? []).map((topic) => html`<tr>
      <th scope="row"><a href=${to('servers', 'kafka', topic.name)}>${topic.serverName ?? topic.name}</a></th><td class="end">${number(topic.messages)}</td><td class="end">${bytes(topic.bytes)}</td><td class="end">${topic.partitions?.length ?? '–'}</td>
      <td>${(topic.groups ?? []).map((group) => html`<div>${group.serverName ?? group.group}: <span class=${group.lag > 0 ? 'fault' : ''}>${number(group.lag)} behind</span>, ${count(group.members ?? 0, 'member')}</div>`)}</td></tr>`));
  }

  amqp(part) {
    return this.table('Queues', [['Queue'], ['Messages', 1], ['Consumers', 1], ['Kind']], (part.queues ?? []).map((queue) => html`<tr>
      <th scope="row"><a href=${to('servers', 'amqp', queue.name)}>${queue.serverName ?? queue.name}</a></th><td class="end">${number(queue.messages)}</td><td class="end">${number(queue.consumers)}</td><td>${queue.kind}</td></tr>`));
  }

  redis(part) {
    return html`${facts(fact('Version', part.version), fact('Memory', `${bytes(part.memory)}${part.memoryShare ? `, ${number(part.memoryShare * 100)} % of what it may use` : ''}`), fact('Clients', number(part.clients)), fact('Commands a second', number(part.opsPerSecond)))}
      ${this.table('Streams', [['Stream'], ['Entries', 1], ['Groups']], (part.streams ?? []).map((stream) => html`<tr><th scope="row"><a href=${to('servers', 'redis', stream.name)}>${stream.serverName ?? stream.name}</a></th><td class="end">${number(stream.length)}</td>
        <td>${(stream.groups ?? []).map((group) => html`<div>${group.name}: ${number(group.pending)} pending, ${group.lag === null || group.lag === undefined ? '–' : number(group.lag)} behind, ${count(group.consumers, 'consumer')}</div>`)}</td></tr>`))}`;
  }

  all() {
    const servers = this.servers;
    if (!servers) return this.problem ? nothing : busy('Looking…');
    return html`${this.part('kafka', 'Kafka', servers.kafka, (part) => this.kafka(part))}
      ${this.part('amqp', 'AMQP', servers.amqp, (part) => this.amqp(part))}
      ${this.part('redis', 'Redis', servers.redis, (part) => this.redis(part))}
      <div class="cards">${this.part('s3', 'Object store', servers.s3, (part) => html`<ul>${(part.buckets ?? []).map((bucket) => html`<li>${bucket}</li>`)}</ul>`)}
      ${this.part('index', 'Search index', servers.index, (part) => facts(fact('Pages', number(part.documents)), fact('Size', bytes(part.bytes)), fact('Committed', part.committedAt ? html`<tm-time .at=${part.committedAt}></tm-time>` : '–')))}
      ${this.part('vectors', 'Vectors', servers.vectors, (part) => facts(fact('Passages', number(part.passages)), fact('Behind', number(part.behind))))}
      ${this.part('analytics', 'Analytics', servers.analytics, () => nothing)}</div>`;
  }

  one() {
    const [carrier] = this.parts;
    const messages = this.peek?.messages;
    return html`<p class="dim">The newest messages; looking at them changes nothing${carrier === 'amqp' ? ' but the mark “redelivered”' : ''}. ${carrier === 'kafka' && this.servers?.kafka?.topics ? this.held() : nothing}</p>
      <tm-problem .problem=${this.problem} @again=${() => this.look()}></tm-problem>
      ${messages ? (messages.length ? html`<tm-messages .messages=${messages}></tm-messages>` : empty('Nothing is in it', 'Messages that were read and acknowledged are gone from a queue.')) : this.problem ? nothing : busy('Looking…')}
      ${this.peek?.next ? html`<p><button type="button" @click=${() => this.look(this.peek.next)}>Older ones</button></p>` : nothing}`;
  }

  held() {
    const topic = this.servers.kafka.topics.find((each) => each.name === this.parts[1]);
    return topic ? `${number(sum(topic.partitions ?? [], (each) => each.end - each.begin))} in ${count(topic.partitions?.length ?? 0, 'partition')}.` : nothing;
  }

  render() {
    const [, channel] = this.parts;
    return html`${heading(channel ?? 'Servers', channel ? html`<button type="button" @click=${() => this.look()}>Look again</button><a href="#/servers">All servers</a>` : nothing)}
      <tm-problem .problem=${channel ? null : this.problem} @again=${() => this.refresh()}></tm-problem>
      ${channel ? this.one() : this.all()}`;
  }
}

customElements.define('tm-servers', Servers);
