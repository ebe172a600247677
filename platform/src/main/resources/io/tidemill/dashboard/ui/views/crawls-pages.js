// The pages of a crawl with their outcomes, as a list or grouped by reason.
import { View, html, nothing } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to, refine } from '../core/router.js';
import { bytes, number, count } from '../core/format.js';
import { busy, empty, facts, fact } from '../parts/basics.js';
import { externalLink, plainUrl } from '../parts/external-link.js';
import '../parts/table.js';
import '../parts/dialog.js';

const PAGE = 500;
const KEPT = 1000;
const OUTCOMES = ['fetched', 'skipped', 'failed'];

const COLUMNS = [
  { title: 'Outcome', width: '6rem', render: (page) => html`<tm-status .status=${page.outcome}></tm-status>` },
  { title: 'Page', width: 'minmax(0, 3fr)', render: (page) => html`<span title=${page.url}>${plainUrl(page.url)}</span>` },
  { title: 'Title or reason', width: 'minmax(0, 3fr)', wide: true, render: (page) => html`<span class=${page.reason ? 'dim' : ''} title=${page.reason ?? page.title ?? ''}>${page.reason ?? page.title ?? ''}</span>` },
  { title: 'Answer', width: '4rem', end: true, wide: true, render: (page) => page.status ?? '–' },
  { title: 'Size', width: '5rem', end: true, wide: true, render: (page) => bytes(page.bytes) },
  { title: 'Depth', width: '3.5rem', end: true, wide: true, render: (page) => page.depth ?? '–' },
];

/** Pages by reason: failures first, then the most frequent. URLs in reasons are ignored. */
export function grouped(pages) {
  const groups = new Map();
  for (const page of pages) {
    if (page.outcome === 'fetched') continue;
    const reason = String(page.reason ?? 'no reason was given').replace(/https?:\/\/\S+/g, '…');
    const key = `${page.outcome} ${reason}`;
    if (!groups.has(key)) groups.set(key, { key, reason, outcome: page.outcome, pages: [] });
    groups.get(key).pages.push(page);
  }
  return [...groups.values()].sort((a, b) => a.outcome.localeCompare(b.outcome) || b.pages.length - a.pages.length);
}

/** `<tm-crawl-pages .crawl=${crawl} .outcome=${'failed'} .grouped=${true}>` */
class CrawlPages extends View {
  static properties = { crawl: { attribute: false }, outcome: { attribute: false }, grouped: { attribute: false }, page: { state: true }, rows: { state: true }, shown: { state: true } };

  constructor() {
    super();
    this.rows = [];
  }

  willUpdate(changed) {
    if (changed.has('crawl') && this.crawl.id !== this.crawlId) {
      this.crawlId = this.crawl.id;
      this.rows = [];
      this.page = null;
      this.every(2000, () => this.refresh(), 'pages');
    } else if (changed.has('crawl') && this.crawl.status !== 'pending' && changed.get('crawl')?.status === 'pending') {
      this.refresh(); // what came last
    }
    if (changed.has('page') && this.page) {
      if (this.page.from === this.rows.length) this.rows = [...this.rows, ...this.page.pages.map((page, at) => ({ ...page, at: this.page.from + at }))];
      if (this.page.pages.length === PAGE) this.refresh();
    }
  }

  /** Fetches pages that were added since. */
  refresh() {
    const ended = this.crawl.status !== 'pending';
    const from = this.rows.length;
    if (from >= KEPT || (ended && this.page && !this.page.pages.length && this.page.ended)) return undefined;
    return this.load('page', async (signal) => ({ from, ended, pages: (await get(withQuery(`/api/crawls/${encodeURIComponent(this.crawl.id)}/pages`, { limit: PAGE, offset: from }), { signal })).pages }));
  }

  async open(page) {
    this.shown = page;
    await this.updateComplete;
    this.querySelector('tm-dialog').show();
  }

  about(page) {
    if (!page) return nothing;
    return html`<p>${externalLink(page.url)}</p>${page.reason ? html`<div class="note ${page.outcome === 'failed' ? 'bad' : ''}"><div>${page.reason}</div></div>` : nothing}
      ${facts(fact('Outcome', html`<tm-status .status=${page.outcome}></tm-status>`), fact('Title', page.title || '–'), fact('Answer of the host', page.status ?? '–'), fact('Size', bytes(page.bytes)), fact('Links from the first page', page.depth ?? '–'))}
      <div class="actions">${page.outcome === 'failed' ? html`<a class="button" href=${to('dead', { source: 'pages', q: page.url })}>Find it among the dead letters</a>` : nothing}
      ${page.outcome === 'fetched' ? html`<a class="button" href=${to('search', { crawl: this.crawl.id, page: page.url })}>Read it</a>` : nothing}</div>`;
  }

  /** The count of the crawl; some pages may not be listed. */
  counted(name) {
    const listed = this.rows.filter((page) => !name || page.outcome === name).length;
    const names = name ? [name] : OUTCOMES;
    return Math.max(listed, names.reduce((sum, each) => sum + (this.crawl.progress?.[each] ?? 0), 0));
  }

  note() {
    const all = this.counted('');
    const read = this.crawl.status !== 'pending' && this.page && !this.page.pages.length;
    if (read && this.rows.length && this.rows.length < Math.min(all, KEPT)) return html`<p class="dim">${number(all - this.rows.length)} of ${number(all)} ${all - this.rows.length === 1 ? 'is' : 'are'} only counted, not listed.</p>`;
    return this.rows.length >= KEPT && all > this.rows.length ? html`<p class="dim">The first ${number(KEPT)} of ${number(all)} pages are kept here.</p>` : nothing;
  }

  groups() {
    const groups = grouped(this.rows);
    if (!groups.length) return empty('Nothing went wrong', 'Pages that fail or are left out are grouped here by the reason.');
    return html`${this.note()}<div class="c-groups">${groups.map((group) => html`<details class="card c-group"><summary><tm-status .status=${group.outcome}></tm-status>
      <strong>${group.reason}</strong><span class="count">${count(group.pages.length, 'page')}</span></summary>
      <ul>${group.pages.slice(0, 100).map((page) => html`<li>${externalLink(page.url)}${group.reason.includes('…') ? html` <small>${page.reason}</small>` : nothing}</li>`)}</ul>
      ${group.pages.length > 100 ? html`<p class="dim">and ${number(group.pages.length - 100)} more</p>` : nothing}</details>`)}</div>`;
  }

  list() {
    const rows = this.outcome ? this.rows.filter((page) => page.outcome === this.outcome) : this.rows;
    return html`<div class="row c-filter" role="group" aria-label="Only pages that were">${['', ...OUTCOMES].map((name) => html`<button type="button" class="chip" aria-pressed=${(this.outcome || '') === name} @click=${() => refine({ outcome: name })}>${name || 'all'}
        <span class="count">${number(this.counted(name))}</span></button>`)}</div>
      ${this.note()}
      ${rows.length ? html`<tm-table label="Pages of this crawl" .columns=${COLUMNS} .rows=${rows} .key=${(page) => page.at} @open=${(event) => this.open(event.detail)}></tm-table>`
        : this.page ? empty(this.outcome ? `No page was ${this.outcome}` : 'No pages yet', this.crawl.status === 'pending' ? 'They appear here as the crawler gets to them.' : 'This crawl ended before it got to a page, or it is so old that its pages are forgotten.')
          : busy('Fetching pages…')}`;
  }

  render() {
    return html`<tm-problem .problem=${this.problem} @again=${() => this.refresh()}></tm-problem>${this.grouped ? this.groups() : this.list()}
      <tm-dialog heading="Page" .content=${this.about(this.shown)}></tm-dialog>`;
  }
}

customElements.define('tm-crawl-pages', CrawlPages);
