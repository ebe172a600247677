// The record search in the header: jobs, workflows, tasks, crawls and dead letters by id, email, URL or words.
import { Part, html, nothing } from '../core/element.js';
import { get, withQuery } from '../core/api.js';
import { to, go } from '../core/router.js';
import { relative } from '../core/format.js';

const WAIT = 120;
const VIEW = { job: 'jobs', workflow: 'workflows', task: 'tasks', crawl: 'crawls', dead: 'dead' };

class Find extends Part {
  static properties = { q: { state: true }, hits: { state: true }, at: { state: true }, open: { state: true }, fault: { state: true } };

  constructor() {
    super();
    this.q = '';
    this.hits = null;
    this.at = 0;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.stop?.abort();
  }

  type(event) {
    this.q = event.target.value;
    this.open = true;
    this.stale = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), WAIT);
  }

  async find() {
    const q = this.q.trim();
    clearTimeout(this.timer);
    this.stop?.abort();
    if (!q) {
      this.hits = null;
      return;
    }
    const stop = new AbortController();
    this.stop = stop;
    try {
      this.hits = (await get(withQuery('/api/find', { q, limit: 12 }), { signal: stop.signal })).hits;
      this.fault = null;
    } catch (failed) {
      if (stop.signal.aborted) return;
      this.fault = failed.message;
      this.hits = [];
    }
    this.at = 0;
    this.stale = false;
  }

  choices() {
    const q = this.q.trim();
    return [...(this.hits ?? []).map((hit) => ({ ...hit, href: to(VIEW[hit.kind], hit.id) })), ...(q ? [{ kind: 'pages', title: `Search pages for “${q}”`, href: to('search', { q }) }] : [])];
  }

  key(event) {
    const choices = this.choices();
    if (event.key === 'Escape') {
      if (this.open) this.open = false;
      else event.target.blur();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.open = true;
      this.at = (this.at + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) % Math.max(1, choices.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.enter();
    }
  }

  /** Enter right after typing searches for the whole text first. */
  async enter() {
    if (this.stale) await this.find();
    const choice = this.choices()[this.at];
    if (choice && !this.stale) this.choose(choice);
  }

  /** Opens the hit and leaves the field, so that the keys work in the view. */
  choose(choice) {
    this.open = false;
    this.querySelector('input').blur();
    if (choice.href === location.hash) document.querySelector('main h1')?.focus({ preventScroll: true });
    else go(choice.href);
  }

  render() {
    const choices = this.choices();
    const shown = Boolean(this.open) && this.q.trim() !== '' && this.hits !== null;
    return html`<div class="find" role="search" aria-label="Everything"><input type="search" placeholder="Find anything: id, email, URL, words" aria-label="Find anything" role="combobox" aria-expanded=${shown} aria-controls="found" aria-autocomplete="list"
        aria-activedescendant=${shown ? `found-${this.at}` : nothing} autocomplete="off" spellcheck="false" .value=${this.q} @input=${this.type} @keydown=${this.key}
        @focus=${() => { this.open = true; }} @blur=${() => { this.open = false; }}><kbd aria-hidden="true">/</kbd>
      <div id="found" role="listbox" aria-label="Found" ?hidden=${!shown}>${this.fault ? html`<p class="fault" role="presentation">${this.fault}</p>` : nothing}${choices.map((hit, at) => html`<div role="option" id=${`found-${at}`} aria-selected=${at === this.at} class=${at === this.at ? 'current' : ''}
        @mousedown=${(event) => { event.preventDefault(); this.choose(hit); }}><span class="kind">${hit.kind}</span><span class="f-title">${hit.title || hit.id}</span>
        ${hit.status ? html`<tm-status .status=${hit.status}></tm-status>` : nothing}${hit.at ? html`<small>${relative(hit.at)}</small>` : nothing}${hit.text ? html`<span class="f-text">${hit.text}</span>` : nothing}</div>`)}</div></div>`;
  }
}

customElements.define('tm-find', Find);
