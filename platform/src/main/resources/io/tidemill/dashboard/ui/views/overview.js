// The overview: health, rates, backlogs and their reasons.
import { View, html, nothing, heading } from '../core/element.js';
import { get } from '../core/api.js';
import { to } from '../core/router.js';
import { now as clock } from '../core/clock.js';
import { rate, number, span, bytes, compact, count, sentence } from '../core/format.js';
import { busy, tone } from '../parts/basics.js';
import '../parts/chart.js';
import './overview-map.js';

const KEPT = 90;
const VERDICTS = { ok: 'good', busy: 'busy', warn: 'busy', down: 'bad' };
const DEAD = { 'jobs:stream': 'jobs' };

class Overview extends View {
  static properties = { now: { state: true }, state: { state: true }, chosen: { state: true } };

  constructor() {
    super();
    this.history = new Map();
  }

  connectedCallback() {
    super.connectedCallback();
    this.start();
  }

  /** Loads the current state, then follows changes. */
  async start() {
    await this.load('now', (signal) => get('/api/overview', { signal }));
    if (!this.isConnected) return;
    this.follow('/api/overview/events', {
      onEvent: (event) => {
        if (event.type !== 'overview') return;
        this.now = event.data;
        this.problem = null;
        for (const contract of event.data.contracts) this.remember(contract);
      },
      onState: (state) => {
        this.state = state;
        if (state instanceof Error) this.problem = state;
      },
    });
  }

  /** Highlights a contract in the map and the table, and scrolls to its row. */
  async choose(channel) {
    this.chosen = channel;
    await this.updateComplete;
    this.querySelector(`#contract-${CSS.escape(channel)}`)?.scrollIntoView({ block: 'nearest' });
  }

  remember(contract) {
    const values = this.history.get(contract.channel) ?? [];
    values.push(contract.rate ?? 0);
    if (values.length > KEPT) values.shift();
    this.history.set(contract.channel, [...values]);
  }

  verdict({ level, text }) {
    return html`<div class="note verdict ${VERDICTS[level] ?? 'calm'}" role="status"><div><strong>${text}</strong></div></div>`;
  }

  /** The totals. */
  figures({ contracts, dead, stores = [] }) {
    const sum = (name) => contracts.reduce((all, contract) => all + (contract[name] ?? 0), 0);
    const pages = contracts.find((contract) => contract.channel === 'crawl-requests')?.pages;
    const store = (name) => stores.find((each) => each.name === name);
    const figure = (title, value, href = null) => html`<div class="figure"><small>${title}</small><strong>${href ? html`<a href=${href}>${value}</a>` : value}</strong></div>`;
    return html`<section class="card figures" aria-label="Figures">${figure('Done a second', rate(sum('doneRate')).replace('/s', ''))}${figure('Under way', number(sum('running')))}${figure('Waiting', number(sum('depth')))}
      ${figure('Pages to fetch', number(pages))}${figure('Dead letters', number(dead), dead ? to('dead') : null)}${figure('Pages in the index', compact(store('index')?.documents), to('search'))}${figure('Items', compact(store('analytics')?.items), to('analytics'))}</section>`;
  }

  waiting(contracts) {
    const waits = contracts.filter((contract) => contract.why?.length);
    if (!waits.length) return nothing;
    return html`<section class="card" aria-labelledby="why"><h2 id="why">Why is it waiting?</h2><ul class="whys">${waits.map((contract) => html`<li>
      <strong>${contract.channel}</strong> <span class="dim">${contract.pages && !contract.depth ? `${count(contract.pages, 'page')} to fetch` : `${number(contract.depth)} waiting`}</span>
      <ul>${contract.why.map((why) => html`<li><span class="pill ${['NO_CONSUMER', 'SERVER_DOWN', 'INDEX_ELSEWHERE'].includes(why.code) ? 'bad' : 'busy'}">${why.code.toLowerCase().replaceAll('_', ' ')}</span> ${sentence(why.text)} ${why.until > clock() + 1000 ? html`<tm-countdown .until=${why.until}></tm-countdown>` : nothing}</li>`)}</ul></li>`)}</ul></section>`;
  }

  contract(contract) {
    const dead = DEAD[contract.channel] ?? contract.channel;
    return html`<tr id=${`contract-${contract.channel}`} class=${contract.channel === this.chosen ? 'current' : ''}>
      <th scope="row"><small>${contract.id}</small> ${contract.channel}<br><small>${contract.from} → ${contract.to}, ${contract.carrier}</small></th>
      <td class="wide"><tm-spark .values=${this.history.get(contract.channel) ?? []} .label=${`Rate of ${contract.channel}`}></tm-spark></td>
      <td class="end">${rate(contract.rate)}</td><td class="end">${number(contract.depth)}</td><td class="end wide">${number(contract.running)}</td>
      <td class="end wide">${contract.oldestMs === null || contract.oldestMs === undefined ? '–' : span(contract.oldestMs)}</td>
      <td class="end">${contract.dead ? html`<a href=${to('dead', { source: dead })}>${number(contract.dead)}</a>` : number(contract.dead)}</td>
      <td class="end wide">${number(contract.consumers)}</td></tr>`;
  }

  /** Failed pages are dead letters of no channel: with them the column adds up to the figure above. */
  failedPages(pages) {
    return pages > 0 ? html`<tfoot><tr><th scope="row">pages<br><small>that crawls could not fetch</small></th><td class="wide"></td><td></td><td></td><td class="wide"></td><td class="wide"></td>
      <td class="end"><a href=${to('dead', { source: 'pages' })}>${number(pages)}</a></td><td class="wide"></td></tr></tfoot>` : nothing;
  }

  contracts(now) {
    return html`<section class="card" aria-labelledby="contracts"><h2 id="contracts">Contracts</h2><div class="scroll" tabindex="0" role="region" aria-label="Contracts as they stand"><table class="plain">
      <thead><tr><th scope="col">Channel</th><th scope="col" class="wide">Trend</th><th scope="col" class="end">Rate</th><th scope="col" class="end">Waiting</th><th scope="col" class="end wide">Running</th><th scope="col" class="end wide">Oldest</th><th scope="col" class="end">Dead</th><th scope="col" class="end wide">Readers</th></tr></thead>
      <tbody>${now.contracts.map((contract) => this.contract(contract))}</tbody>${this.failedPages(now.deadPages)}</table></div></section>`;
  }

  role(role) {
    return html`<div class="card role"><h3>${role.name} <tm-status .status=${role.status}></tm-status></h3><p>${role.text}</p>
      ${role.processes.length ? html`<ul class="processes">${role.processes.map((process) => html`<li><span class="mono">${process.host}:${process.pid}</span> <small>started <tm-time .at=${process.startedAt}></tm-time></small>
        ${this.failing(process.checks)}</li>`)}</ul>` : nothing}</div>`;
  }

  failing(checks = {}) {
    const down = Object.entries(checks).filter(([, check]) => check.status !== 'up');
    return down.length ? html`<ul>${down.map(([name, check]) => check.status === 'starting' ? html`<li class="dim">${name} is starting: ${check.detail}</li>` : html`<li class="fault">${name}: ${check.detail}</li>`)}</ul>` : nothing;
  }

  servers(servers, stores = []) {
    const store = Object.fromEntries(stores.map((each) => [each.name, each]));
    const more = ({ name }) => (name === 'index' && store.index ? `${compact(store.index.documents)} pages, ${bytes(store.index.bytes)}` : name === 'analytics' && store.analytics ? `${compact(store.analytics.items)} items` : '');
    return html`<section class="card" aria-labelledby="servers"><h2 id="servers">Servers and stores</h2><ul class="servers">${servers.map((server) => html`<li>
      <span class="pill ${server.status === 'off' ? 'calm' : tone(server.status)}">${server.status}</span> <strong>${server.name}</strong> <span class="dim">${[more(server), server.status === 'up' ? server.address : server.detail].filter(Boolean).join(' · ')}</span></li>`)}</ul>
      <p><a href="#/servers">Topics, queues and streams</a></p></section>`;
  }

  render() {
    const now = this.now;
    const live = this.state === 'live' ? html`<span class="live-sign">live</span>` : this.state === 'waiting' ? html`<span class="live-sign off">reconnecting</span>` : nothing;
    return html`${heading('Overview', live)}
      <tm-problem .problem=${this.problem} @again=${() => this.start()}></tm-problem>
      ${!now ? (this.problem ? nothing : busy('Loading…')) : html`
        ${this.verdict(now.verdict)}
        ${this.figures(now)}
        <section class="card map" aria-label="Map"><tm-overview-map .now=${now} .chosen=${this.chosen} @choose=${(event) => this.choose(event.detail)}></tm-overview-map></section>
        ${this.waiting(now.contracts)}
        ${this.contracts(now)}
        <section aria-labelledby="roles"><h2 id="roles">Roles</h2><div class="cards roles">${now.roles.map((role) => this.role(role))}</div></section>
        ${this.servers(now.servers, now.stores)}`}`;
  }
}

customElements.define('tm-overview', Overview);
