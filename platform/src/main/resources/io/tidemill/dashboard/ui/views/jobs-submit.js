// The dialog that submits a job: task, payload by form or JSON, and retention.
import { Part, html, nothing, keyed } from '../core/element.js';
import { get, post, IdempotencyKey } from '../core/api.js';
import { platformState } from '../core/platform-state.js';
import { go, to } from '../core/router.js';
import { busy } from '../parts/basics.js';
import { say } from '../parts/dialog.js';
import '../parts/editor.js';
import { TASKS, SCHEMAS, SAMPLES } from './jobs-schemas.js';

const MODEL_TASKS = ['chat', 'plan', 'code'];
const ANY = { type: 'object' };

/** `show({task, payload, ttl_s})` opens it, filled in from another job. */
class JobSubmit extends Part {
  static properties = { task: { state: true }, tool: { state: true }, tools: { state: true }, toolFault: { state: true }, payload: { state: true }, ttl: { state: true }, key: { state: true }, tenant: { state: true }, problem: { state: true }, faults: { state: true }, busy: { state: true }, round: { state: true }, noModel: { state: true } };

  constructor() {
    super();
    Object.assign(this, { task: 'tool', tool: 'echo', tools: null, payload: {}, ttl: '', key: '', tenant: '', faults: {}, round: 0 });
    this.idempotencyKey = new IdempotencyKey();
  }

  show(like) {
    if (like || !this.isDraft) this.fill(like ?? {});
    this.querySelector('tm-dialog').show();
    this.fetchTools();
    this.lookForModel();
  }

  /** Whether a language model is configured; silent when not known. */
  async lookForModel() {
    try {
      this.noModel = (await platformState()).servers.find((server) => server.name === 'llm')?.status === 'off';
    } catch {
      this.noModel = false;
    }
  }

  fill({ task = 'tool', payload, ttl_s: ttl }) {
    Object.assign(this, { task, ttl: ttl ?? '', key: '', tenant: '', problem: null, faults: {}, busy: false, round: this.round + 1 });
    if (task === 'tool') {
      this.tool = payload?.name ?? 'echo';
      this.payload = payload?.arguments ?? {};
    } else this.payload = payload ?? SAMPLES[task] ?? {};
  }

  async fetchTools() {
    try {
      this.tools = (await get('/v1/tools')).tools;
      this.toolFault = null;
    } catch (failed) {
      this.toolFault = failed;
    }
  }

  choose(task) {
    Object.assign(this, { task, payload: SAMPLES[task] ?? {}, faults: {}, problem: null, round: this.round + 1 });
  }

  chooseTool(name) {
    Object.assign(this, { tool: name, payload: {}, faults: {}, round: this.round + 1 });
  }

  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    const given = this.querySelector('tm-payload').check();
    if (given === null) return;
    this.busy = true;
    this.problem = null;
    this.faults = {};
    const payload = this.task === 'tool' ? { name: this.tool, arguments: given } : given;
    const body = { task: this.task, payload, ...(this.ttl === '' ? {} : { ttl_s: Number(this.ttl) }) };
    const headers = { ...(this.key ? { 'Idempotency-Key': this.key } : this.idempotencyKey.header([body, this.tenant])), ...(this.tenant ? { 'X-Tenant': this.tenant } : {}) };
    try {
      const { job_id: id, idempotent } = await post('/v1/jobs', body, { headers });
      this.idempotencyKey.reset();
      this.isDraft = false;
      this.querySelector('tm-dialog').close();
      say(idempotent && this.key ? 'This key has a job already: it is shown.' : 'The job is in the queue.');
      go(to('jobs', id));
    } catch (failed) {
      const field = ['ttl_s', 'Idempotency-Key', 'X-Tenant', 'payload', 'task'].find((each) => failed.message.includes(each));
      if (failed.status >= 400 && failed.status < 500 && field) this.faults = { [field]: failed.message };
      else this.problem = failed;
    } finally {
      this.busy = false;
    }
  }

  fault(name) {
    return this.faults[name] ? html`<p class="fault" role="alert">${this.faults[name]}</p>` : nothing;
  }

  toolField() {
    const known = this.tools ?? [];
    const names = [...new Set([...known.map((each) => each.name), this.tool])].sort();
    return html`<div class="field"><label for="job-tool">Tool</label><select id="job-tool" name="tool" @change=${(event) => this.chooseTool(event.target.value)}>${names.map((name) => html`<option value=${name} ?selected=${name === this.tool}>${name}</option>`)}</select>
      <p class="hint">${known.find((each) => each.name === this.tool)?.description ?? (this.tools ? 'No worker offers this tool now.' : this.toolFault ? html`The tools are not known: ${this.toolFault.message}. <button type="button" class="link" @click=${() => this.fetchTools()}>Ask again</button>` : 'One moment…')}</p></div>`;
  }

  schema() {
    if (this.task !== 'tool') return SCHEMAS[this.task];
    return this.tools?.find((each) => each.name === this.tool)?.inputSchema ?? ANY;
  }

  options() {
    return html`<details class="more-options"><summary>Options</summary><div class="row">
      <div class="field"><label for="job-ttl">Kept for, in seconds (ttl_s)</label><input id="job-ttl" name="ttl_s" type="number" min="1" max="604800" placeholder="3600" aria-invalid=${Boolean(this.faults.ttl_s)} .value=${String(this.ttl)} @input=${(event) => { this.ttl = event.target.value; }}>${this.fault('ttl_s')}</div>
      <div class="field"><label for="job-key">Idempotency-Key</label><input id="job-key" name="key" type="text" maxlength="255" aria-invalid=${Boolean(this.faults['Idempotency-Key'])} .value=${this.key} @input=${(event) => { this.key = event.target.value; }}>${this.fault('Idempotency-Key')}</div>
      <div class="field"><label for="job-tenant">Tenant</label><input id="job-tenant" name="tenant" type="text" placeholder="default" .value=${this.tenant} @input=${(event) => { this.tenant = event.target.value; }}>${this.fault('X-Tenant')}</div></div></details>`;
  }

  form() {
    const about = TASKS.find((each) => each.name === this.task)?.about;
    return html`<form @submit=${(event) => this.submit(event)} @input=${() => { this.isDraft = true; }} novalidate>
      <fieldset class="field"><legend>Task</legend><div class="chips">${TASKS.map((each) => html`<button type="button" class="chip" data-task=${each.name} aria-pressed=${each.name === this.task} @click=${() => this.choose(each.name)}>${each.name}</button>`)}</div></fieldset>
      <p class="dim">${about}</p>
      ${this.noModel && MODEL_TASKS.includes(this.task) ? html`<div class="note" role="status" data-no-model><div><strong>No model is set up</strong><p>Such a job ends with NOT_CONFIGURED, unless a worker has a model of its own: set <code>llm.url</code> and <code>llm.model</code>.</p></div></div>` : nothing}
      ${this.noModel && this.task === 'rag' ? html`<p class="hint" data-no-model>No language model is set up: the answer quotes the passages that fit best.</p>` : nothing}
      ${this.task === 'tool' ? this.toolField() : nothing}
      ${this.task !== 'tool' || this.tools || this.toolFault ? keyed(this.round, html`<tm-payload .label=${this.task === 'tool' ? 'Arguments' : 'Payload'} .schema=${this.schema()} .value=${this.payload} @change-value=${(event) => { this.payload = event.detail; }}></tm-payload>`) : busy()}
      ${this.fault('payload')}${this.fault('task')}
      ${this.options()}
      ${this.problem ? html`<tm-problem .problem=${this.problem} @again=${() => this.querySelector('form').requestSubmit()}></tm-problem>` : nothing}
      <footer class="actions"><button type="button" @click=${() => this.querySelector('tm-dialog').close()}>Close</button><button class="primary" ?disabled=${this.busy}>${this.busy ? 'Working…' : 'Submit'}</button></footer></form>`;
  }

  render() {
    return html`<tm-dialog wide form heading="Submit a job" .content=${this.form()}></tm-dialog>`;
  }
}

customElements.define('tm-job-submit', JobSubmit);
