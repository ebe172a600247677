// The search field with completion.
import { Part, html, nothing } from '../core/element.js';
import { get, withQuery } from '../core/api.js';

const WAIT = 140;

/** `<tm-search-box .value=${q} @query=${event => event.detail}>`: `query` fires while typing, after a short pause. */
class SearchBox extends Part {
  static properties = { value: { attribute: false }, text: { state: true }, all: { state: true }, at: { state: true }, open: { state: true } };

  constructor() {
    super();
    this.all = [];
    this.at = -1;
  }

  willUpdate(changed) {
    if (!changed.has('value') || this.value === this.told) return;
    this.text = this.value ?? '';
    this.told = this.value; // changed by somebody else, such as the way back
  }

  /** Focuses the field, unless a dialog is open or the device has only an on-screen keyboard. */
  firstUpdated() {
    setTimeout(() => {
      if (!document.querySelector('dialog[open]') && matchMedia('(hover: hover)').matches) this.querySelector('input').focus({ preventScroll: true });
    }, 50);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.stop?.abort();
  }

  type(event) {
    this.text = event.target.value;
    this.open = true;
    this.at = -1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.tell();
      this.suggest();
    }, WAIT);
  }

  tell() {
    clearTimeout(this.timer);
    this.told = this.text.trim();
    this.dispatchEvent(new CustomEvent('query', { detail: this.told }));
  }

  async suggest() {
    this.stop?.abort();
    const q = this.text.trim();
    if (q.length < 2) {
      this.all = [];
      return;
    }
    this.stop = new AbortController();
    try {
      const { suggestions } = await get(withQuery('/api/suggest', { q }), { signal: this.stop.signal });
      this.all = suggestions.filter((each) => each !== q);
      this.at = -1;
    } catch (failed) {
      if (failed.name !== 'AbortError') this.all = []; // the results say what is wrong
    }
  }

  choose(text) {
    this.text = text;
    this.open = false;
    this.all = [];
    this.at = -1;
    this.tell();
  }

  key(event) {
    const shown = this.open && this.all.length > 0;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.choose(shown && this.at >= 0 ? this.all[this.at] : this.text);
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault();
      this.open = false;
    } else if (shown && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.at = this.at < 0 ? (step > 0 ? 0 : this.all.length - 1) : (this.at + step + this.all.length) % this.all.length;
    }
  }

  render() {
    const shown = Boolean(this.open && this.all.length);
    return html`<div class="s-box" role="search" aria-label="Pages"><input type="search" aria-label="Search pages" placeholder="Words, &quot;a phrase&quot;, -not, site:example.org" autocomplete="off" spellcheck="false" role="combobox" aria-expanded=${shown} aria-controls="suggestions"
        aria-autocomplete="list" aria-activedescendant=${shown && this.at >= 0 ? `suggestion-${this.at}` : nothing} .value=${this.text ?? ''} @input=${this.type} @keydown=${this.key}
        @search=${() => { if (this.querySelector('input').value === '') this.choose(''); }} @blur=${() => { this.open = false; }}>
      <div id="suggestions" class="s-suggest" role="listbox" aria-label="Suggestions" ?hidden=${!shown}>${this.all.map((each, at) => html`<div role="option" id=${`suggestion-${at}`} class=${at === this.at ? 'current' : ''} aria-selected=${at === this.at}
        @mousedown=${(event) => { event.preventDefault(); this.choose(each); }}>${each}</div>`)}</div></div>`;
  }
}

customElements.define('tm-search-box', SearchBox);
