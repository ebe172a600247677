// Search: results while you type. The URL holds the whole query, so it can be bookmarked and shared.
import { View, html, nothing, heading, repeat } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to, refine } from '../core/router.js';
import { number, count, short } from '../core/format.js';
import { busy, empty } from '../parts/basics.js';
import { say } from '../parts/dialog.js';
import { plainUrl } from '../parts/external-link.js';
import { facets, languageName } from './search-facets.js';
import { hitOf } from './search-hit.js';
import { removePage } from './search-page.js';
import './search-box.js';

const SIZE = 20;
const MOST = 10_000;
const PATIENCE = 30_000;
const CRAWLS = 50;
const FILTERS = ['site', 'lang', 'type', 'from', 'to', 'crawl'];

class Search extends View {
  static properties = { answer: { state: true }, crawls: { state: true }, hits: { state: true }, going: { state: true }, fetching: { state: true }, moreFault: { state: true } };

  constructor() {
    super();
    this.going = new Map();
    this.wide = matchMedia('(min-width: 901px)').matches;
  }

  get question() {
    const asked = { q: this.param('q'), mode: this.param('mode'), sort: this.param('sort'), explain: this.param('explain') };
    for (const name of FILTERS) asked[name] = this.param(name);
    return asked;
  }

  willUpdate(changed) {
    if (changed.has('answer') && this.answer) {
      this.hits = this.answer.hits;
      this.page = 1;
      this.double = 0;
      this.moreFault = null;
    }
    if (!changed.has('route')) return;
    const before = changed.get('route');
    if (this.param('page') && before && !before.query.get('page')) this.cameFrom = true;
    if (!this.param('page')) this.cameFrom = false;
    const asked = JSON.stringify(this.question);
    if (asked === this.asked) return;
    this.asked = asked;
    this.find();
  }

  connectedCallback() {
    super.connectedCallback();
    this.asked = undefined;
    this.seen = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) this.more(); }, { rootMargin: '600px' });
    this.ending('seen', () => this.seen.disconnect());
    this.every(4000, () => (this.answer?.total === 0 ? this.find() : undefined), 'first'); // until the first page is there
    this.fetchCrawls();
  }

  updated() {
    const end = this.querySelector('.s-end');
    if (end !== this.watched) {
      if (this.watched) this.seen.unobserve(this.watched);
      this.watched = end;
      if (end) this.seen.observe(end);
    }
  }

  ask(page, signal) {
    const { explain, crawl, q, ...rest } = this.question;
    const words = crawl ? `${q} crawl:${crawl}` : q;
    return get(withQuery('/api/search', { ...rest, q: words, explain: explain === '1', page: page > 1 ? page : '', size: SIZE }), { signal });
  }

  /** Crawls for the filter; optional. */
  async fetchCrawls() {
    try {
      const { crawls } = await get(withQuery('/api/crawls', { limit: CRAWLS }));
      this.crawls = crawls.filter((crawl) => !crawl.result?.preview && !crawl.dryRun);
    } catch {
      this.crawls = [];
    }
  }

  /** The label of an active filter. */
  said(name, value) {
    if (name === 'crawl') return `crawl of ${plainUrl(this.crawls?.find((crawl) => crawl.id === value)?.url ?? short(value))}`;
    return { lang: languageName(value), from: `from ${value}`, to: `to ${value}` }[name] ?? value;
  }

  find() {
    return this.load('answer', (signal) => this.ask(1, signal));
  }

  get left() {
    return this.answer && this.hits.length < this.answer.total && (this.page + 1) * SIZE <= MOST && this.full;
  }

  get full() {
    return this.hits.length >= this.page * SIZE - (this.double ?? 0);
  }

  async more() {
    if (this.fetching || this.loading || !this.left || this.moreFault) return;
    this.fetching = true;
    const asked = this.asked;
    try {
      const next = await this.ask(this.page + 1);
      if (asked !== this.asked) return;
      const known = new Set(this.hits.map((hit) => hit.url));
      const fresh = next.hits.filter((hit) => !known.has(hit.url));
      this.double = (this.page === 1 ? 0 : (this.double ?? 0)) + next.hits.length - fresh.length;
      this.hits = [...this.hits, ...fresh];
      this.page += 1;
    } catch (failed) {
      this.moreFault = failed;
    } finally {
      this.fetching = false;
      // the end may still be visible
      await this.updateComplete;
      if (this.watched) {
        this.seen.unobserve(this.watched);
        this.seen.observe(this.watched);
      }
    }
  }

  async removeHit(url) {
    if (!(await removePage(url))) return;
    this.going = new Map([...this.going, [url, Date.now()]]);
    if (this.param('page')) refine({ page: null });
    this.every(2000, () => this.lookForGone(), 'going');
  }

  settle(url) {
    this.going = new Map([...this.going].filter(([each]) => each !== url));
  }

  /** Removed pages leave the list when the index no longer has them. */
  async lookForGone() {
    for (const [url, since] of this.going) {
      try {
        await get(withQuery('/api/pages', { url }));
        if (Date.now() - since > PATIENCE) this.settle(url); // it came back by a crawl
      } catch (failed) {
        if (failed.status !== 404) return;
        this.settle(url);
        this.double = (this.double ?? 0) + 1;
        this.hits = this.hits.filter((hit) => hit.url !== url);
        say(`${plainUrl(url)} is removed from the index.`);
        await this.recount();
      }
    }
    if (!this.going.size) this.end('going');
  }

  /** Updates totals and facets after removals; a list with several pages stays. */
  async recount() {
    if (this.page === 1) {
      await this.find();
      return;
    }
    const { asked } = this;
    try {
      const { total, facets: counts } = await this.ask(1);
      if (asked !== this.asked) return;
      Object.assign(this.answer, { total, facets: counts });
      this.requestUpdate();
    } catch {
      // the next search reports it
    }
  }

  again(url) {
    this.querySelector('tm-recrawl').open(url);
  }

  hit(hit) {
    const going = this.going.has(hit.url);
    return hitOf(hit, {
      going,
      open: to('search', { ...Object.fromEntries(this.route.query), page: hit.url }),
      explained: this.param('explain') === '1',
      actions: going ? html`<span class="pill busy">being removed</span>` : html`<tm-action kind="quiet" label="Fetch again" @act=${() => this.again(hit.url)}></tm-action><tm-action kind="quiet" label="Remove" @act=${() => this.removeHit(hit.url)}></tm-action>`,
    });
  }

  /** Closing a page that was opened from its hit goes back in the history. */
  closePage() {
    if (!this.param('page')) return;
    if (this.cameFrom) history.back();
    else refine({ page: null });
  }

  chips() {
    const set = FILTERS.filter((name) => this.param(name));
    if (!set.length) return nothing;
    return html`<div class="row" role="group" aria-label="Filters that are set">${set.map((name) => html`<button type="button" class="chip" aria-pressed="true" aria-label=${`Remove the filter ${this.said(name, this.param(name))}`} @click=${() => refine({ [name]: null })}>${this.said(name, this.param(name))} <span aria-hidden="true">✕</span></button>`)}</div>`;
  }

  tools() {
    const mode = this.param('mode') || 'hybrid';
    return html`<div class="s-tools"><div class="segments" role="group" aria-label="How pages are found">${[['hybrid', 'Words and meaning'], ['keyword', 'Words only']].map(([value, title]) => html`<button type="button" aria-pressed=${mode === value} @click=${() => refine({ mode: value === 'hybrid' ? null : value })}>${title}</button>`)}</div>
      <label>Sort<select name="sort" @change=${(event) => refine({ sort: event.target.value === 'relevance' ? null : event.target.value })}>${[['relevance', 'best first'], ['newest', 'newest first']].map(([value, title]) => html`<option value=${value} ?selected=${(this.param('sort') || 'relevance') === value}>${title}</option>`)}</select></label>
      <label><input type="checkbox" name="explain" .checked=${this.param('explain') === '1'} @change=${(event) => refine({ explain: event.target.checked ? '1' : null })}>Say why</label>${this.chips()}</div>`;
  }

  summary() {
    const { total, tookMs, mode, didYouMean, timedOut } = this.answer;
    const meant = didYouMean?.replace(/\s*crawl:\S+$/, '');
    const fallen = mode === 'keyword' && this.param('mode') !== 'keyword' && this.param('q');
    return html`<p class="dim" role="status">${count(total, 'page')} in ${number(tookMs)} ms${fallen ? '; by words alone, there are no vectors yet' : ''}${timedOut ? '; the search took too long, there may be more' : ''}</p>
      ${meant ? html`<p>Did you mean <button type="button" class="link" @click=${() => refine({ q: meant })}>${meant}</button>?</p>` : nothing}`;
  }

  nothingFound() {
    const set = FILTERS.some((name) => this.param(name));
    if (set) return empty('No page fits', html`<button type="button" @click=${() => refine(Object.fromEntries(FILTERS.map((name) => [name, null])))}>Search without filters</button>`);
    if (this.param('q')) return empty('No page fits', 'Try fewer or other words.');
    return empty('Nothing can be searched yet', html`Pages appear here moments after they are crawled. <a href=${to('crawls', { new: '1' })}>Start a crawl</a>`);
  }

  results() {
    if (!this.answer) return this.problem ? nothing : busy('Searching…');
    return html`<div class="s-frame"><div aria-busy=${Boolean(this.loading)}>${this.summary()}
        ${this.hits.length ? html`<ol class="s-hits">${repeat(this.hits, (hit) => hit.url, (hit) => this.hit(hit))}</ol>` : this.nothingFound()}
        <tm-problem .problem=${this.moreFault} @again=${() => { this.moreFault = null; this.more(); }}></tm-problem>
        ${this.left ? html`<p class="s-end"><button type="button" ?disabled=${this.fetching} @click=${() => this.more()}>${this.fetching ? 'Fetching more…' : 'Show more'}</button></p>`
          : this.hits.length >= SIZE ? html`<p class="dim">${this.hits.length < this.answer.total ? `The first ${number(this.hits.length)} pages are shown. More words find the rest.` : 'That is all.'}</p>` : nothing}</div>
      <aside class="s-side" aria-label="Filters"><details ?open=${this.wide}><summary>Filters</summary>${facets(this.answer.facets ?? {}, this.question, this.crawls ?? [])}</details></aside></div>`;
  }

  render() {
    return html`${heading('Search')}
      <tm-search-box .value=${this.param('q')} @query=${(event) => refine({ q: event.detail })}></tm-search-box>
      ${this.tools()}
      <tm-problem .problem=${this.problem} @again=${() => this.find()}></tm-problem>
      ${this.results()}
      <tm-page .url=${this.param('page')} @closed=${() => this.closePage()} @recrawl=${(event) => { refine({ page: null }); this.again(event.detail); }} @remove=${(event) => this.removeHit(event.detail)}></tm-page><tm-recrawl @fetched=${() => { if (this.page === 1) this.find(); }}></tm-recrawl>`;
  }
}

customElements.define('tm-search', Search);
