// Messages: key, headers and body, each as text or Base64.
import { Part, html, nothing } from '../core/element.js';
import { bytes, dateTime } from '../core/format.js';

/** Bytes as in the API: `value`, or `value_base64` for binary data. */
export const raw = (holder, name = 'value') => holder[name] ?? (holder[`${name}_base64`] === undefined ? null : `Base64: ${holder[`${name}_base64`]}`);

/** `<tm-headers .headers=${[{name, value}]}>` */
export const headersOf = (headers) => (headers?.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Headers"><table class="plain"><thead><tr><th scope="col">Header</th><th scope="col">Value</th></tr></thead>
  <tbody>${headers.map((header) => html`<tr><th scope="row"><code>${header.name}</code></th><td><code>${typeof raw(header) === 'string' ? raw(header) : JSON.stringify(raw(header))}</code></td></tr>`)}</tbody></table></div>` : nothing);

class Messages extends Part {
  static properties = { messages: { attribute: false } };

  one(message) {
    const title = message.partition === undefined || message.partition === null ? message.id : `partition ${message.partition}, offset ${message.offset}`;
    return html`<details class="card message"><summary><span class="mono">${title}</span> ${message.key ? html`<code>${message.key}</code>` : nothing}
      <small>${message.at ? dateTime(message.at) : ''} ${message.size === undefined ? '' : bytes(message.size)}</small></summary>
      ${headersOf(message.headers)}
      ${message.fields ? html`<tm-json .value=${message.fields} label="Fields"></tm-json>` : html`<tm-json .value=${raw(message) ?? ''} label="Value"></tm-json>`}
      ${message.cut ? html`<p class="dim">Only its beginning is shown.</p>` : nothing}</details>`;
  }

  render() {
    return html`${(this.messages ?? []).map((message) => this.one(message))}`;
  }
}

customElements.define('tm-messages', Messages);
