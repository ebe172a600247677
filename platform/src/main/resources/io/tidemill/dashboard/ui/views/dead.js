// Dead letters of all channels: by cause or one by one, redrive and discard.
import { View, html, nothing, heading } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to, refine } from '../core/router.js';
import { number, count } from '../core/format.js';
import { empty } from '../parts/basics.js';
import '../parts/table.js';
import './dead-letter.js';
import './dead-redrive.js';

const PAGE = 200;
const STATES = ['waiting', 'redriven', 'discarded'];

class Dead extends View {
  static properties = { sources: { state: true }, causes: { state: true }, page: { state: true }, rows: { state: true }, selected: { state: true }, wanted: { state: true }, action: { state: true } };

  constructor() {
    super();
    this.rows = null;
    this.selected = new Set();
  }

  get source() {
    return this.param('source') || 'all';
  }

  get tab() {
    return this.param('tab') || 'causes';
  }

  /** The filters of the URL as parameters of the API. */
  get filter() {
    return { source: this.source, q: this.param('q'), cause: this.param('cause'), state: this.param('state'), since: this.param('since'), until: this.param('until') };
  }

  willUpdate(changed) {
    if (!changed.has('route') || this.parts.length) return;
    const key = this.route.query.toString();
    if (key === this.key) return;
    this.key = key;
    this.rows = null;
    this.selected = new Set();
    this.every(5000, () => this.fetch());
  }

  fetch() {
    if (this.parts.length) return undefined;
    const asked = [this.load('sources', (signal) => get('/api/dead/sources', { signal }))];
    if (this.tab === 'causes') asked.push(this.load('causes', (signal) => get(withQuery('/api/dead/causes', this.filter), { signal })));
    else if (this.tab === 'letters') asked.push(this.fetchLetters());
    return Promise.all(asked);
  }

  fetchLetters() {
    const key = this.key;
    return this.load('page', (signal) => get(withQuery('/api/dead', { ...this.filter, limit: PAGE }), { signal })).then(() => {
      if (!this.page || key !== this.key) return;
      if (this.rows && this.rows.length > PAGE) return; // somebody reads further down: the list stays as it is
      this.rows = this.page.dead;
      this.next = this.page.next;
    });
  }

  async more() {
    if (!this.next || this.fetching) return;
    this.fetching = true;
    try {
      const page = await get(withQuery('/api/dead', { ...this.filter, limit: PAGE, before: this.next }));
      const known = new Set(this.rows.map((row) => row.id));
      this.rows = [...this.rows, ...page.dead.filter((row) => !known.has(row.id))];
      this.next = page.next;
    } catch (failed) {
      this.problem = failed;
    } finally {
      this.fetching = false;
    }
  }

  places() {
    const sources = this.sources?.sources ?? [];
    const all = sources.reduce((sum, source) => sum + (source.waiting ?? 0), 0);
    const chip = (name, text, waiting, source) => html`<button type="button" class="chip" aria-pressed=${this.source === name} @click=${() => refine({ source: name === 'all' ? '' : name, cause: '' })}>${text}
      ${source && source.status === 'down' ? html`<span class="pill bad" title=${source.detail}>down</span>` : html`<span class="count" title="wait for somebody">${number(waiting)}</span>`}</button>`;
    return html`<div class="chips" role="group" aria-label="Where they lie, and how many wait there">${chip('all', 'Everywhere', all)}${sources.map((source) => chip(source.name, source.name, source.waiting, source))}</div>`;
  }

  filters() {
    return html`<div class="filters"><label>Text <input type="search" placeholder="id, key, reason, message" .value=${this.param('q')} @input=${(event) => this.typed(event.target.value)} @change=${(event) => this.typed(event.target.value, 0)}></label>
      <label>State <select @change=${(event) => refine({ state: event.target.value })}><option value="">any</option>${STATES.map((state) => html`<option ?selected=${state === this.param('state')}>${state}</option>`)}</select></label>
      ${this.param('cause') ? html`<button type="button" @click=${() => refine({ cause: '' })}>One cause only ✕</button>` : nothing}</div>`;
  }

  /** Leaving the field applies the text, so that the next button acts on it. */
  typed(text, pause = 200) {
    clearTimeout(this.typing);
    if (pause) this.typing = setTimeout(() => refine({ q: text }), pause);
    else refine({ q: text });
  }

  /** Bulk actions take unhandled dead letters only, so only those may be listed. */
  get takesShown() {
    return ['', 'waiting'].includes(this.param('state'));
  }

  /** Opens the dialog for a bulk redrive or discard. */
  handle(action, filter) {
    this.wanted = filter;
    this.action = action;
    this.updateComplete.then(() => this.querySelector('tm-dead-redrive').show());
  }

  /** The text of a cause: the reason if all are equal, else the pattern and an example. */
  causeText({ alike, text, example }) {
    return alike ? { text: example } : { text, example };
  }

  cause(cause) {
    const { text, example } = this.causeText(cause);
    const which = { ...this.filter, source: cause.source, cause: cause.cause };
    return html`<li class="card"><div class="cause-head"><strong class="figure">${number(cause.count)}</strong><div><strong>${text}</strong><br><span class="dim">${cause.source} · ${cause.reason} · last <tm-time .at=${cause.lastAt}></tm-time>, first <tm-time .at=${cause.firstAt}></tm-time>${cause.waiting < cause.count ? ` · ${number(cause.count - cause.waiting)} handled` : ''}</span></div>
      <span class="row"><a href=${to('dead', { ...which, tab: 'letters' })}>Show</a>
      ${['redrive', 'discard'].map((action) => html`<tm-action label=${action === 'redrive' ? 'Redrive…' : 'Discard…'} ?disabled=${cause.waiting === 0} @act=${() => this.handle(action, which)}></tm-action>`)}</span></div>
      ${example === undefined ? nothing : html`<details><summary class="dim">An example</summary><pre tabindex="0">${example}</pre></details>`}</li>`;
  }

  byCause() {
    const causes = this.causes?.causes;
    if (!causes) return nothing;
    if (!causes.length) return this.none();
    return html`<p class="dim">${count(causes.length, 'cause')} among the newest ${number(this.causes.seen)}${this.causes.total > this.causes.seen ? ` of ${number(this.causes.total)}` : ''}</p>
      <ul class="causes">${causes.map((cause) => this.cause(cause))}</ul>`;
  }

  letters() {
    if (!this.rows) return nothing;
    if (!this.rows.length) return this.none();
    const columns = [
      { title: 'Dead letter', width: 'minmax(8rem, 14rem)', render: (row) => row.id },
      { title: 'From', width: '9rem', wide: true, render: (row) => row.source },
      { title: 'Why', width: 'minmax(0, 2fr)', render: (row) => row.message || row.reason },
      { title: 'Attempts', width: '5rem', end: true, wide: true, render: (row) => row.attempts },
      { title: '', width: '6rem', wide: true, render: (row) => (row.discarded_at ? html`<tm-status status="discarded"></tm-status>` : row.redriven_at ? html`<tm-status status="redriven"></tm-status>` : nothing) },
      { title: 'Died', width: '7rem', render: (row) => html`<tm-time .at=${row.ts}></tm-time>` },
    ];
    const picked = this.selected.size;
    const which = picked ? { source: this.source, ids: [...this.selected] } : this.filter;
    const may = picked || this.takesShown;
    return html`<div class="row spread"><span class="dim">${this.total()}</span>
      <span class="row"><tm-action label=${picked ? `Discard ${picked} selected…` : 'Discard all that match…'} ?disabled=${!may} @act=${() => this.handle('discard', which)}></tm-action>
      <tm-action label=${picked ? `Redrive ${picked} selected…` : 'Redrive all that match'} kind="primary" ?disabled=${!may} @act=${() => this.handle('redrive', which)}></tm-action></span></div>
      <tm-table label="Dead letters" selectable .columns=${columns} .rows=${this.rows} .selected=${this.selected} .total=${this.page?.total} .href=${(row) => to('dead', row.id)} @more=${() => this.more()} @select=${(event) => { this.selected = event.detail; }}></tm-table>`;
  }

  /** Unlike the counts above, lists have what was handled too. */
  total() {
    const state = this.param('state');
    const all = number(this.page?.total);
    return state ? `${all} ${state}` : `${all} in all, handled ones among them`;
  }

  none() {
    if (this.param('q') || this.param('state') || this.param('cause')) return empty('Nothing matches', 'Change what you look for.');
    if (this.source === 'jobs') return empty('No dead letters', html`Jobs that no worker could take on or bring to an end come here. Jobs that failed by themselves are in the <a href=${to('jobs', { status: 'error' })}>list of jobs</a>, not here.`);
    return empty('No dead letters', 'Messages, jobs, tasks and pages that can’t be processed end up here with the reason; nothing is dropped.');
  }

  render() {
    const [id, run] = this.parts;
    if (id === 'redrives' && run) return html`<tm-redrive-run .id=${run}></tm-redrive-run>`;
    if (id) return html`<tm-dead-letter .id=${id}></tm-dead-letter>`;
    const tabs = [{ id: 'causes', title: 'By cause' }, { id: 'letters', title: 'One by one' }, { id: 'redrives', title: 'Redrives and discards' }];
    return html`${heading('Dead letters')}${this.places()}
      <tm-tabs .tabs=${tabs} selected=${this.tab} label="Views" @choose=${(event) => refine({ tab: event.detail })}></tm-tabs>
      ${this.tab === 'redrives' ? html`<tm-redrives></tm-redrives>` : html`${this.filters()}
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>
      ${this.tab === 'causes' ? this.byCause() : this.letters()}`}
      <tm-dead-redrive .filter=${this.wanted} action=${this.action ?? 'redrive'}></tm-dead-redrive>`;
  }
}

customElements.define('tm-dead', Dead);
