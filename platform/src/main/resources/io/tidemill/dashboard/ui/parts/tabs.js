// Tabs: arrow keys move between them, Home and End to the first and the last.
import { Part, html, nothing } from '../core/element.js';

/** `<tm-tabs .tabs=${[{id, title, count}]} selected="x">`: fires `choose`. */
class Tabs extends Part {
  static properties = { tabs: { attribute: false }, selected: {}, label: {} };

  choose(id) {
    this.dispatchEvent(new CustomEvent('choose', { detail: id, bubbles: true }));
  }

  key(event) {
    const at = this.tabs.findIndex((tab) => tab.id === this.selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.follows = true; // the choice comes back by the URL, then the new tab gets the focus
    this.choose(this.tabs[(to + this.tabs.length) % this.tabs.length].id);
  }

  updated(changed) {
    if (!changed.has('selected') || !this.follows) return;
    this.follows = false;
    this.querySelector('[aria-selected="true"]')?.focus();
  }

  render() {
    return html`<div class="tabs" role="tablist" aria-label=${this.label ?? 'Parts of this view'} @keydown=${this.key}>
      ${this.tabs.map((tab) => html`<button type="button" role="tab" id=${`tab-${tab.id}`} aria-selected=${tab.id === this.selected} tabindex=${tab.id === this.selected ? 0 : -1}
        @click=${() => this.choose(tab.id)}>${tab.title}${tab.count === undefined ? nothing : html` <span class="count">${tab.count}</span>`}</button>`)}</div>`;
  }
}

customElements.define('tm-tabs', Tabs);
