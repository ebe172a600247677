// Jobs: the list, one with its live events, submit, cancel, run again.
import { html, nothing } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { short, span } from '../core/format.js';
import { fact, facts } from '../parts/basics.js';
import { ListDetailView, canceledNote, failure, progressBar } from './list-detail.js';
import { idFact } from './executions.js';
import { resultOf } from './jobs-result.js';
import './jobs-submit.js';
import './workflows-start.js';

const STATUSES = ['queued', 'running', 'done', 'error', 'canceled'];
const TASKS = ['tool', 'rag', 'embed', 'chat', 'plan', 'code'];
const TONES = { error: 'bad', done: 'good', canceled: 'busy', running: 'busy' };

class Jobs extends ListDetailView {
  static properties = { said: { state: true }, progress: { state: true } };

  kind = {
    name: 'jobs', title: 'Jobs', one: 'job', path: '/v1/jobs', idField: 'job_id', role: 'worker', channel: 'jobs:stream', start: 'Submit a job', last: ['done', 'error', 'canceled'],
    filters: [{ name: 'status', title: 'Status', choices: STATUSES }, { name: 'task', title: 'Task', choices: TASKS }],
  };

  order(row) {
    return row.created_at;
  }

  isFinished(it) {
    return ['done', 'error', 'canceled'].includes(it.status);
  }

  async page({ limit, next, signal }) {
    const answer = await get(withQuery('/v1/jobs', { ...this.asked, limit, before: next }), { signal });
    return { rows: answer.jobs, total: answer.total, next: answer.next ?? undefined };
  }

  hint() {
    return html`A job is one piece of work for a worker: a tool, a question, vectors, a chat. Submit one with the button above or the key <kbd>n</kbd>.`;
  }

  columns() {
    return [
      { title: 'Job', width: 'minmax(4rem, 10rem)', render: (row) => html`<span class="mono" title=${row.job_id}>${short(row.job_id, 13)}</span>` },
      { title: 'Task', width: '3.6rem', render: (row) => row.task },
      { title: 'Status', width: '5.5rem', render: (row) => html`<tm-status .status=${row.status}></tm-status>` },
      { title: 'Error', width: 'minmax(6rem, 1fr)', wide: true, render: (row) => this.fault(row.error) },
      ...(this.list.rows?.some((row) => row.tenant) ? [{ title: 'Tenant', width: '8rem', wide: true, render: (row) => html`<span title=${row.tenant ?? ''}>${row.tenant ?? '–'}</span>` }] : []),
      { title: 'Age', width: '6.2rem', end: true, render: (row) => html`<tm-time .at=${row.created_at}></tm-time>` },
      { title: 'Duration', width: '6rem', end: true, wide: true, render: (row) => html`<tm-took .from=${row.created_at} .to=${this.isFinished(row) ? row.updated_at : null}></tm-took>` },
    ];
  }

  fault(error) {
    if (!error) return html`<span class="dim">–</span>`;
    const [, code, message] = /^([A-Z0-9_]+): (.*)$/s.exec(error) ?? [null, '', error];
    return html`<span title=${error}><b>${code}</b> <span class="dim">${message}</span></span>`;
  }

  start() {
    this.querySelector('tm-job-submit').show();
  }

  forget() {
    this.said = null;
    this.progress = null;
  }

  /** Tokens are joined into one text; other events become lines. */
  heard(event) {
    const data = event.data?.data ?? {};
    if (event.type === 'token') {
      const same = this.said && this.said.attempt === data.attempt && this.said.try === data.try;
      this.said = { attempt: data.attempt, try: data.try, text: (same ? this.said.text : '') + (data.text ?? ''), pieces: (same ? this.said.pieces : 0) + 1 };
      return;
    }
    if (event.type === 'progress') this.progress = data;
    if (event.type === 'running') this.progress = null;
    super.heard(event);
  }

  described(event) {
    const data = event.data?.data ?? {};
    const words = { running: () => `attempt ${data.attempt} by ${data.worker ?? 'a worker'}`, progress: () => [data.fraction === undefined ? '' : `${Math.round(data.fraction * 100)} %`, data.message].filter(Boolean).join(' '), log: () => data.message ?? '',
      error: () => `${data.code}: ${data.message}`, canceled: () => (data.reason ? String(data.reason) : '') }[event.type]?.() ?? '';
    return { ...event, words, tone: TONES[event.type] };
  }

  actions(it) {
    return html`${this.isFinished(it) ? nothing : html`<tm-action label="Cancel" kind="danger" ?busy=${this.busy} @act=${() => this.cancel()}></tm-action>`}
      <tm-action label="Run again" hint="Opens the form, filled in like this one" @act=${() => this.querySelector('tm-job-submit').show(it)}></tm-action>`;
  }

  detail() {
    const it = this.it;
    const running = this.events.findLast((event) => event.type === 'running');
    const title = it.task === 'tool' && it.payload?.name ? `tool ${it.payload.name}` : it.task;
    return html`${this.head(title, this.actions(it))}
      ${it.status === 'canceled' ? canceledNote(it.error) : it.error ? failure(it.error) : nothing}
      <div class="split"><div>${this.now(it)}${resultOf(it, (workflow) => this.querySelector('tm-workflow-start').show(workflow))}${this.eventCard()}</div>
        <div><section class="card"><h2>Facts</h2>${facts(
          fact('Id', idFact(it.job_id)), fact('Task', it.task), fact('Created', html`<tm-time .at=${it.created_ts}></tm-time>`), fact('Waited', running ? html`<tm-took .from=${it.created_ts} .to=${running.data.ts}></tm-took>` : it.status === 'queued' ? html`<tm-took .from=${it.created_ts}></tm-took>` : '–'),
          fact('Ran for', running ? html`<tm-took .from=${running.data.ts} .to=${this.isFinished(it) ? it.updated_ts : null}></tm-took>` : '–'), fact('Attempt', running?.data.data?.attempt ?? '–'), fact('Worker', running?.data.data?.worker ?? '–'),
          fact('Forgotten', this.isFinished(it) ? html`<tm-time .at=${it.updated_ts + it.ttl_s * 1000}></tm-time>` : `${span(it.ttl_s * 1000)} after its end`))}</section>
        <section class="card"><h2>Payload</h2><tm-json .value=${it.payload ?? {}} label="Payload"></tm-json></section></div></div>`;
  }

  /** The running job: progress, and the output of the model so far. */
  now(it) {
    if (it.status === 'done' || (!this.said && (!this.progress || this.isFinished(it)))) return nothing;
    return html`<section class="card" data-now><h2>${this.isFinished(it) ? 'What came before it ended' : 'Now'}</h2>${this.progress && !this.isFinished(it) ? progressBar(this.progress.fraction, this.progress.message) : nothing}
      ${this.said ? html`<div class="answer ${this.isFinished(it) ? '' : 'growing'}" data-tokens dir="auto">${this.said.text}</div><p class="dim">${this.said.try > 1 || this.said.attempt > 1 ? `Attempt ${this.said.attempt}, try ${this.said.try}. ` : ''}${this.said.text.length} characters</p>` : nothing}</section>`;
  }

  dialogs() {
    return html`<tm-job-submit></tm-job-submit><tm-workflow-start></tm-workflow-start>`;
  }
}

customElements.define('tm-jobs', Jobs);
