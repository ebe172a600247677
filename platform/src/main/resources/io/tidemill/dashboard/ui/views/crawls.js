// Crawls: all of them, newest first, and one with everything that is known of it.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to, go, refine } from '../core/router.js';
import { number } from '../core/format.js';
import { empty } from '../parts/basics.js';
import { plainUrl } from '../parts/outside.js';
import '../parts/table.js';
import './crawls-detail.js';
import './crawls-new.js';

const PAGE = 50;
const STATES = ['pending', 'completed', 'failed', 'canceled'];

/** Pages that were fetched, from wherever a row says it. */
const fetched = (crawl) => crawl.progress?.fetched ?? crawl.result?.fetched ?? (crawl.result?.preview ? 0 : crawl.status === 'completed' ? 1 : null);

const why = (crawl) => (crawl.status === 'failed' ? (crawl.result?.errorMessage ?? '') : '');

const COLUMNS = [
  { title: 'Status', width: '6.5rem', render: (crawl) => html`<tm-status .status=${crawl.status}></tm-status>` },
  { title: 'URL', width: 'minmax(0, 3fr)', render: (crawl) => html`<a href=${to('crawls', crawl.id)} tabindex="-1" title=${crawl.url}>${plainUrl(crawl.url)}</a>${crawl.result?.preview || crawl.dryRun ? html` <span class="pill calm">preview</span>` : nothing}` },
  { title: 'What happened', width: 'minmax(0, 2fr)', wide: true, render: (crawl) => html`<span class="dim" title=${why(crawl)}>${why(crawl)}</span>` },
  { title: 'Owner', width: 'minmax(0, 1.4fr)', wide: true, render: (crawl) => crawl.email },
  { title: 'Pages', width: '5rem', end: true, wide: true, render: (crawl) => number(fetched(crawl)) },
  { title: 'Age', width: '6.5rem', end: true, render: (crawl) => html`<tm-time .at=${crawl.createdAt}></tm-time>` },
];

class Crawls extends View {
  static properties = { page: { state: true }, rows: { state: true }, total: { state: true } };

  get crawlId() {
    return this.parts[0];
  }

  get filters() {
    return { email: this.param('email'), status: this.param('status') };
  }

  willUpdate(changed) {
    if (changed.has('page') && this.page) this.take(this.page);
    if (!changed.has('route')) return;
    const asked = this.crawlId ? null : JSON.stringify(this.filters);
    if (asked === this.asked) return;
    this.asked = asked;
    this.end('list');
    this.problem = null;
    if (asked === null) return;
    this.rows = null;
    this.every(3000, () => this.refresh(), 'list');
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

  ask(offset, signal) {
    return get(withQuery('/api/crawls', { ...this.filters, limit: PAGE, offset }), { signal });
  }

  refresh() {
    return this.load('page', (signal) => this.ask(0, signal));
  }

  /** The first page anew; what was fetched behind it stays. */
  take(page) {
    const first = page.crawls;
    const last = first.at(-1)?.createdAt ?? '';
    const known = new Set(first.map((crawl) => crawl.id));
    const behind = first.length < PAGE ? [] : (this.rows ?? []).filter((crawl) => crawl.createdAt <= last && !known.has(crawl.id));
    this.rows = [...first, ...behind];
    this.total = page.total ?? this.rows.length;
  }

  async more() {
    if (this.fetching || !this.rows || this.rows.length >= this.total) return;
    this.fetching = true;
    const asked = this.asked;
    try {
      const page = await this.ask(this.rows.length);
      if (asked !== this.asked) return;
      const known = new Set(this.rows.map((crawl) => crawl.id));
      const fresh = page.crawls.filter((crawl) => !known.has(crawl.id));
      this.rows = [...this.rows, ...fresh];
      this.total = fresh.length ? page.total : this.rows.length;
    } catch (failed) {
      this.problem = failed;
    } finally {
      this.fetching = false;
    }
  }

  start(prefill = {}) {
    this.querySelector('tm-crawl-new').open({ email: this.param('email') || undefined, ...prefill });
  }

  list() {
    if (!this.rows) return this.problem ? nothing : html`<p class="dim" aria-busy="true">Fetching crawls…</p>`;
    if (!this.rows.length) {
      return this.filters.email || this.filters.status
        ? empty('No crawl fits these filters', html`<button type="button" @click=${() => refine({ email: null, status: null })}>Show all crawls</button>`)
        : empty('No crawls yet', html`Give Tidemill a URL, and its pages can be searched moments later.<br><br><tm-action kind="primary" label="Start a crawl" @act=${() => this.start()}></tm-action>`);
    }
    return html`<p class="dim list-count" role="status">${this.total === 1 ? '1 crawl' : `${number(this.total)} crawls`}, newest first</p>
      <tm-table label="Crawls" .columns=${COLUMNS} .rows=${this.rows} .total=${this.total} .href=${(crawl) => to('crawls', crawl.id)} @more=${this.more}></tm-table>`;
  }

  render() {
    const dialog = html`<tm-crawl-new @started=${(event) => go(to('crawls', event.detail.id))}></tm-crawl-new>`;
    if (this.crawlId) return html`<tm-crawl .route=${this.route} @repeat=${(event) => this.start(event.detail)}></tm-crawl>${dialog}`;
    return html`${heading('Crawls', html`<tm-action kind="primary" label="New crawl" data-new @act=${() => this.start()}></tm-action>`)}
      <form class="filters" @submit=${(event) => event.preventDefault()}>
        <label class="broad">Owner<input type="search" name="email" placeholder="name@example.org" list="owners" .value=${this.filters.email} @change=${(event) => refine({ email: event.target.value.trim() })}></label>
        <datalist id="owners">${[...new Set((this.rows ?? []).map((crawl) => crawl.email))].slice(0, 50).map((email) => html`<option value=${email}></option>`)}</datalist>
        <label>Status<select name="status" @change=${(event) => refine({ status: event.target.value })}><option value="">all</option>
          ${STATES.map((state) => html`<option ?selected=${state === this.filters.status}>${state}</option>`)}</select></label>
      </form>
      <tm-problem .problem=${this.problem} @again=${() => this.refresh()}></tm-problem>
      ${this.list()}${dialog}`;
  }
}

customElements.define('tm-crawls', Crawls);
