// One project: totals, charts, filters, items, failures, downloads and a report.
import { View, html, nothing, heading } from '../core/element.js';
import { at, get, post, withQuery } from '../core/api.js';
import { to, refine } from '../core/router.js';
import { number } from '../core/format.js';
import { busy } from '../parts/basics.js';
import { attempt } from '../parts/dialog.js';
import { overTime, mood, platforms, languages, keywords, failureCounts } from './analytics-charts.js';
import { languageName } from './search-facets.js';
import './analytics-items.js';

const FILTERS = ['platform', 'sentiment', 'language', 'keyword', 'q', 'from', 'to', 'duplicates', 'job', 'minImpact'];
const MOODS = ['positive', 'neutral', 'negative', 'unknown'];
const INTERVALS = ['hour', 'day', 'week', 'month'];
const SORTS = [['impact', 'impact'], ['newest', 'newest'], ['views', 'views'], ['likes', 'likes']];

class Project extends View {
  static properties = { found: { state: true }, whole: { state: true }, task: { state: true }, busy: { state: true } };

  get project() {
    return this.parts[0];
  }

  get filters() {
    return Object.fromEntries(FILTERS.map((name) => [name, this.param(name)]).filter(([, value]) => value));
  }

  get interval() {
    return INTERVALS.includes(this.param('interval')) ? this.param('interval') : 'day';
  }

  get path() {
    return `/api/analytics/projects/${encodeURIComponent(this.project)}`;
  }

  connectedCallback() {
    super.connectedCallback();
    this.asked = undefined;
  }

  willUpdate(changed) {
    if (!changed.has('route')) return;
    const asked = JSON.stringify([this.project, this.filters, this.interval]);
    if (asked === this.asked) return;
    if (this.project !== this.shown) {
      this.shown = this.project;
      this.found = null;
      this.whole = null;
      this.task = null;
    }
    this.asked = asked;
    this.every(5000, () => this.refresh());
  }

  refresh() {
    const filtered = Object.keys(this.filters).length > 0;
    return this.load('found', async (signal) => {
      const ask = (filters) => get(withQuery(this.path, { ...filters, interval: this.interval, keywords: 20, items: '0' }), { signal });
      const [found, whole] = await Promise.all([ask(this.filters), filtered && !this.whole ? ask({}) : null]);
      if (!filtered) this.whole = found;
      else if (whole) this.whole = whole; // what the choices of the filters are made of
      return found;
    });
  }

  async report() {
    this.busy = true;
    const task = await attempt(() => post(`${this.path}/report`, {}), 'A task writes the report.', (accepted) => ({ href: to('tasks', accepted.taskId) }));
    if (task) this.task = task.taskId;
    this.busy = false;
  }

  choice(name, label, values, title = (value) => value) {
    const current = this.param(name);
    const all = current && !values.includes(current) ? [current, ...values] : values;
    return html`<label>${label}<select name=${name} @change=${(event) => refine({ [name]: event.target.value })}><option value="" ?selected=${!current}>all</option>${all.filter(Boolean).map((value) => html`<option value=${value} ?selected=${value === current}>${title(value)}</option>`)}</select></label>`;
  }

  line(name, label, type = 'search') {
    return html`<label>${label}<input type=${type} name=${name} .value=${this.param(name)} @change=${(event) => refine({ [name]: event.target.value.trim() })}></label>`;
  }

  form() {
    const whole = this.whole ?? this.found ?? {};
    const set = Object.keys(this.filters);
    return html`<form class="filters a-filters" aria-label="Filters" @submit=${(event) => event.preventDefault()}>
      ${this.choice('platform', 'Platform', (whole.platforms ?? []).map((row) => row.platform))}${this.choice('sentiment', 'Mood', MOODS)}${this.choice('language', 'Language', (whole.languages ?? []).map((row) => row.language || 'unknown'), languageName)}
      ${this.line('keyword', 'Keyword')}${this.line('q', 'Words in the text')}${this.line('from', 'From', 'date')}${this.line('to', 'To', 'date')}
      ${this.choice('duplicates', 'Near-duplicates', ['none', 'only'], (value) => (value === 'none' ? 'leave out' : 'only these'))}
      ${set.length ? html`<button type="button" @click=${() => refine(Object.fromEntries(FILTERS.map((name) => [name, null])))}>Clear ${set.length === 1 ? 'the filter' : `${set.length} filters`}</button>` : nothing}</form>`;
  }

  totals() {
    const { totals = {}, duplicates, latest } = this.found;
    const figure = (name, value) => html`<div class="figure"><span class="dim">${name}</span><strong>${value}</strong></div>`;
    return html`<section class="card figures" aria-label="Totals">${figure('Items', number(totals.items))}${figure('Batches', number(totals.batches))}${figure('Failed', number(totals.failed))}${figure('Near-duplicates', number(duplicates))}${figure('Latest', html`<tm-time .at=${latest}></tm-time>`)}</section>`;
  }

  charts() {
    const { sentiment = [], failures = [] } = this.found;
    const slots = html`<div class="segments" role="group" aria-label="Length of a slot">${INTERVALS.map((each) => html`<button type="button" class="small" aria-pressed=${this.interval === each} @click=${() => refine({ interval: each === 'day' ? null : each })}>${each}</button>`)}</div>`;
    return html`<div class="a-charts">${overTime(sentiment, this.interval, slots)}${mood(sentiment, this.interval)}${keywords(this.found.keywords ?? [], this.param('keyword'))}
      ${platforms(this.found.platforms ?? [], this.param('platform'))}${languages(this.found.languages ?? [], this.param('language'))}${failureCounts(failures)}</div>`;
  }

  lists() {
    const failures = this.param('tab') === 'failures';
    const tabs = [{ id: 'items', title: 'Items' }, { id: 'failures', title: 'Failures', count: number(this.found.totals?.failed ?? 0) }];
    const sort = SORTS.some(([value]) => value === this.param('sort')) ? this.param('sort') : 'impact';
    return html`<tm-tabs label="Lists of this project" .tabs=${tabs} .selected=${failures ? 'failures' : 'items'} @choose=${(event) => refine({ tab: event.detail === 'items' ? null : event.detail })}></tm-tabs>
      <div role="tabpanel" aria-labelledby=${failures ? 'tab-failures' : 'tab-items'}>
        ${failures ? nothing : html`<div class="s-tools"><label>Sort by<select name="sort" @change=${(event) => refine({ sort: event.target.value === 'impact' ? null : event.target.value })}>${SORTS.map(([value, title]) => html`<option value=${value} ?selected=${value === sort}>${title}</option>`)}</select></label></div>`}
        <tm-items .project=${this.project} .filters=${this.filters} .sort=${sort} .failures=${failures} .fresh=${`${this.found.totals?.items} ${this.found.totals?.failed} ${this.found.latest}`}></tm-items></div>`;
  }

  tools() {
    const file = (format) => at(withQuery(`${this.path}/items`, { ...this.filters, format }));
    return html`<a class="button" download href=${file('csv')}>CSV</a><a class="button" download href=${file('ndjson')}>NDJSON</a><tm-action kind="primary" label="Write a report" data-new ?busy=${this.busy} @act=${this.report}></tm-action>`;
  }

  render() {
    return html`<p class="crumb"><a href="#/analytics">← Analytics</a></p>${heading(this.project, this.tools())}
      <tm-problem .problem=${this.problem} @again=${() => this.refresh()}></tm-problem>
      ${this.task ? html`<div class="note good" role="status"><div><strong>A task writes the report</strong><p>As HTML and PDF. <a href=${to('tasks', this.task)}>Follow the task</a> · <a href=${to('traces', { object: `task:${this.task}` })}>Trace</a></p></div></div>` : nothing}
      ${this.found ? html`${this.totals()}${this.form()}${this.charts()}${this.lists()}` : this.problem ? nothing : busy('Fetching the project…')}`;
  }
}

customElements.define('tm-project', Project);
