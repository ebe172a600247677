// The items of a project, page by page, and those that failed.
import { View, html, nothing } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { refine, to } from '../core/router.js';
import { number, compact, dateTime } from '../core/format.js';
import { busy, empty, facts, fact } from '../parts/basics.js';
import { externalLink } from '../parts/external-link.js';
import { languageName } from './search-facets.js';
import '../parts/table.js';
import '../parts/dialog.js';

const PAGE = 100;
const TONE = { positive: 'good', negative: 'bad', neutral: 'calm', unknown: 'calm' };

const feeling = (item) => html`<span class="pill ${TONE[item.mood] ?? 'calm'}" title=${item.sentiment === null || item.sentiment === undefined ? 'no sentiment for this language' : `sentiment ${item.sentiment}`}>${item.mood}</span>`;

const ITEMS = [
  { title: 'Item', width: 'minmax(0, 4fr)', render: (item) => html`<span title=${item.title || item.text}>${item.title || item.text || item.id}</span>` },
  { title: 'Mood', width: '6rem', render: feeling },
  { title: 'Platform', width: '7rem', wide: true, render: (item) => item.platform },
  { title: 'Language', width: '6rem', wide: true, render: (item) => languageName(item.language) },
  { title: 'Impact', width: '4.5rem', end: true, wide: true, render: (item) => number(item.impact) },
  { title: 'Views', width: '4.5rem', end: true, wide: true, render: (item) => compact(item.engagement?.views) },
  { title: 'When', width: '7rem', end: true, render: (item) => html`<tm-time .at=${item.publishedAt ?? item.collectedAt}></tm-time>` },
];

const FAILURES = [
  { title: 'Code', width: '10rem', render: (row) => html`<span class="pill bad">${row.code}</span>` },
  { title: 'What happened', width: 'minmax(0, 3fr)', render: (row) => html`<span title=${row.message}>${row.message}</span>` },
  { title: 'Category', width: '8rem', wide: true, render: (row) => row.category },
  { title: 'Item', width: 'minmax(0, 2fr)', wide: true, render: (row) => row.url || row.id || `number ${row.position}` },
];

/** `<tm-items .project=${'web'} .filters=${{…}} sort="impact" .failures=${false} .fresh=${n}>`: `fresh` changes when there is more to see. */
class Items extends View {
  static properties = { project: { attribute: false }, filters: { attribute: false }, sort: {}, failures: { attribute: false }, fresh: { attribute: false }, page: { state: true }, rows: { state: true }, shown: { state: true } };

  willUpdate(changed) {
    const asked = JSON.stringify([this.project, this.failures ? null : [this.filters, this.sort], this.failures]);
    if (asked !== this.asked) {
      this.asked = asked;
      this.rows = null;
      this.page = null;
      this.reload();
    } else if (changed.has('fresh') && this.rows && this.rows.length <= PAGE) {
      this.reload(); // further down nothing moves under the reader
    }
    if (changed.has('page') && this.page) this.take(this.page);
  }

  take({ found, next, first }) {
    const from = first ? 0 : this.rows.length;
    const rows = found.map((row, at) => ({ ...row, at: from + at }));
    this.rows = first ? rows : [...this.rows, ...rows];
    this.next = next;
  }

  path(what) {
    return `/api/analytics/projects/${encodeURIComponent(this.project)}/${what}`;
  }

  async ask(after, signal) {
    if (this.failures) {
      const { failures } = await get(withQuery(this.path('failures'), { limit: PAGE, offset: after ?? '' }), { signal });
      return { found: failures, next: failures.length === PAGE ? (after ?? 0) + PAGE : null, first: !after };
    }
    const { items, next } = await get(withQuery(this.path('items'), { ...this.filters, sort: this.sort, limit: PAGE, after }), { signal });
    return { found: items, next, first: !after };
  }

  reload() {
    return this.load('page', (signal) => this.ask(undefined, signal));
  }

  more() {
    if (this.loading || !this.next || this.problem) return;
    this.load('page', (signal) => this.ask(this.next, signal));
  }

  async open(row) {
    this.shown = row;
    await this.updateComplete;
    this.querySelector('tm-dialog').show();
  }

  item(item) {
    const { engagement = {}, author = {} } = item;
    return html`<p>${item.url ? externalLink(item.url) : nothing}</p>${item.text ? html`<div class="page-text" tabindex="0" role="region" aria-label="Text of the item">${item.text}</div>` : nothing}
      <p class="row a-keys">${(item.keywords ?? []).map((each) => html`<button type="button" class="chip" @click=${() => { this.querySelector('tm-dialog').close(); refine({ keyword: each.keyword }); }}>${each.keyword}</button>`)}</p>
      ${facts(fact('Mood', html`${feeling(item)} ${item.sentiment === null || item.sentiment === undefined ? '' : number(item.sentiment)}`), fact('Impact', number(item.impact)), fact('Platform', item.platform), fact('Language', languageName(item.language)),
        fact('Published', item.publishedAt ? dateTime(item.publishedAt) : '–'), fact('Collected', dateTime(item.collectedAt)), fact('Author', author.name || author.id ? html`${author.name || author.id}${author.verified ? ' (verified)' : ''}${author.followers ? `, ${compact(author.followers)} followers` : ''}` : '–'),
        ...Object.entries(engagement).map(([name, value]) => fact(name[0].toUpperCase() + name.slice(1), number(value))), fact(item.platform === 'web' ? 'Crawl' : 'Job', item.platform === 'web' && item.job ? html`<a href=${to('crawls', item.job)}>${item.job}</a>` : item.job || '–'), fact('Id', html`<code>${item.id}</code>`), item.duplicateOf ? fact('Nearly the same as', html`<code>${item.duplicateOf}</code>`) : nothing)}`;
  }

  render() {
    const problem = html`<tm-problem .problem=${this.problem} @again=${() => (this.rows ? (this.problem = null, this.more()) : this.reload())}></tm-problem>`;
    if (!this.rows) return html`${problem}${this.problem ? nothing : busy('Fetching items…')}`;
    if (!this.rows.length) return html`${problem}${this.failures ? empty('Nothing failed', 'Items that can’t be had or understood are listed here.') : empty('No item fits these filters', 'Take a filter away to see more.')}`;
    return html`${problem}<tm-table .label=${this.failures ? 'Failures' : 'Items'} .columns=${this.failures ? FAILURES : ITEMS} .rows=${this.rows} .key=${(row) => row.at} @more=${this.more} @open=${(event) => this.open(event.detail)}></tm-table>
      <tm-dialog wide .heading=${this.failures ? 'Failed item' : this.shown?.title || 'Item'} .content=${this.shown ? (this.failures ? html`<p>${this.shown.message}</p><tm-json .value=${this.shown} label="Failed item"></tm-json>` : this.item(this.shown)) : nothing}></tm-dialog>`;
  }
}

customElements.define('tm-items', Items);
