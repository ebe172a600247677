// The dialog that starts a task with the form of its type, or retries one with other data.
import { Part, html, nothing, keyed } from '../core/element.js';
import { post, IdempotencyKey } from '../core/api.js';
import { go, to } from '../core/router.js';
import { busy } from '../parts/basics.js';
import { say } from '../parts/dialog.js';
import '../parts/editor.js';
import { forms } from './executions.js';

const SAMPLES = {
  data_export: { source: { search: 'tide mill', limit: 500 }, format: 'csv' },
  email_notification: { template: 'notice', variables: { title: 'Hello', message: 'The tide is in.' } },
  report_generation: { report: 'overview' },
};

/** `show({type, data, maxRetries})` for a new one; `retry(task)` for one that failed, which fires `again`. */
class TaskStart extends Part {
  static properties = { forms: { state: true }, type: { state: true }, data: { state: true }, retries: { state: true }, old: { state: true }, problem: { state: true }, faults: { state: true }, busy: { state: true }, round: { state: true } };

  constructor() {
    super();
    this.type = '';
    this.data = {};
    this.retries = '';
    this.faults = {};
    this.round = 0;
    this.idempotencyKey = new IdempotencyKey();
  }

  async open(filled) {
    Object.assign(this, { problem: null, faults: {}, busy: false, round: this.round + 1, ...filled });
    if (this.old) this.isDraft = false;
    this.querySelector('tm-dialog').show();
    try {
      this.forms = await forms();
      if (!this.type) this.choose(this.forms.tasks[0]?.type ?? '');
    } catch (failed) {
      this.problem = failed;
    }
  }

  show(like) {
    const { type = '', data, maxRetries } = like ?? {};
    this.open(!like && this.isDraft ? {} : { old: null, type, data: data ?? SAMPLES[type] ?? {}, retries: maxRetries ?? '' });
  }

  retry(task) {
    this.open({ old: task, type: task.type, data: task.data ?? {}, retries: task.maxRetries ?? '' });
  }

  choose(type) {
    this.type = type;
    this.data = SAMPLES[type] ?? {};
    this.round++;
    this.faults = {};
  }

  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    const data = this.querySelector('tm-payload').check();
    if (data === null) return;
    this.busy = true;
    this.problem = null;
    this.faults = {};
    try {
      const maxRetries = this.retries === '' ? {} : { maxRetries: Number(this.retries) };
      if (this.old) {
        await post(`/api/tasks/${encodeURIComponent(this.old.taskId)}/retry`, { data, ...maxRetries });
        say('The task is retried.');
        this.dispatchEvent(new Event('again'));
      } else {
        const body = { type: this.type, data, ...maxRetries };
        const { taskId } = await post('/api/tasks', body, { headers: this.idempotencyKey.header(body) });
        this.idempotencyKey.reset();
        this.isDraft = false;
        say('The task is accepted.');
        go(to('tasks', taskId));
      }
      this.querySelector('tm-dialog').close();
    } catch (failed) {
      const { field } = failed.body ?? {};
      if (['type', 'data', 'maxRetries'].includes(field)) this.faults = { [field]: failed.message };
      else this.problem = failed;
    } finally {
      this.busy = false;
    }
  }

  fault(name) {
    return this.faults[name] ? html`<p class="fault" role="alert">${this.faults[name]}</p>` : nothing;
  }

  form() {
    const types = this.forms?.tasks ?? [];
    const schema = types.find((each) => each.type === this.type)?.schema ?? null;
    return html`<form @submit=${(event) => this.submit(event)} @input=${() => { this.isDraft = !this.old; }} novalidate>
      ${this.old ? nothing : html`<fieldset class="field"><legend>Type</legend><div class="chips">${types.map((each) => html`<button type="button" class="chip" data-type=${each.type} aria-pressed=${each.type === this.type} @click=${() => this.choose(each.type)}>${each.type.replaceAll('_', ' ')}</button>`)}</div>${this.fault('type')}</fieldset>`}
      ${schema?.description ? html`<p class="dim">${schema.description}</p>` : nothing}
      ${this.forms ? keyed(this.round, html`<tm-payload label="Data" .schema=${schema} .value=${this.data} @change-value=${(event) => { this.data = event.detail; }}></tm-payload>`) : busy()}
      ${this.fault('data')}
      <div class="field short"><label for="task-retries">Most retries</label><input id="task-retries" name="maxRetries" type="number" min="0" max="100" placeholder="3" aria-invalid=${Boolean(this.faults.maxRetries)} .value=${String(this.retries)} @input=${(event) => { this.retries = event.target.value; }}>${this.fault('maxRetries')}</div>
      ${this.problem ? html`<tm-problem .problem=${this.problem} @again=${() => (this.forms ? this.querySelector('form').requestSubmit() : this.open({}))}></tm-problem>` : nothing}
      <footer class="actions"><button type="button" @click=${() => this.querySelector('tm-dialog').close()}>Close</button><button class="primary" ?disabled=${this.busy || !this.forms}>${this.busy ? 'Working…' : this.old ? 'Retry' : 'Start'}</button></footer></form>`;
  }

  render() {
    return html`<tm-dialog wide form heading=${this.old ? 'Retry with other data' : 'Start a task'} .content=${this.form()}></tm-dialog>`;
  }
}

customElements.define('tm-task-start', TaskStart);
