// Text with a copy button, and highlighted JSON. Nothing is interpreted as markup.
import { Part, html, nothing } from '../core/element.js';
import { pretty } from '../core/format.js';

const SHOWN_FOR = 1500;
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const MOST_COLOURED = 100_000;

/** Copies a text, also without HTTPS, where browsers hide the clipboard API. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = Object.assign(document.createElement('textarea'), { value: text, className: 'unseen' });
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    before?.focus();
    return done;
  }
}

/** `<tm-copy text="…">`: copies the text, and confirms it. */
class Copy extends Part {
  static properties = { text: {}, label: {}, says: { state: true } };

  async copy() {
    this.says = (await copied(this.text)) ? 'Copied' : 'Not allowed here';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.says = null; }, SHOWN_FOR);
  }

  render() {
    return html`<button type="button" class="quiet small" aria-label=${this.says ?? `Copy ${this.label ?? ''}`} @click=${this.copy}>${this.says ?? 'Copy'}</button>`;
  }
}

/** `<tm-json .value=${…}>`: anything as JSON, or a text as it is. With `plain` the text is shown to the letter. */
class Json extends Part {
  static properties = { value: { attribute: false }, label: {}, plain: { type: Boolean } };

  text() {
    if (typeof this.value !== 'string') return pretty(this.value) ?? '';
    if (this.plain) return this.value;
    try {
      return pretty(JSON.parse(this.value));
    } catch {
      return this.value;
    }
  }

  *pieces(text) {
    if (this.plain || text.length > MOST_COLOURED) {
      yield text;
      return;
    }
    let at = 0;
    for (const match of text.matchAll(TOKEN)) {
      if (match.index > at) yield text.slice(at, match.index);
      const [whole, string, colon, word, figure] = match;
      if (string !== undefined && colon !== undefined) yield html`<span class="j-key">${string}</span>${colon}`;
      else if (string !== undefined) yield html`<span class="j-string">${string}</span>`;
      else yield html`<span class=${word ? 'j-word' : 'j-number'}>${word ?? figure}</span>`;
      at = match.index + whole.length;
    }
    if (at < text.length) yield text.slice(at);
  }

  willUpdate(changed) {
    if (!changed.has('value') && !changed.has('plain')) return;
    const text = this.text();
    if (text === this.shown) return; // asked for again, and the same
    this.shown = text;
    this.cut = [...this.pieces(text)];
  }

  render() {
    return html`<div class="json">${this.shown ? html`<tm-copy .text=${this.shown} .label=${this.label ?? 'this text'}></tm-copy>` : nothing}
      <pre tabindex="0" role="region" aria-label=${this.label ?? 'JSON'}>${this.cut}</pre></div>`;
  }
}

customElements.define('tm-copy', Copy);
customElements.define('tm-json', Json);
