// Small things that every view shows: states, times, failures, nothing to see.
import { Part, html, nothing } from '../core/element.js';
import { onTick } from '../core/clock.js';
import { relative, dateTime, span, millis, pretty } from '../core/format.js';

const TONES = {
  good: ['done', 'completed', 'up', 'ok', 'live', 'redriven', 'succeeded', 'valid', 'indexed', 'fetched'],
  busy: ['running', 'processing', 'in_progress', 'busy', 'ending', 'partly', 'retrying', 'waiting', 'starting'],
  bad: ['error', 'failed', 'dead_letter', 'dead', 'down', 'invalid', 'expired'],
};

/** Which colour a state has. */
export function tone(status) {
  const word = String(status ?? '').toLowerCase();
  return Object.keys(TONES).find((name) => TONES[name].includes(word)) ?? 'calm';
}

/** `<tm-status status="running">`: a state as a word in a coloured pill. */
class Status extends Part {
  static properties = { status: {}, label: {} };

  render() {
    return html`<span class="pill ${tone(this.status)}">${this.label ?? String(this.status ?? '–').replaceAll('_', ' ')}</span>`;
  }
}

/** `<tm-time .at=${ms}>`: how long ago, kept up to date; the exact time on hover. */
class Time extends Part {
  static properties = { at: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.stop = onTick(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  render() {
    const ms = millis(this.at);
    if (Number.isNaN(ms)) return html`<span class="dim">–</span>`;
    return html`<time datetime=${new Date(ms).toISOString()} title=${dateTime(ms)}>${relative(ms)}</time>`;
  }
}

/** `<tm-countdown .until=${ms}>`: how long still, by the second; "now" when it is over. */
class Countdown extends Part {
  static properties = { until: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.stop = onTick(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  render() {
    const left = millis(this.until) - Date.now();
    if (Number.isNaN(left)) return nothing;
    return html`<span class="countdown" title=${dateTime(this.until)}>${left <= 0 ? 'now' : `in ${span(Math.ceil(left / 1000) * 1000)}`}</span>`;
  }
}

/** `<tm-copy text="…">`: copies, and says so. */
class Copy extends Part {
  static properties = { text: {}, label: {}, done: { state: true } };

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text);
      this.done = true;
      setTimeout(() => { this.done = false; }, 1500);
    } catch {
      this.done = false;
    }
  }

  render() {
    return html`<button type="button" class="quiet small" aria-label=${`Copy ${this.label ?? ''}`} @click=${this.copy}>${this.done ? 'Copied' : 'Copy'}</button>`;
  }
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const MOST_COLOURED = 100_000;

/** `<tm-json .value=${…}>`: JSON (or any text) to read and to copy. Nothing in it is ever taken for markup. */
class Json extends Part {
  static properties = { value: { attribute: false }, label: {} };

  text() {
    if (typeof this.value !== 'string') return pretty(this.value) ?? '';
    try {
      return pretty(JSON.parse(this.value));
    } catch {
      return this.value;
    }
  }

  *pieces(text) {
    if (text.length > MOST_COLOURED) {
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

  render() {
    const text = this.text();
    return html`<div class="json"><tm-copy .text=${text} .label=${this.label ?? 'this text'}></tm-copy>
      <pre tabindex="0" role="region" aria-label=${this.label ?? 'JSON'}>${[...this.pieces(text)]}</pre></div>`;
  }
}

/** `<tm-problem .problem=${…}>`: what failed, why, and a way to try again (event `again`). */
class ProblemNote extends Part {
  static properties = { problem: { attribute: false } };

  render() {
    const problem = this.problem;
    if (!problem) return nothing;
    return html`<div class="note bad" role="alert"><div><strong>${problem.status === 404 ? 'Not found' : problem.status === 503 || problem.status === 0 ? 'Not available' : 'That did not work'}</strong>
      <p>${problem.message}</p>${problem.body?.violations ? html`<ul>${problem.body.violations.map((each) => html`<li>${typeof each === 'string' ? each : `${each.path ?? ''} ${each.message ?? ''}`}</li>`)}</ul>` : nothing}</div>
      <button type="button" @click=${() => this.dispatchEvent(new Event('again', { bubbles: true }))}>Try again</button></div>`;
  }
}

/** Nothing is here yet, and what to do about it. */
export const empty = (title, hint = nothing) => html`<div class="empty"><strong>${title}</strong><p>${hint}</p></div>`;

/** A name and its value, in a list of facts. */
export const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value ?? '–'}</dd></div>`;
export const facts = (...all) => html`<dl class="facts">${all}</dl>`;

/** `<tm-tabs .tabs=${[{id, title}]} selected="x">`: tells of a choice by `choose`. */
class Tabs extends Part {
  static properties = { tabs: { attribute: false }, selected: {}, label: {} };

  choose(id, focus = false) {
    this.dispatchEvent(new CustomEvent('choose', { detail: id, bubbles: true }));
    if (focus) this.updateComplete.then(() => this.querySelector('[aria-selected="true"]')?.focus());
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.tabs.findIndex((tab) => tab.id === this.selected);
    this.choose(this.tabs[(at + step + this.tabs.length) % this.tabs.length].id, true);
  }

  render() {
    return html`<div class="tabs" role="tablist" aria-label=${this.label ?? 'Parts of this view'} @keydown=${this.key}>
      ${this.tabs.map((tab) => html`<button type="button" role="tab" id=${`tab-${tab.id}`} aria-selected=${tab.id === this.selected} tabindex=${tab.id === this.selected ? 0 : -1}
        @click=${() => this.choose(tab.id)}>${tab.title}${tab.count === undefined ? nothing : html` <span class="count">${tab.count}</span>`}</button>`)}</div>`;
  }
}

customElements.define('tm-status', Status);
customElements.define('tm-time', Time);
customElements.define('tm-countdown', Countdown);
customElements.define('tm-copy', Copy);
customElements.define('tm-json', Json);
customElements.define('tm-problem', ProblemNote);
customElements.define('tm-tabs', Tabs);
