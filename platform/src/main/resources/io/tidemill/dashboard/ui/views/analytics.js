// Analytics: the projects that something was collected for, and one of them.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to } from '../core/router.js';
import { number, count } from '../core/format.js';
import { empty } from '../parts/basics.js';
import '../parts/table.js';
import './analytics-project.js';

const PAGE = 100;

const COLUMNS = [
  { title: 'Project', width: 'minmax(0, 3fr)', render: (row) => row.project },
  { title: 'Items', width: '6rem', end: true, render: (row) => number(row.totals.items) },
  { title: 'Batches', width: '6rem', end: true, wide: true, render: (row) => number(row.totals.batches) },
  { title: 'Failed', width: '6rem', end: true, wide: true, render: (row) => (row.totals.failed ? html`<span class="pill bad">${number(row.totals.failed)}</span>` : '0') },
  { title: 'Latest', width: '8rem', end: true, render: (row) => html`<tm-time .at=${row.latest}></tm-time>` },
];

class Analytics extends View {
  static properties = { page: { state: true }, rows: { state: true } };

  willUpdate(changed) {
    if (changed.has('page') && this.page) this.take(this.page);
    if (!changed.has('route')) return;
    const list = this.parts.length === 0;
    if (list === this.listing) return;
    this.listing = list;
    this.problem = null;
    if (list) this.every(5000, () => this.refresh(), 'list');
    else this.end('list');
  }

  connectedCallback() {
    super.connectedCallback();
    this.listing = undefined;
  }

  ask(after, signal) {
    return get(withQuery('/api/analytics/projects', { limit: PAGE, after }), { signal });
  }

  refresh() {
    return this.load('page', async (signal) => ({ ...(await this.ask(undefined, signal)), first: true }));
  }

  /** The first page anew; what was fetched behind it stays. */
  take({ projects, next, first }) {
    const fresh = new Set(projects.map((row) => row.project));
    if (!first) {
      this.rows = [...this.rows.filter((row) => !fresh.has(row.project)), ...projects];
      this.next = next;
      return;
    }
    const last = projects.at(-1)?.project ?? '';
    const behind = next ? (this.rows ?? []).filter((row) => !fresh.has(row.project) && row.project > last) : [];
    this.rows = [...projects, ...behind];
    if (!behind.length) this.next = next;
  }

  more() {
    if (this.next && !this.loading && !this.problem) this.load('page', (signal) => this.ask(this.next, signal));
  }

  render() {
    if (this.parts.length) return html`<tm-project .route=${this.route}></tm-project>`;
    return html`${heading('Analytics')}<tm-problem .problem=${this.problem} @again=${() => this.refresh()}></tm-problem>
      ${!this.rows ? (this.problem ? nothing : html`<p class="dim" aria-busy="true">Fetching projects…</p>`)
        : this.rows.length ? html`<p class="dim list-count" role="status">${count(this.rows.length, 'project')}${this.next ? ', and more' : ''}</p><tm-table label="Projects" .columns=${COLUMNS} .rows=${this.rows} .key=${(row) => row.project} .href=${(row) => to('analytics', row.project)} @more=${this.more}></tm-table>`
          : empty('Nothing was collected yet', html`Pages that are crawled are items of the project “web”, unless a crawl names another. <a href=${to('crawls', { new: '1' })}>Start a crawl</a>`)}`;
  }
}

customElements.define('tm-analytics', Analytics);
