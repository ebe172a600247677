// A form made of a JSON Schema: a field for each property, JSON where a property is more than a field can say.
import { Part, html, nothing } from '../core/element.js';

const kindOf = (schema) => {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (schema.enum) return 'choice';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('string')) return (schema.maxLength ?? 0) > 300 || schema.format === 'textarea' ? 'text' : 'line';
  return 'json';
};

/** `<tm-form .schema=${…} .value=${{}} @change-value=${event => event.detail}>`; `check()` returns the value, or null after showing the errors. */
class Form extends Part {
  static properties = { schema: { attribute: false }, value: { attribute: false }, faults: { state: true } };

  constructor() {
    super();
    this.value = {};
    this.faults = {};
    this.texts = {};
  }

  set(name, value) {
    const next = { ...this.value };
    if (value === undefined) delete next[name];
    else next[name] = value;
    this.value = next;
    this.faults = { ...this.faults, [name]: undefined };
    this.dispatchEvent(new CustomEvent('change-value', { detail: next }));
  }

  /** Keeps the text as typed: `1.` may become a number. */
  setNumber(name, { value, validity }) {
    if (validity.badInput) {
      this.faults = { ...this.faults, [name]: 'must be a number' };
      return;
    }
    this.texts[name] = value;
    this.set(name, value === '' ? undefined : Number(value));
  }

  setJson(name, text) {
    this.texts[name] = text;
    if (text.trim() === '') {
      this.set(name, undefined);
      return;
    }
    try {
      this.set(name, JSON.parse(text));
    } catch {
      this.faults = { ...this.faults, [name]: 'must be JSON' };
    }
  }

  check() {
    const faults = {};
    for (const [name, schema] of Object.entries(this.schema.properties ?? {})) {
      const value = this.value[name];
      if (this.faults[name]) faults[name] = this.faults[name];
      else if (value === undefined && (this.schema.required ?? []).includes(name)) faults[name] = 'is needed';
      else if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum) faults[name] = `must be at least ${schema.minimum}`;
      else if (typeof value === 'number' && schema.maximum !== undefined && value > schema.maximum) faults[name] = `must be at most ${schema.maximum}`;
    }
    this.faults = faults;
    const wrong = Object.keys(faults);
    if (wrong.length) this.querySelector(`[name="${CSS.escape(wrong[0])}"]`)?.focus();
    return wrong.length ? null : this.value;
  }

  field(name, schema) {
    const value = this.value[name];
    const id = `field-${name}`;
    const fault = this.faults[name];
    const about = { invalid: Boolean(fault), by: fault ? `${id}-fault` : nothing };
    switch (kindOf(schema)) {
      case 'choice':
        return html`<select id=${id} name=${name} aria-invalid=${about.invalid} aria-describedby=${about.by} @change=${(event) => this.set(name, event.target.value === '' ? undefined : schema.enum.find((each) => String(each) === event.target.value))}>
          <option value="" ?selected=${value === undefined}>–</option>${schema.enum.map((each) => html`<option ?selected=${each === value}>${each}</option>`)}</select>`;
      case 'boolean':
        return html`<input id=${id} name=${name} type="checkbox" .checked=${value ?? schema.default ?? false} @change=${(event) => this.set(name, event.target.checked)}>`;
      case 'number':
        return html`<input id=${id} name=${name} type="number" step="any" aria-invalid=${about.invalid} aria-describedby=${about.by} .value=${this.texts[name] ?? value ?? ''} placeholder=${schema.default ?? ''} @input=${(event) => this.setNumber(name, event.target)}>`;
      case 'text':
        return html`<textarea id=${id} name=${name} rows="4" aria-invalid=${about.invalid} aria-describedby=${about.by} .value=${value ?? ''} @input=${(event) => this.set(name, event.target.value === '' ? undefined : event.target.value)}></textarea>`;
      case 'json':
        return html`<textarea id=${id} name=${name} rows="4" class="code" spellcheck="false" aria-invalid=${about.invalid} aria-describedby=${about.by} placeholder="JSON" .value=${this.texts[name] ?? (value === undefined ? '' : JSON.stringify(value, null, 2))} @input=${(event) => this.setJson(name, event.target.value)}></textarea>`;
      default:
        return html`<input id=${id} name=${name} type="text" aria-invalid=${about.invalid} aria-describedby=${about.by} .value=${value ?? ''} placeholder=${schema.default ?? ''} @input=${(event) => this.set(name, event.target.value === '' ? undefined : event.target.value)}>`;
    }
  }

  render() {
    const properties = Object.entries(this.schema?.properties ?? {});
    if (!properties.length) return html`<p class="dim">Nothing to fill in.</p>`;
    return html`<div class="form">${properties.map(([name, schema]) => html`<div class="field">
      <label for=${`field-${name}`}>${name}${(this.schema.required ?? []).includes(name) ? html` <span class="needed">needed</span>` : nothing}</label>
      ${this.field(name, schema)}
      ${this.faults[name] ? html`<p class="fault" role="alert" id=${`field-${name}-fault`}>${name} ${this.faults[name]}</p>` : nothing}
      ${schema.description ? html`<p class="hint">${schema.description}</p>` : nothing}</div>`)}</div>`;
  }
}

customElements.define('tm-form', Form);
