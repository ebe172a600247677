// Crawls: the list with progress, newest first, and one in detail.
import { View, html, nothing, heading, css } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { Listing } from '../core/listing.js';
import { to, go, refine } from '../core/router.js';
import { count, number, rate } from '../core/format.js';
import { busy, empty } from '../parts/basics.js';
import { plainUrl } from '../parts/external-link.js';
import { Speeds } from './crawls-speed.js';
import '../parts/table.js';
import './crawls-detail.js';
import './crawls-new.js';

const STATES = [['pending', 'pending or running'], ['completed', 'completed'], ['failed', 'failed'], ['canceled', 'canceled']];
const PARTS = [['fetched', 'good'], ['skipped', 'calm'], ['failed', 'bad'], ['waiting', 'open']];

const why = (crawl) => (crawl.status === 'failed' ? (crawl.result?.errorMessage ?? '') : '');
const isPreview = (crawl) => Boolean(crawl.result?.preview || crawl.dryRun);
const state = (crawl) => (crawl.status === 'pending' && crawl.startedAt ? 'running' : crawl.status);

/** The outcomes of its pages as a small bar. */
function bar(progress, running) {
  const words = PARTS.filter(([name]) => progress[name] && (running || name !== 'waiting')).map(([name]) => `${number(progress[name])} ${name}`).join(', ');
  return html`<span class="c-bar small ${running ? 'running' : ''}" role="img" aria-label=${words || 'nothing yet'} title=${words}>${PARTS.map(([name, kind]) => html`<i class="c-${kind}" style=${css({ 'flex-grow': String(name === 'waiting' && !running ? 0 : (progress[name] ?? 0)) })}></i>`)}</span>`;
}

class Crawls extends View {
  constructor() {
    super();
    this.speeds = new Speeds();
    this.list = new Listing({ fetch: (options) => this.page(options), key: (crawl) => crawl.id, order: (crawl) => crawl.createdAt, changed: () => this.requestUpdate() });
  }

  get crawlId() {
    return this.parts[0];
  }

  get filters() {
    return { email: this.param('email'), status: this.param('status') };
  }

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const asked = this.crawlId ? null : JSON.stringify(this.filters);
    if (asked === this.asked) return;
    this.asked = asked;
    this.end('list');
    this.list.stop();
    if (asked === null) return;
    if (asked !== this.listed) this.list.reset();
    this.listed = asked;
    this.every(2000, () => this.list.refresh(), 'list');
  }

  updated() {
    if (!this.crawlId && this.param('new') === '1') {
      const url = this.param('url');
      refine({ new: null, url: null });
      this.start({ url });
    }
  }

  connectedCallback() {
    super.connectedCallback();
    this.asked = undefined;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.list.stop();
  }

  async page({ limit, count: offset, signal }) {
    const { crawls, total } = await get(withQuery('/api/crawls', { ...this.filters, limit, offset }), { signal });
    this.speeds.note(crawls);
    const end = offset + crawls.length;
    return { rows: crawls, total, next: crawls.length && end < total ? end : undefined };
  }

  columns() {
    return [
      { title: 'URL', width: 'minmax(0, 3fr)', render: (crawl) => html`<span title=${crawl.url}>${plainUrl(crawl.url)}</span>${isPreview(crawl) ? html` <span class="pill calm">preview</span>` : nothing}` },
      { title: 'Status', width: '6.1rem', render: (crawl) => html`<tm-status .status=${state(crawl)}></tm-status>` },
      { title: 'Owner', width: 'minmax(0, 1.4fr)', wide: true, render: (crawl) => html`<span title=${crawl.email}>${crawl.email}</span>` },
      { title: 'Pages', width: 'minmax(9rem, 1.6fr)', wide: true, render: (crawl) => this.progress(crawl) },
      { title: 'Rate', width: '4.5rem', end: true, wide: true, render: (crawl) => html`<span class="count">${crawl.status === 'pending' ? rate(this.speeds.of(crawl.id)) : '–'}</span>` },
      { title: 'Failed', width: '4.5rem', end: true, wide: true, render: (crawl) => html`<span class=${crawl.progress?.failed ? 'c-failed' : 'dim'}>${number(crawl.progress?.failed)}</span>` },
      { title: 'Age', width: '5.8rem', end: true, render: (crawl) => html`<tm-time .at=${crawl.createdAt}></tm-time>` },
    ];
  }

  progress(crawl) {
    if (why(crawl)) return html`<span class="dim" title=${why(crawl)}>${why(crawl)}</span>`;
    const { progress } = crawl;
    if (!progress) return html`<span class="dim">${crawl.status === 'pending' ? 'waits for a crawler' : '–'}</span>`;
    const running = crawl.status === 'pending';
    const done = progress.fetched + progress.skipped + progress.failed;
    return html`<span class="c-pages">${bar(progress, running)}<span class="count">${number(done)}${running && progress.waiting ? ` of ${number(done + progress.waiting)}` : ''}</span></span>`;
  }

  start(prefill = {}) {
    this.querySelector('tm-crawl-new').open({ email: this.param('email') || undefined, ...prefill });
  }

  rows() {
    const { rows, total, problem } = this.list;
    if (!rows) return problem ? nothing : busy('Fetching crawls…');
    if (!rows.length) {
      return this.filters.email || this.filters.status
        ? empty('No crawl fits these filters', html`<button type="button" @click=${() => refine({ email: null, status: null })}>Show all crawls</button>`)
        : empty('No crawls yet', html`Give Tidemill a URL, and its pages can be searched moments later.<br><br><tm-action kind="primary" label="Start a crawl" @act=${() => this.start()}></tm-action>`);
    }
    return html`<tm-table label="Crawls" .columns=${this.columns()} .rows=${rows} .total=${total} .href=${(crawl) => to('crawls', crawl.id)} @more=${() => this.list.more()}></tm-table>`;
  }

  filterBar() {
    const owners = [...new Set((this.list.rows ?? []).map((crawl) => crawl.email))].slice(0, 50);
    return html`<form class="filters" @submit=${(event) => event.preventDefault()}>
      <label class="broad">Owner<input type="search" name="email" placeholder="name@example.org" list="owners" autocomplete="off" .value=${this.filters.email} @change=${(event) => refine({ email: event.target.value.trim() })}></label>
      <datalist id="owners">${owners.map((email) => html`<option value=${email}></option>`)}</datalist>
      <label>Status<select name="status" @change=${(event) => refine({ status: event.target.value })}><option value="" ?selected=${!this.filters.status}>All</option>
        ${STATES.map(([each, words]) => html`<option value=${each} ?selected=${each === this.filters.status}>${words}</option>`)}</select></label>
      <p class="list-count" aria-live="polite">${this.list.rows ? html`<b>${number(this.list.total)}</b> ${count(this.list.total, 'crawl').replace(/^\S+ /, '')}` : nothing}</p></form>`;
  }

  render() {
    const dialog = html`<tm-crawl-new @started=${(event) => go(to('crawls', event.detail.id))}></tm-crawl-new>`;
    if (this.crawlId) return html`<tm-crawl .route=${this.route} .back=${to('crawls', this.listed ? JSON.parse(this.listed) : {})} @repeat=${(event) => this.start(event.detail)}></tm-crawl>${dialog}`;
    return html`${heading('Crawls', html`<tm-action kind="primary" label="New crawl" data-new @act=${() => this.start()}></tm-action>`)}
      ${this.filterBar()}
      <tm-problem .problem=${this.list.problem} @again=${() => this.list.refresh()}></tm-problem>
      ${this.rows()}${dialog}`;
  }
}

customElements.define('tm-crawls', Crawls);
