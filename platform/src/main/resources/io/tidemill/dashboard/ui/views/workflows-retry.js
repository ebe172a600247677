// The dialog that retries a workflow from a step, with another input.
import { Part, html, nothing } from '../core/element.js';
import { post } from '../core/api.js';
import { pretty } from '../core/format.js';
import { say } from '../parts/dialog.js';
import '../parts/editor.js';
import { forms } from './executions.js';
import { changes, remarks } from './workflows-input.js';

/** `show(workflow)`; fires `again` after the retry. */
class WorkflowRetry extends Part {
  static properties = { it: { state: true }, input: { state: true }, chosen: { state: true }, forms: { state: true }, faults: { state: true }, problem: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.faults = {};
    this.input = '';
  }

  show(it) {
    Object.assign(this, { it, input: it.input ? pretty(it.input) : '{}', chosen: null, faults: {}, problem: null, busy: false });
    forms().then((found) => { this.forms = found; }, () => {}); // it does without remarks
    this.querySelector('tm-dialog').show();
  }

  /** The edited input, if it is valid JSON. */
  get edited() {
    try {
      return changes(this.it.steps, this.it.input, JSON.parse(this.input));
    } catch {
      return null;
    }
  }

  get failed() {
    return this.it.currentStepIndex ?? 0;
  }

  /** The first step: as chosen, else the first that reads an edited part. */
  get from() {
    if (this.chosen !== null) return this.chosen;
    const { step = this.failed } = this.edited ?? {};
    return step < this.failed ? String(step) : '';
  }

  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    const editor = this.querySelector('tm-json-edit');
    if (!editor.isValid) {
      editor.focus();
      return;
    }
    this.busy = true;
    this.problem = null;
    this.faults = {};
    try {
      const input = editor.value();
      const changed = input !== undefined && JSON.stringify(input) !== JSON.stringify(this.it.input);
      await post(`/api/workflows/${encodeURIComponent(this.it.workflowId)}/retry`, { ...(changed ? { input } : {}), ...(this.from === '' ? {} : { fromStep: Number(this.from) }) });
      this.querySelector('tm-dialog').close();
      say('The workflow is retried.');
      this.dispatchEvent(new Event('again'));
    } catch (failed) {
      const { field } = failed.body ?? {};
      if (field === 'input' || field === 'fromStep') this.faults = { [field]: failed.message };
      else this.problem = failed;
    } finally {
      this.busy = false;
    }
  }

  /** Explains why it starts before the failed step, or that an edit has no effect. */
  advice(steps, failed, from) {
    const { names, step = failed } = this.edited ?? {};
    if (step >= failed) return nothing;
    const what = html`${names.join(', ')} changed, and ${step + 1}. ${steps[step]} reads that`;
    const late = (from === '' ? failed : Number(from)) > step;
    return late ? html`<p class="fault" data-advice>${what}: begin there, or the edit is not seen.</p>` : this.chosen === null ? html`<p data-advice>${what}: it begins there.</p>` : nothing;
  }

  form() {
    if (!this.it) return nothing;
    const { it: { steps }, failed, from } = this;
    return html`<form @submit=${(event) => this.submit(event)} novalidate>
      <div class="field"><label for="retry-from">Begin with</label><select id="retry-from" name="fromStep" aria-invalid=${Boolean(this.faults.fromStep)} @change=${(event) => { this.chosen = event.target.value; }}>
        <option value="" .selected=${from === ''}>the step that failed (${failed + 1}. ${steps[failed]})</option>${steps.slice(0, failed + 1).map((step, at) => html`<option value=${at} .selected=${from === String(at)}>${at + 1}. ${step}</option>`)}</select>
        <div aria-live="polite">${this.advice(steps, failed, from)}</div>
        <p class="hint">What this step and later ones did before is forgotten. The records in the input are read by the first step only.</p>
        ${this.faults.fromStep ? html`<p class="fault" role="alert">${this.faults.fromStep}</p>` : nothing}</div>
      <tm-json-edit label="Input" name="retry-input" rows="16" .text=${this.input} .fault=${this.faults.input} .check=${(value) => remarks(this.forms, steps, value)} @edit=${(event) => { this.input = event.detail; }}></tm-json-edit>
      ${this.problem ? html`<tm-problem .problem=${this.problem} @again=${(event) => this.submit(event)}></tm-problem>` : nothing}
      <footer class="actions"><button type="button" @click=${() => this.querySelector('tm-dialog').close()}>Close</button><button class="primary" ?disabled=${this.busy}>${this.busy ? 'Working…' : 'Retry'}</button></footer></form>`;
  }

  render() {
    return html`<tm-dialog wide form heading="Edit and retry" .content=${this.form()}></tm-dialog>`;
  }
}

customElements.define('tm-workflow-retry', WorkflowRetry);
