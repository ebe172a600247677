// Bulk redrive and discard of dead letters: a dry run first, then at a limited rate, with a result for each.
import { Part, View, html, nothing, heading } from '../core/element.js';
import { get, post, del, withQuery } from '../core/api.js';
import { to, go } from '../core/router.js';
import { number, count } from '../core/format.js';
import { empty, facts, fact } from '../parts/basics.js';
import { attempt } from '../parts/dialog.js';
import '../parts/table.js';

const RATE = 50;
const FASTEST = 1000;
const PAGE = 500;

/** A time as the API takes it: milliseconds; the URL may contain a date. */
const moment = (value) => (/^\d+$/.test(value) ? Number(value) : Date.parse(value));

/** The filter for the API; only unhandled dead letters are taken. */
function given(filter) {
  const { state, since, until, ...rest } = filter ?? {};
  const request = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '' && value !== undefined));
  if (since) request.since = moment(since);
  if (until) request.until = moment(until);
  return request;
}

const WORDS = {
  redrive: { title: 'Redrive', done: 'redriven', would: (plan) => html`<strong>${count(plan.count, 'dead letter')}</strong> would go back to where ${plan.count === 1 ? 'it' : 'they'} came from.`, cant: () => 'can’t go back', kind: 'primary' },
  discard: { title: 'Discard', done: 'discarded', would: (plan) => html`<strong>${count(plan.count, 'dead letter')}</strong> would be discarded. Jobs and messages of queues are gone for good then; records, tasks and pages are marked and shown no longer.`, cant: (many) => (many === 1 ? 'is left out' : 'are left out'), kind: 'danger' },
};

/** The dialog before a redrive or discard: a dry run shows how many, and which can't. */
class DeadRedrive extends Part {
  static properties = { filter: { attribute: false }, action: {}, plan: { state: true }, problem: { state: true }, rateFault: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.action = 'redrive';
  }

  show() {
    this.plan = null;
    this.problem = null;
    this.rateFault = null;
    this.querySelector('tm-dialog').show();
    this.dryRun();
  }

  async dryRun() {
    const { filter, action } = this;
    const isWanted = () => this.filter === filter && this.action === action;
    try {
      const plan = await post('/api/dead/redrives', { ...given(filter), action, dryRun: true });
      if (isWanted()) this.plan = plan;
    } catch (failed) {
      if (isWanted()) this.problem = failed;
    }
  }

  async start() {
    const pace = this.querySelector('#pace');
    const ratePerSecond = pace.valueAsNumber;
    if (!Number.isInteger(ratePerSecond) || ratePerSecond < 1 || ratePerSecond > FASTEST) {
      this.rateFault = `Dead letters per second must be a whole number from 1 to ${number(FASTEST)}.`;
      pace.focus();
      return;
    }
    this.busy = true;
    try {
      const run = await post('/api/dead/redrives', { ...given(this.filter), all: true, action: this.action, ratePerSecond });
      this.querySelector('tm-dialog').close();
      go(to('dead', 'redrives', run.id));
    } catch (failed) {
      this.problem = failed;
    } finally {
      this.busy = false;
    }
  }

  content() {
    const plan = this.plan;
    const words = WORDS[this.action];
    const refused = plan?.refusedCount ?? plan?.refused?.length ?? 0;
    return html`<tm-problem .problem=${this.problem} @again=${() => { this.problem = null; this.dryRun(); }}></tm-problem>
      ${plan ? html`<p>${words.would(plan)} The set is frozen when you start: later dead letters are not part of it.</p>
        ${plan.refused?.length ? html`<details open><summary>${count(refused, 'dead letter')} ${words.cant(refused)}</summary><ul>${plan.refused.slice(0, 20).map((each) => html`<li><code>${each.id}</code> ${each.why}</li>`)}</ul></details>` : nothing}
        <details><summary>Which</summary><ul class="ids">${(plan.ids ?? []).map((id) => html`<li><code>${id}</code></li>`)}</ul>${plan.count > (plan.ids?.length ?? 0) ? html`<p class="dim">and ${number(plan.count - plan.ids.length)} more</p>` : nothing}</details>
        ${plan.left ? html`<p>${number(plan.left)} more match than can go at once: redrive again after this.</p>` : nothing}
        <div class="field"><label for="pace">Dead letters per second</label><input id="pace" type="number" min="1" max=${FASTEST} aria-invalid=${Boolean(this.rateFault)} aria-describedby="pace-fault" .value=${String(RATE)} @input=${() => { this.rateFault = null; }}>
          <p class="fault" id="pace-fault" role="alert">${this.rateFault ?? nothing}</p></div>` : this.problem ? nothing : html`<p class="dim" aria-busy="true">Preparing a preview…</p>`}
      <footer class="actions"><button type="button" @click=${() => this.querySelector('tm-dialog').close()}>Cancel</button><tm-action label=${plan ? `${words.title} ${number(plan.count)}` : words.title} kind=${words.kind} ?busy=${this.busy} ?disabled=${!plan?.count} @act=${() => this.start()}></tm-action></footer>`;
  }

  render() {
    return html`<tm-dialog heading=${WORDS[this.action].title} .content=${this.content()}></tm-dialog>`;
  }
}

const went = (run) => run.redriven + run.discarded;
const ended = (run) => went(run) + run.failed + run.skipped;
const bar = (run) => html`<progress max=${Math.max(1, run.total)} .value=${ended(run)} aria-label="Done so far"></progress>`;
const wordsOf = (run) => WORDS[run?.action] ?? WORDS.redrive;
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** A redrive or discard, running or finished. */
class RedriveRun extends View {
  static properties = { id: {}, run: { state: true }, results: { state: true } };

  willUpdate(changed) {
    if (!changed.has('id')) return;
    this.results = [];
    this.fetch().then(() => {
      if (this.run?.state !== 'running') return;
      this.follow(`${this.path}/events`, { onEvent: (event) => { if (event.data?.state) { this.run = { ...this.run, ...event.data }; this.pull(); } }, last: ['done'] });
    });
  }

  get path() {
    return `/api/dead/redrives/${encodeURIComponent(this.id)}`;
  }

  async fetch() {
    await this.load('run', (signal) => get(withQuery(this.path, { limit: PAGE }), { signal }));
    if (this.run?.results) this.results = this.run.results;
  }

  /** Fetches new results. */
  async pull() {
    if (this.pulling) return;
    this.pulling = true;
    try {
      const page = await get(withQuery(this.path, { offset: this.results.length, limit: PAGE }));
      if (page.results?.length) this.results = [...this.results, ...page.results];
    } catch {
      // the stream reports it
    } finally {
      this.pulling = false;
    }
  }

  render() {
    const run = this.run;
    const columns = [
      { title: 'Dead letter', render: (row) => row.id }, { title: 'Result', width: '7rem', render: (row) => html`<tm-status .status=${row.status}></tm-status>` },
      { title: 'Detail', width: 'minmax(0, 2fr)', render: (row) => row.detail ?? '' }, { title: 'When', width: '7rem', wide: true, render: (row) => html`<tm-time .at=${row.at}></tm-time>` },
    ];
    return html`${heading(wordsOf(run).title, html`${run?.state === 'running' ? html`<tm-action label="Stop" kind="danger" @act=${() => attempt(() => del(this.path), 'It stops.').then(() => this.fetch())}></tm-action>` : nothing}<a href=${to('dead', { tab: 'redrives' })}>All redrives and discards</a>`)}
      <tm-problem .problem=${this.problem} @again=${() => this.fetch()}></tm-problem>
      ${run ? html`<div class="card">${bar(run)}${facts(fact('State', html`<tm-status .status=${run.state}></tm-status>`), fact('Dead letters', number(run.total)), fact(capital(wordsOf(run).done), number(went(run))), fact('Failed', number(run.failed)), fact('Skipped', number(run.skipped)), fact('Pace', `${run.ratePerSecond}/s`), fact('By', run.by ?? 'nobody signed in'), fact('Began', html`<tm-time .at=${run.startedAt}></tm-time>`), run.endedAt ? fact('Ended', html`<tm-time .at=${run.endedAt}></tm-time>`) : nothing, run.waitsFor ? fact('Waits', run.waitsFor) : nothing)}</div>
        ${this.results.length ? html`<tm-table label="Results" .columns=${columns} .rows=${this.results} .total=${run.total} @more=${() => { if (this.results.length < ended(run)) this.pull(); }} .href=${(row) => to('dead', row.id)}></tm-table>` : nothing}` : nothing}`;
  }
}

/** The list of redrives and discards. */
class Redrives extends View {
  static properties = { list: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.every(3000, () => this.load('list', (signal) => get('/api/dead/redrives', { signal })));
  }

  render() {
    const runs = this.list?.redrives;
    const columns = [
      { title: 'What', render: (run) => `${wordsOf(run).title} ${run.source} ${run.filter?.q ?? ''}` }, { title: 'State', width: '7rem', render: (run) => html`<tm-status .status=${run.state}></tm-status>` },
      { title: 'Done', width: '10rem', end: true, wide: true, render: (run) => `${number(went(run))} of ${number(run.total)}` }, { title: 'Failed', width: '5rem', end: true, render: (run) => number(run.failed) },
      { title: 'By', width: '8rem', wide: true, render: (run) => run.by ?? '–' }, { title: 'Began', width: '7rem', render: (run) => html`<tm-time .at=${run.startedAt}></tm-time>` },
    ];
    return html`<tm-problem .problem=${this.problem}></tm-problem>${runs ? (runs.length ? html`<tm-table label="Redrives and discards" .columns=${columns} .rows=${runs} .href=${(run) => to('dead', 'redrives', run.id)}></tm-table>` : empty('No redrives or discards yet', 'Choose a cause or some dead letters, and handle them together.')) : nothing}`;
  }
}

customElements.define('tm-dead-redrive', DeadRedrive);
customElements.define('tm-redrive-run', RedriveRun);
customElements.define('tm-redrives', Redrives);
