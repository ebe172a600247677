// Workflows: the list, one with its steps, start, cancel, retry.
import { html, nothing } from '../core/element.js';
import { post } from '../core/api.js';
import { onTick } from '../core/clock.js';
import { number } from '../core/format.js';
import { fact, facts } from '../parts/basics.js';
import { attempt } from '../parts/dialog.js';
import '../parts/waterfall.js';
import { canceledNote, failure, progressBar } from './list-detail.js';
import { ExecutionView, fileLinks, idFact } from './executions.js';
import { stepRows, words } from './workflows-steps.js';
import './workflows-start.js';
import './workflows-retry.js';

const STATUSES = ['pending', 'processing', 'completed', 'failed', 'canceled'];
const TONES = { 'workflow.failed': 'bad', 'workflow.step.retrying': 'busy', 'workflow.completed': 'good', 'workflow.step.completed': 'good' };

class Workflows extends ExecutionView {
  static properties = { chosen: { state: true } };

  kind = {
    name: 'workflows', title: 'Workflows', one: 'workflow', path: '/api/workflows', idField: 'workflowId', role: 'processor', channel: 'workflows', start: 'Start a workflow', last: ['workflow.completed', 'workflow.failed'],
    filters: [{ name: 'status', title: 'Status', choices: STATUSES }, { name: 'priority', title: 'Priority', choices: ['high', 'medium', 'low'] }],
  };

  connectedCallback() {
    super.connectedCallback();
    this.ending('grow', onTick(() => { if (this.it && !this.isFinished(this.it)) this.requestUpdate(); })); // running steps grow
  }

  hint() {
    return html`A workflow takes records through steps: check, change, crawl, store, tell somebody. Start one with the button above or the key <kbd>n</kbd>.`;
  }

  columns() {
    return [
      { title: 'Name', width: 'minmax(5rem, 2fr)', render: (row) => row.name },
      { title: 'Status', width: '6.3rem', render: (row) => html`<tm-status .status=${row.status}></tm-status>` },
      { title: 'Step', width: 'minmax(7rem, 1fr)', wide: true, render: (row) => this.place(row) },
      { title: 'Priority', width: '5.5rem', wide: true, render: (row) => html`<span class="priority p-${row.priority}">${row.priority}</span>` },
      { title: 'Age', width: '6.2rem', end: true, render: (row) => html`<tm-time .at=${row.createdAt}></tm-time>` },
      { title: 'Duration', width: '6rem', end: true, wide: true, render: (row) => html`<tm-took .from=${row.startedAt} .to=${row.completedAt}></tm-took>` },
    ];
  }

  place(row) {
    const all = row.steps.length;
    if (row.status === 'completed') return html`<span class="dim">all ${all}</span>`;
    return html`<span class="count">${Math.min((row.currentStepIndex ?? 0) + 1, all)} of ${all}</span> ${row.currentStep ?? row.steps[0]}`;
  }

  start() {
    this.querySelector('tm-workflow-start').show();
  }

  forget() {
    this.chosen = null;
  }

  async retry() {
    this.busy = true;
    const done = await attempt(() => post(`${this.kind.path}/${encodeURIComponent(this.id)}/retry`, {}), 'It is retried from the step that failed.');
    this.busy = false;
    if (done) this.again();
  }

  actions(it) {
    if (!this.isFinished(it)) return html`<tm-action label="Cancel" kind="danger" ?busy=${this.busy} @act=${() => this.cancel()}></tm-action>`;
    return html`${this.mayRetry(it) ? html`<tm-action label="Retry" kind="primary" hint="Begins again with the step that failed" ?busy=${this.busy} @act=${() => this.retry()}></tm-action>
      <tm-action label="Edit and retry" ?busy=${this.busy} @act=${() => this.querySelector('tm-workflow-retry').show(it)}></tm-action>` : nothing}
      <tm-action label="Start one like it" @act=${() => this.querySelector('tm-workflow-start').show(it)}></tm-action>`;
  }

  described(event) {
    return { ...event, words: words(event), tone: TONES[event.type] };
  }

  detail() {
    const it = this.it;
    const rows = stepRows(it, this.events);
    return html`${this.head(it.name, this.actions(it))}
      ${it.status === 'canceled' ? canceledNote(it.error) : it.error ? failure(it.error, `It failed in ${it.currentStep ?? 'a step'}`) : nothing}
      ${it.nextAttemptAt && !this.isFinished(it) ? html`<div class="note busy"><div><strong>${it.currentStep} is tried again</strong><p>Attempt ${number((it.tries ?? 0) + 1)} comes <tm-countdown .until=${it.nextAttemptAt}></tm-countdown>.</p></div></div>` : nothing}
      <section class="card"><h2>Steps</h2>
        <tm-waterfall label="Steps and attempts" .rows=${rows} .now=${Date.now()} .selected=${this.chosen} @choose=${(event) => { this.chosen = this.chosen === event.detail ? null : event.detail; }}></tm-waterfall>
        ${it.progress && !this.isFinished(it) ? progressBar(it.progress.fraction, it.progress.message) : nothing}
        ${this.choice(rows.find((row) => row.id === this.chosen))}</section>
      <div class="split"><div>${this.outcome(it)}${this.eventCard()}</div>
        <div><section class="card"><h2>Facts</h2>${facts(
          fact('Id', idFact(it.workflowId)), fact('Priority', html`<span class="priority p-${it.priority}">${it.priority}</span>`),
          fact('Steps done', `${number(it.stepsCompleted ?? 0)} of ${it.steps.length}`), fact('Created', html`<tm-time .at=${it.createdAt}></tm-time>`),
          fact('Started', html`<tm-time .at=${it.startedAt}></tm-time>`), fact('Ended', html`<tm-time .at=${it.completedAt}></tm-time>`),
          fact('Duration', html`<tm-took .from=${it.startedAt} .to=${it.completedAt}></tm-took>`))}</section>
        <section class="card"><h2>Input</h2>${it.input ? html`<tm-json .value=${it.input} label="Input"></tm-json>` : html`<p class="dim">None was given.</p>`}</section></div></div>`;
  }

  choice(row) {
    if (!row) return nothing;
    const about = row.about;
    return html`<div class="chosen" aria-live="polite"><h3>${row.label}${row.note ? html` <small>${row.note}</small>` : nothing}</h3>
      ${about?.message ? failure(about, 'What went wrong') : about ? html`${fileLinks(this.itemPath, about.result, this.it.files, row.step)}<tm-json .value=${about.result ?? about} label=${`Result of ${row.label}`}></tm-json>` : html`<p class="dim">It has said nothing yet.</p>`}</div>`;
  }

  outcome(it) {
    const results = it.results ?? [];
    if (!it.summary && !results.length) return nothing;
    return html`<section class="card"><h2>Result</h2>
      ${it.summary ? html`<div class="figures">${Object.entries(it.summary).map(([name, value]) => html`<div class="figure"><strong>${typeof value === 'number' ? number(value) : JSON.stringify(value)}</strong><small>${name.replace(/([A-Z])/g, ' $1').toLowerCase()}</small></div>`)}</div>` : nothing}
      ${results.map((each) => html`<details class="step-result" ?open=${it.steps.length === 1}><summary>${each.stepIndex + 1}. ${each.stepName}</summary>${fileLinks(this.itemPath, each.result, it.files, each.stepIndex)}<tm-json .value=${each.result} label=${`Result of ${each.stepName}`}></tm-json></details>`)}</section>`;
  }

  dialogs() {
    return html`<tm-workflow-start></tm-workflow-start><tm-workflow-retry @again=${() => this.again()}></tm-workflow-retry>`;
  }
}

customElements.define('tm-workflows', Workflows);
