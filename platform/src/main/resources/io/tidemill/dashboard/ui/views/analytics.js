// Analytics: the projects with collected items, and one in detail.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { Listing } from '../core/listing.js';
import { to } from '../core/router.js';
import { number } from '../core/format.js';
import { busy, empty } from '../parts/basics.js';
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
  constructor() {
    super();
    this.list = new Listing({ first: PAGE, further: PAGE, fetch: (options) => this.page(options), key: (row) => row.project, order: (row) => row.project, upwards: true, changed: () => this.requestUpdate() });
  }

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const list = this.parts.length === 0;
    if (list === this.listing) return;
    this.listing = list;
    if (list) this.every(5000, () => this.list.refresh(), 'list');
    else this.end('list');
  }

  connectedCallback() {
    super.connectedCallback();
    this.listing = undefined;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.list.stop();
  }

  async page({ limit, next, signal }) {
    const answer = await get(withQuery('/api/analytics/projects', { limit, after: next }), { signal });
    return { rows: answer.projects, next: answer.next ?? undefined };
  }

  rows() {
    const { rows, problem } = this.list;
    if (!rows) return problem ? nothing : busy('Fetching projects…');
    if (!rows.length) return empty('Nothing was collected yet', html`Pages that are crawled are items of the project “web”, unless a crawl names another. <a href=${to('crawls', { new: '1' })}>Start a crawl</a>`);
    return html`<tm-table label="Projects" .columns=${COLUMNS} .rows=${rows} .key=${(row) => row.project} .href=${(row) => to('analytics', row.project)} @more=${() => this.list.more()}></tm-table>`;
  }

  render() {
    if (this.parts.length) return html`<tm-project .route=${this.route}></tm-project>`;
    return html`${heading('Analytics')}<tm-problem .problem=${this.list.problem} @again=${() => this.list.refresh()}></tm-problem>${this.rows()}`;
  }
}

customElements.define('tm-analytics', Analytics);
