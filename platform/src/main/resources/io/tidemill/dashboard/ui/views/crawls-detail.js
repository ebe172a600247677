// One crawl: progress, pages, hosts, events, result.
import { View, html, nothing, heading } from '../core/element.js';
import { get, del } from '../core/api.js';
import { to, refine } from '../core/router.js';
import { now } from '../core/clock.js';
import { millis, number, span } from '../core/format.js';
import { busy, facts, fact } from '../parts/basics.js';
import { ask, attempt } from '../parts/dialog.js';
import { externalLink, plainUrl } from '../parts/external-link.js';
import '../parts/missing-role.js';
import './crawls-progress.js';
import './crawls-pages.js';
import './crawls-hosts.js';
import './crawls-events.js';
import './crawls-files.js';
import { preview } from './crawls-preview.js';
import { recentOnly } from './crawls-speed.js';

const ENDS = ['completed', 'failed', 'canceled'];
const MOST_EVENTS = 5000;
const OPTIONS = { maxPages: 'Pages at most', maxDepth: 'Links away at most', maxBytes: 'Bytes at most', maxSeconds: 'Seconds at most', scope: 'Follows links to', include: 'Only URLs like', exclude: 'No URLs like', sitemaps: 'Reads sitemaps', recrawl: 'Fetches again', maxAge: 'Uses pages up to seconds old', project: 'Project', dryRun: 'Dry run' };
const SCOPES = { host: 'the same host', domain: 'its domain', prefix: 'what is below it' };
const STOPPED = { maxPages: 'the limit of pages', maxBytes: 'the limit of bytes', maxSeconds: 'the limit of time' };
const LIVE = { live: ['', 'live'], waiting: ['off', 'reconnecting'] };

class CrawlDetail extends View {
  static properties = { back: {}, crawl: { state: true }, events: { state: true }, samples: { state: true }, stream: { state: true }, canceling: { state: true } };

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const id = this.parts[0];
    if (id === this.crawlId) return;
    this.crawlId = id;
    this.problem = null;
    this.crawl = null;
    this.events = [];
    this.samples = [];
    this.fetch();
    this.listen();
  }

  connectedCallback() {
    super.connectedCallback();
    this.crawlId = undefined;
  }

  get path() {
    return `/api/crawls/${encodeURIComponent(this.crawlId)}`;
  }

  fetch() {
    return this.load('crawl', (signal) => get(this.path, { signal }));
  }

  listen() {
    this.pending = [];
    this.follow(`${this.path}/events`, {
      last: ENDS,
      onEvent: (event) => this.note(event),
      onState: (state) => { this.stream = typeof state === 'string' ? state : 'ended'; },
    });
  }

  /** Renders bursts of events together, as when a stream is read from its beginning. */
  note(event) {
    if (event.type === 'hello') return;
    this.pending.push(event);
    if (this.pending.length > 1) return;
    setTimeout(() => {
      const fresh = this.pending;
      this.pending = [];
      if (!this.isConnected || !fresh.length) return;
      this.events = [...this.events, ...fresh].slice(-MOST_EVENTS);
      const counts = fresh.filter((each) => each.type === 'progress').map((each) => ({ ts: each.data.ts, ...each.data.data }));
      this.samples = recentOnly([...this.samples, ...counts.map(({ ts, fetched = 0, skipped = 0, failed = 0 }) => ({ ts, done: fetched + skipped + failed }))], fresh.at(-1).data.ts ?? 0);
      if (counts.length && this.crawl?.status === 'pending') {
        const { ts: _, ...progress } = counts.at(-1);
        this.crawl = { ...this.crawl, progress };
      }
      if (fresh.some((each) => each.type !== 'progress' && each.type !== 'pending')) this.fetch();
    }, 80);
  }

  async cancel() {
    if (!(await ask('Cancel this crawl', 'Pages that were fetched stay in the index. The rest is left alone.', { yes: 'Cancel the crawl', danger: true }))) return;
    this.canceling = true;
    await attempt(() => del(this.path), 'The crawl is canceled.');
    this.canceling = false;
    this.fetch();
  }

  again() {
    const { url, email, options = {} } = this.crawl;
    this.dispatchEvent(new CustomEvent('repeat', { detail: { ...options, url, email } }));
  }

  facts() {
    const { id, email, createdAt, startedAt, endedAt, stoppedBy, options } = this.crawl;
    const took = millis(endedAt) - millis(startedAt);
    return facts(
      fact('Owner', html`<a href=${to('crawls', { email })}>${email}</a>`),
      fact('Asked for', html`<tm-time .at=${createdAt}></tm-time>`),
      fact('Began', startedAt ? html`<tm-time .at=${startedAt}></tm-time>` : this.crawl.status === 'pending' ? 'waits for a crawler' : '–'),
      endedAt ? fact('Ended', html`<tm-time .at=${endedAt}></tm-time>${took >= 0 ? html` <span class="dim">after ${span(took)}</span>` : nothing}`) : nothing,
      stoppedBy ? fact('Stopped by', STOPPED[stoppedBy] ?? stoppedBy) : nothing,
      ...Object.entries(options ?? {}).map(([name, value]) => fact(OPTIONS[name] ?? name, this.option(name, value))),
      fact('Id', html`<code>${id}</code> <tm-copy .text=${id} label="the crawl's id"></tm-copy>`),
    );
  }

  option(name, value) {
    if (name === 'scope') return SCOPES[value] ?? value;
    if (name === 'project') return html`<a href=${to('analytics', value)}>${value}</a>`;
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return Array.isArray(value) ? value.join(', ') : typeof value === 'number' ? number(value) : String(value);
  }

  tabs() {
    const { progress, result, status } = this.crawl;
    const { fetched = 0, skipped = 0, failed = 0 } = progress ?? {};
    return [
      ...(result?.preview ? [{ id: 'preview', title: 'Preview' }] : []),
      { id: 'pages', title: 'Pages', count: number(fetched + skipped + failed) },
      { id: 'errors', title: 'Failed and skipped', count: number(failed + skipped) },
      ...(status === 'pending' ? [{ id: 'hosts', title: 'Hosts' }] : []),
      { id: 'result', title: 'Result' },
      { id: 'events', title: 'Events', count: number(this.events.length) },
    ];
  }

  tab(selected) {
    const crawl = this.crawl;
    switch (selected) {
      case 'preview': return preview(crawl.result.preview);
      case 'hosts': return html`<tm-crawl-hosts .crawlId=${crawl.id}></tm-crawl-hosts>`;
      case 'result': return crawl.result === null || crawl.result === undefined ? html`<p class="dim">There is no result yet: the crawl still runs.</p>` : html`<tm-crawl-files .crawl=${crawl}></tm-crawl-files><tm-json .value=${crawl.result} label="Result of the crawl"></tm-json>`;
      case 'events': return html`<tm-crawl-events .events=${this.events}></tm-crawl-events>`;
      default: return html`<tm-crawl-pages .crawl=${crawl} .grouped=${selected === 'errors'} .outcome=${this.param('outcome')}></tm-crawl-pages>`;
    }
  }

  tools() {
    const { id, status } = this.crawl;
    return html`<a class="button" href=${to('search', { crawl: id })}>Search its pages</a><a class="button" href=${to('traces', { object: `crawl:${id}` })}>Trace</a>
      <tm-action label="Crawl again" data-new @act=${this.again}></tm-action>
      ${status === 'pending' ? html`<tm-action kind="danger" label="Cancel" ?busy=${this.canceling} @act=${this.cancel}></tm-action>` : nothing}`;
  }

  notes() {
    const { status, result, rateLimitedUntil } = this.crawl;
    if (status === 'failed') return html`<div class="note bad" role="status"><div><strong>The crawl failed</strong><p>${result?.errorMessage ?? 'No reason was given.'}</p></div></div>`;
    if (status === 'pending' && millis(rateLimitedUntil) > now()) return html`<div class="note busy" role="status"><div><strong>The host asked for a pause</strong><p>The next request goes out <tm-countdown .until=${rateLimitedUntil}></tm-countdown>.</p></div></div>`;
    return nothing;
  }

  render() {
    const back = html`<p class="crumb"><a href=${this.back ?? '#/crawls'}>← Crawls</a></p>`;
    if (!this.crawl) return html`${back}${heading('Crawl')}<tm-problem .problem=${this.problem} @again=${() => { this.fetch(); this.listen(); }}></tm-problem>${this.problem ? nothing : busy('Fetching the crawl…')}`;
    const { url, status, startedAt } = this.crawl;
    const tabs = this.tabs();
    const selected = tabs.some((tab) => tab.id === this.param('tab')) ? this.param('tab') : tabs[0].id;
    const live = status === 'pending' ? LIVE[this.stream] : undefined;
    return html`${back}${heading(plainUrl(url), this.tools())}
      <p class="c-under"><tm-status .status=${status === 'pending' && startedAt ? 'running' : status}></tm-status> ${live ? html`<span class="live-sign ${live[0]}">${live[1]}</span>` : nothing} ${externalLink(url)}</p>
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>
      ${status === 'pending' ? html`<tm-missing-role role-name="crawler" channel="crawl-requests"></tm-missing-role>` : nothing}${this.notes()}
      <tm-crawl-progress .crawl=${this.crawl} .samples=${this.samples}></tm-crawl-progress>
      ${this.facts()}
      <tm-tabs label="Parts of this crawl" .tabs=${tabs} .selected=${selected} @choose=${(event) => refine({ tab: event.detail, outcome: null })}></tm-tabs>
      <div role="tabpanel" aria-labelledby=${`tab-${selected}`}>${this.tab(selected)}</div>`;
  }
}

customElements.define('tm-crawl', CrawlDetail);
