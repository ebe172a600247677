// Editors for JSON: plain text, and a form with JSON as the alternative.
import { Part, html, nothing, keyed } from '../core/element.js';
import { faults } from '../core/schema.js';
import { pretty } from '../core/format.js';
import './form.js';

const MOST_SHOWN = 8;

/** The position of a syntax error, in words. */
function where(text, failed) {
  const at = /position (\d+)/.exec(failed.message);
  if (!at) return failed.message;
  const before = text.slice(0, Number(at[1])).split('\n');
  return `${failed.message.replace(/ in JSON at position.*/, '')} in line ${before.length}, column ${before.at(-1).length + 1}`;
}

/**
 * `<tm-json-edit label="Input" .text=${…} .check=${value => ['…']} @edit=${event => event.detail}>`: shows syntax errors and the warnings of `check` while typing.
 * `value()` returns the value, or undefined when it is not JSON.
 */
class JsonEdit extends Part {
  static properties = { text: { attribute: false }, label: {}, name: {}, rows: { type: Number }, check: { attribute: false }, fault: { attribute: false }, hint: {} };

  constructor() {
    super();
    this.text = '';
    this.name = 'json';
    this.rows = 12;
  }

  read() {
    if (this.text.trim() === '') return { value: undefined };
    try {
      return { value: JSON.parse(this.text) };
    } catch (failed) {
      return { wrong: where(this.text, failed) };
    }
  }

  get isValid() {
    return this.read().wrong === undefined;
  }

  value() {
    return this.read().value;
  }

  put(text) {
    this.text = text;
    this.dispatchEvent(new CustomEvent('edit', { detail: text }));
  }

  tidy() {
    const { value, wrong } = this.read();
    if (!wrong && value !== undefined) this.put(pretty(value));
  }

  focus() {
    this.querySelector('textarea')?.focus();
  }

  render() {
    const id = `edit-${this.name}`;
    const { value, wrong } = this.read();
    const remarks = wrong || value === undefined ? [] : (this.check?.(value) ?? []);
    const fault = wrong ? `This is no JSON: ${wrong}` : this.fault;
    return html`<div class="field json-edit"><div class="json-edit-head"><label for=${id}>${this.label}</label><button type="button" class="quiet small" ?disabled=${Boolean(wrong)} @click=${this.tidy}>Tidy up</button></div>
      <textarea id=${id} name=${this.name} class="code" rows=${this.rows} spellcheck="false" autocomplete="off" aria-invalid=${Boolean(fault)} aria-describedby=${`${id}-says`} .value=${this.text} @input=${(event) => this.put(event.target.value)}></textarea>
      <div id=${`${id}-says`} aria-live="polite">${fault ? html`<p class="fault">${fault}</p>` : nothing}
        ${remarks.length ? html`<ul class="remarks">${remarks.slice(0, MOST_SHOWN).map((each) => html`<li>${each}</li>`)}</ul>` : nothing}
        ${this.hint ? html`<p class="hint">${this.hint}</p>` : nothing}</div></div>`;
  }
}

/**
 * `<tm-payload .schema=${…} .value=${{}} label="Data" @change-value=${event => event.detail}>`: a form where there is a schema, JSON for all the rest; both show the same value.
 * `check()` returns the value, or null after showing the errors. In JSON the schema only warns, so that unknown members can be sent.
 */
class Payload extends Part {
  static properties = { schema: { attribute: false }, value: { attribute: false }, label: {}, mode: { state: true }, text: { state: true }, wrong: { state: true } };

  constructor() {
    super();
    this.value = {};
    this.mode = 'form';
    this.wrong = [];
  }

  willUpdate(changed) {
    if (changed.has('schema') && !this.schema?.properties) this.mode = 'json';
    if (changed.has('schema') && changed.get('schema') !== undefined && this.schema?.properties) this.mode = 'form';
    if (this.text === undefined || (changed.has('value') && !this.#own)) this.text = pretty(this.value ?? {});
    this.#own = false;
  }

  #own = false;

  put(value, text = pretty(value)) {
    this.#own = true;
    this.wrong = [];
    this.value = value;
    this.text = text;
    this.dispatchEvent(new CustomEvent('change-value', { detail: value }));
  }

  edit(text) {
    this.#own = true;
    this.text = text;
    try {
      this.value = JSON.parse(text);
      this.dispatchEvent(new CustomEvent('change-value', { detail: this.value }));
    } catch {
      // shown by the editor; the value stays as it was
    }
  }

  check() {
    if (this.mode === 'form') {
      const value = this.querySelector('tm-form').check();
      this.wrong = value === null ? [] : this.remarks(value);
      return this.wrong.length ? null : value;
    }
    const editor = this.querySelector('tm-json-edit');
    if (editor.isValid) return editor.value() ?? {};
    editor.focus();
    return null;
  }

  remarks = (value) => [...faults(this.schema, value)].map((each) => (each.path ? `${each.path} ${each.message}` : `It ${each.message}.`.replace(/^It must have /, 'Give ')));

  render() {
    const both = Boolean(this.schema?.properties);
    return html`<div class="payload">${both ? html`<div class="segments" role="group" aria-label=${`How to give ${this.label ?? 'it'}`}>${['form', 'json'].map((mode) => html`<button type="button" class="small" aria-pressed=${this.mode === mode}
        @click=${() => { this.mode = mode; }}>${mode === 'form' ? 'Form' : 'JSON'}</button>`)}</div>` : nothing}
      ${this.mode === 'form' && both
        ? keyed(this.schema, html`<tm-form .schema=${this.schema} .value=${this.value ?? {}} @change-value=${(event) => this.put(event.detail)}></tm-form>
          ${this.wrong?.length ? html`<div class="fault" role="alert">${this.wrong.map((each) => html`<p>${each}</p>`)}</div>` : nothing}`)
        : html`<tm-json-edit .label=${this.label ?? 'JSON'} name="payload" .text=${this.text} .check=${this.remarks} @edit=${(event) => this.edit(event.detail)}></tm-json-edit>`}</div>`;
  }
}

customElements.define('tm-json-edit', JsonEdit);
customElements.define('tm-payload', Payload);
