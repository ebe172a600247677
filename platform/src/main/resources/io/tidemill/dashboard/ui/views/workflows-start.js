// The dialog that starts a workflow: name, steps, input.
import { Part, html, nothing, repeat } from '../core/element.js';
import { post, IdempotencyKey } from '../core/api.js';
import { go, to } from '../core/router.js';
import { pretty } from '../core/format.js';
import { say } from '../parts/dialog.js';
import '../parts/action.js';
import '../parts/editor.js';
import { forms } from './executions.js';
import { remarks, sample, EXAMPLES } from './workflows-input.js';

const FIELDS = ['name', 'steps', 'priority', 'input'];

/** `show(workflow)` opens it, filled in from another workflow. */
class WorkflowStart extends Part {
  static properties = { forms: { state: true }, name: { state: true }, steps: { state: true }, priority: { state: true }, input: { state: true }, problem: { state: true }, faults: { state: true }, busy: { state: true }, own: { state: true }, formsFault: { state: true } };

  constructor() {
    super();
    this.idempotencyKey = new IdempotencyKey();
    this.fill({});
  }

  fill({ name = '', steps = [], priority = 'medium', input }) {
    Object.assign(this, { name, steps: [...steps], priority, input: input ? pretty(input) : '{\n  "records": []\n}', faults: {}, problem: null, busy: false, own: '' });
  }

  show(like) {
    if (like || !this.isDraft) this.fill(like ?? {});
    this.fetchForms();
    this.querySelector('tm-dialog').show();
  }

  async fetchForms() {
    try {
      this.forms = await forms();
      this.formsFault = null;
    } catch (failed) {
      this.formsFault = failed; // it does without: steps can be typed
    }
  }

  add(step) {
    if (!step.trim()) return;
    this.steps = [...this.steps, step.trim()];
    this.own = '';
    this.faults = { ...this.faults, steps: undefined };
  }

  async move(at, by) {
    const steps = [...this.steps];
    const [step] = steps.splice(at, 1);
    steps.splice(at + by, 0, step);
    this.steps = steps;
    await this.updateComplete;
    this.querySelectorAll('.picked li')[at + by]?.querySelector(by < 0 ? '[data-up]' : '[data-down]')?.focus();
  }

  /** Adds an option to the input, with a sample value. */
  insert(step, option) {
    let input;
    try {
      input = this.input.trim() ? JSON.parse(this.input) : {};
    } catch {
      return;
    }
    const options = typeof input[step] === 'object' && input[step] !== null ? input[step] : {};
    this.input = pretty({ ...input, [step]: { ...options, [option.name]: options[option.name] ?? sample(option.about) } });
  }

  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    const editor = this.querySelector('tm-json-edit');
    const faults = {};
    if (this.name.trim().length < 3) faults.name = 'name must have 3 to 100 characters';
    if (!this.steps.length) faults.steps = 'Choose one step at least';
    this.faults = faults;
    if (Object.keys(faults).length || !editor.isValid) {
      await this.updateComplete;
      this.querySelector('[aria-invalid="true"]')?.focus();
      return;
    }
    this.busy = true;
    this.problem = null;
    try {
      const body = { name: this.name.trim(), steps: this.steps, priority: this.priority, ...(editor.value() === undefined ? {} : { input: editor.value() }) };
      const { workflowId } = await post('/api/workflows', body, { headers: this.idempotencyKey.header(body) });
      this.idempotencyKey.reset();
      this.isDraft = false;
      this.querySelector('tm-dialog').close();
      say('The workflow is accepted.');
      go(to('workflows', workflowId));
    } catch (failed) {
      const { field } = failed.body ?? {};
      if (FIELDS.includes(field)) this.faults = { [field]: failed.message };
      else this.problem = failed;
    } finally {
      this.busy = false;
    }
  }

  stepPicker() {
    const known = this.forms?.steps ?? [];
    return html`<fieldset class="field" id="start-steps" aria-invalid=${Boolean(this.faults.steps)}><legend>Steps, in this order <span class="needed">needed</span></legend>
      ${this.steps.length ? html`<ol class="picked">${this.steps.map((step, at) => html`<li><span class="picked-at">${at + 1}</span><b>${step}</b><small>${known.find((each) => each.name === step)?.does ?? 'a step of your own'}</small>
        <span class="picked-tools"><button type="button" class="quiet small" data-up ?disabled=${at === 0} aria-label=${`Move ${step} up`} @click=${() => this.move(at, -1)}>↑</button><button type="button" class="quiet small" data-down ?disabled=${at === this.steps.length - 1} aria-label=${`Move ${step} down`} @click=${() => this.move(at, 1)}>↓</button><button type="button" class="quiet small" aria-label=${`Remove ${step}`} @click=${() => { this.steps = this.steps.filter((_, other) => other !== at); }}>✕</button></span></li>`)}</ol>` : nothing}
      <div class="chips" role="group" aria-label="Add a step">${known.map((step) => html`<button type="button" class="chip" title=${step.does} data-step=${step.name} @click=${() => this.add(step.name)}>+ ${step.name}</button>`)}
        <span class="own-step"><input type="text" aria-label="A step of your own" placeholder="your own step" .value=${this.own} @input=${(event) => { this.own = event.target.value; }} @keydown=${(event) => { if (event.key === 'Enter') { event.preventDefault(); this.add(this.own); } }}>
        <button type="button" class="small" ?disabled=${!this.own.trim()} @click=${() => this.add(this.own)}>Add</button></span></div>
      ${this.faults.steps ? html`<p class="fault" role="alert">${this.faults.steps}</p>` : nothing}</fieldset>`;
  }

  help() {
    const chosen = (this.forms?.steps ?? []).filter((step) => this.steps.includes(step.name));
    return html`<aside class="option-help" tabindex="0" aria-label="Options of the steps">
      <h3>Records come from</h3><p class="hint">${(this.forms?.sources ?? []).map((name) => html`<code>${name}</code> `)}</p>
      ${repeat(chosen, (step) => step.name, (step) => html`<details open><summary>${step.name}</summary>${step.options.length ? html`<ul>${step.options.map((option) => html`<li><button type="button" class="link mono" @click=${() => this.insert(step.name, option)} title="Put it into the input">${option.name}</button> <span class="hint">${option.about}</span></li>`)}</ul>` : html`<p class="hint">It has no options.</p>`}</details>`)}</aside>`;
  }

  form() {
    return html`<form @submit=${(event) => this.submit(event)} @input=${() => { this.isDraft = true; }} novalidate>
      <p class="row examples"><span class="hint">Begin with an example:</span>${EXAMPLES.map((each) => html`<button type="button" class="chip" @click=${() => this.fill(each)}>${each.name}</button>`)}</p>
      <div class="row start-row"><div class="field grow2"><label for="start-name">Name <span class="needed">needed</span></label><input id="start-name" name="name" type="text" maxlength="100" autofocus aria-invalid=${Boolean(this.faults.name)} .value=${this.name} @input=${(event) => { this.name = event.target.value; this.faults = { ...this.faults, name: undefined }; }}>
        ${this.faults.name ? html`<p class="fault" role="alert">${this.faults.name}</p>` : nothing}</div>
      <div class="field"><label for="start-priority">Priority</label><select id="start-priority" name="priority" @change=${(event) => { this.priority = event.target.value; }}>${['high', 'medium', 'low'].map((each) => html`<option ?selected=${each === this.priority}>${each}</option>`)}</select>
        ${this.faults.priority ? html`<p class="fault" role="alert">${this.faults.priority}</p>` : nothing}</div></div>
      ${this.formsFault ? html`<tm-problem .problem=${this.formsFault} @again=${() => this.fetchForms()}></tm-problem>` : nothing}
      ${this.stepPicker()}
      <div class="input-and-help"><tm-json-edit label="Input" name="input" rows="14" .text=${this.input} .fault=${this.faults.input} .check=${(value) => remarks(this.forms, this.steps, value)} @edit=${(event) => { this.input = event.detail; }}
        hint="Where the records come from, and the options of each step under its name."></tm-json-edit>${this.help()}</div>
      ${this.problem ? html`<tm-problem .problem=${this.problem} @again=${(event) => this.submit(event)}></tm-problem>` : nothing}
      <footer class="actions"><button type="button" @click=${() => this.querySelector('tm-dialog').close()}>Close</button><button class="primary" ?disabled=${this.busy}>${this.busy ? 'Working…' : 'Start'}</button></footer></form>`;
  }

  render() {
    return html`<tm-dialog wide form heading="Start a workflow" .content=${this.form()}></tm-dialog>`;
  }
}

customElements.define('tm-workflow-start', WorkflowStart);
