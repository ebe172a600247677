// Tasks: the list, one with its attempts, start, cancel, retry.
import { html, nothing } from '../core/element.js';
import { post } from '../core/api.js';
import { number, short, span } from '../core/format.js';
import { fact, facts } from '../parts/basics.js';
import { attempt } from '../parts/dialog.js';
import { canceledNote, failure, progressBar } from './list-detail.js';
import { ExecutionView, fileLinks, idFact } from './executions.js';
import { attempts, words } from './tasks-attempts.js';
import './tasks-start.js';

const STATUSES = ['pending', 'processing', 'retrying', 'completed', 'failed', 'canceled', 'dead_letter'];
const TYPES = ['data_export', 'email_notification', 'report_generation', 'other'];
const TONES = { 'task.failed': 'busy', 'task.dead_letter': 'bad', 'task.completed': 'good' };

class Tasks extends ExecutionView {
  kind = {
    name: 'tasks', title: 'Tasks', one: 'task', path: '/api/tasks', idField: 'taskId', role: 'processor', channel: 'tasks', start: 'Start a task', last: ['task.completed', 'task.dead_letter'],
    filters: [{ name: 'status', title: 'Status', choices: STATUSES }, { name: 'type', title: 'Type', choices: TYPES }],
  };

  hint() {
    return html`A task is one piece of work that ends, whatever happens: a mail, a report, an export. Start one with the button above or the key <kbd>n</kbd>.`;
  }

  columns() {
    return [
      { title: 'Type', width: 'minmax(5rem, 1.4fr)', render: (row) => row.type.replaceAll('_', ' ') },
      { title: 'Status', width: '6.3rem', render: (row) => html`<tm-status .status=${row.status}></tm-status>` },
      { title: 'Id', width: '9rem', wide: true, render: (row) => html`<span class="mono dim" title=${row.taskId}>${short(row.taskId, 14)}</span>` },
      { title: 'Attempts', width: '5rem', wide: true, end: true, render: (row) => this.tries(row) },
      ...(this.list.rows?.some((row) => row.status === 'retrying') ? [{ title: 'Next retry', width: '6.5rem', wide: true, end: true, render: (row) => (row.status === 'retrying' && row.nextRetryAt ? html`<tm-countdown .until=${row.nextRetryAt}></tm-countdown>` : html`<span class="dim">–</span>`) }] : []),
      { title: 'Error', width: 'minmax(6rem, 2fr)', wide: true, render: (row) => (row.error ? html`<span title=${row.error.message ?? ''}><b>${row.error.code}</b> <span class="dim">${row.error.message ?? ''}</span></span>` : html`<span class="dim">–</span>`) },
      { title: 'Age', width: '6.2rem', end: true, render: (row) => html`<tm-time .at=${row.createdAt}></tm-time>` },
      { title: 'Duration', width: '5.5rem', end: true, wide: true, render: (row) => html`<tm-took .from=${row.startedAt} .to=${row.completedAt}></tm-took>` },
    ];
  }

  tries(row) {
    const waits = row.status === 'retrying' || (row.status === 'canceled' && row.retryCount > 0);
    const done = row.startedAt ? row.retryCount + (waits ? 0 : 1) : 0;
    return html`<span class="count">${Math.min(done, row.maxRetries + 1)} of ${row.maxRetries + 1}</span>`;
  }

  start() {
    this.querySelector('tm-task-start').show();
  }

  async retry() {
    this.busy = true;
    const done = await attempt(() => post(`${this.kind.path}/${encodeURIComponent(this.id)}/retry`, {}), 'The task is retried.');
    this.busy = false;
    if (done) this.again();
  }

  actions(it) {
    const start = () => this.querySelector('tm-task-start');
    if (!this.isFinished(it)) return html`<tm-action label="Cancel" kind="danger" ?busy=${this.busy} @act=${() => this.cancel()}></tm-action>`;
    return html`${this.mayRetry(it) ? html`<tm-action label="Retry" kind="primary" ?busy=${this.busy} @act=${() => this.retry()}></tm-action>
      <tm-action label="Retry with other data" ?busy=${this.busy} @act=${() => start().retry(it)}></tm-action>` : nothing}
      <tm-action label="Start one like it" @act=${() => start().show(it)}></tm-action>`;
  }

  described(event) {
    return { ...event, words: words(event), tone: TONES[event.type] };
  }

  detail() {
    const it = this.it;
    return html`${this.head(it.type.replaceAll('_', ' '), this.actions(it))}
      ${it.status === 'retrying' && it.nextRetryAt ? html`<div class="note busy" data-next-retry><div><strong>It is tried again <tm-countdown .until=${it.nextRetryAt}></tm-countdown></strong><p>Retry ${number(it.retryCount)} of ${number(it.maxRetries)}; the last attempt failed with ${it.error?.code ?? 'an error'}.</p></div></div>` : nothing}
      ${it.status === 'canceled' ? canceledNote(it.error) : this.isFinished(it) && it.error ? failure(it.error, it.status === 'dead_letter' ? 'It failed for good and is a dead letter' : 'It failed') : nothing}
      <div class="split"><div>
        <section class="card"><h2>Attempts</h2>${this.line(it)}</section>
        ${it.result ? html`<section class="card"><h2>Result</h2>${fileLinks(this.itemPath, it.result, it.files)}<tm-json .value=${it.result} label="Result"></tm-json></section>` : nothing}
        ${this.eventCard()}</div>
        <div><section class="card"><h2>Facts</h2>${facts(
          fact('Id', idFact(it.taskId)), fact('Attempts', this.tries(it)), fact('Created', html`<tm-time .at=${it.createdAt}></tm-time>`), fact('Started', html`<tm-time .at=${it.startedAt}></tm-time>`),
          fact('Ended', html`<tm-time .at=${it.completedAt}></tm-time>`), fact('Duration', html`<tm-took .from=${it.startedAt} .to=${it.completedAt}></tm-took>`))}
          ${it.status === 'dead_letter' ? html`<p><a href="#/dead?source=tasks">Dead letters of tasks</a></p>` : nothing}</section>
        <section class="card"><h2>Data</h2><tm-json .value=${it.data ?? {}} label="Data"></tm-json></section></div></div>`;
  }

  line(it) {
    const all = attempts(it, this.events);
    const dot = (tone, title, at, rest = nothing) => html`<li class=${tone}><div class="l-head"><b>${title}</b> <small><tm-time .at=${at}></tm-time></small></div>${rest}</li>`;
    return html`<ol class="life">
      ${dot('calm', 'Created', it.createdAt)}
      ${all.map((each) => html`${dot({ running: 'busy', failed: 'bad', completed: 'good' }[each.state], html`Attempt ${each.n} ${each.state === 'running' ? 'runs' : each.state}`, each.start, html`
        <p class="dim">${each.end === null ? html`for <tm-took .from=${each.start}></tm-took>` : html`after ${span(each.end - each.start)}`}</p>
        ${each.state === 'running' && each.progress ? progressBar(each.progress.fraction, each.progress.message) : nothing}
        ${each.error ? html`<p class="l-error"><code class="code-tag">${each.error.code}</code> ${each.error.message}</p>` : nothing}`)}
        ${each.next && each === all.at(-1) && it.status === 'retrying' ? html`<li class="busy"><div class="l-head"><b>Next attempt <tm-countdown .until=${each.next}></tm-countdown></b></div></li>` : nothing}`)}
      ${this.isFinished(it) ? dot({ completed: 'good', canceled: 'calm' }[it.status] ?? 'bad', { completed: 'Completed', canceled: 'Canceled', dead_letter: 'Dead letter' }[it.status] ?? 'Failed', it.completedAt) : nothing}</ol>`;
  }

  dialogs() {
    return html`<tm-task-start @again=${() => this.again()}></tm-task-start>`;
  }
}

customElements.define('tm-tasks', Tasks);
