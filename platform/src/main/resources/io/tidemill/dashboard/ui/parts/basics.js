// Small parts of every view: status, problem, empty state.
import { Part, html, nothing } from '../core/element.js';
import { count, sentence } from '../core/format.js';
import './times.js';
import './json.js';
import './tabs.js';

const TONES = {
  good: ['done', 'completed', 'up', 'ok', 'live', 'redriven', 'succeeded', 'valid', 'indexed', 'fetched'],
  busy: ['running', 'processing', 'in_progress', 'busy', 'ending', 'partly', 'retrying', 'waiting', 'starting'],
  bad: ['error', 'failed', 'dead_letter', 'dead', 'down', 'invalid', 'expired'],
};

/** The colour of a status. */
export function tone(status) {
  const word = String(status ?? '').toLowerCase();
  return Object.keys(TONES).find((name) => TONES[name].includes(word)) ?? 'calm';
}

/** `<tm-status status="running">`: a status as a coloured pill. */
class Status extends Part {
  static properties = { status: {}, label: {} };

  render() {
    return html`<span class="pill ${tone(this.status)}">${this.label ?? String(this.status ?? '–').replaceAll('_', ' ')}</span>`;
  }
}

const TITLES = { 0: 'Not available', 401: 'Signed out', 403: 'Not allowed', 404: 'Not found', 429: 'Too much at once', 503: 'Not available' };

/** A violation as text. */
const violation = (each) => (typeof each === 'string' ? each : `${each.path ?? ''} ${each.message ?? ''}`);

/** `<tm-problem .problem=${…}>`: the failure, and a button to try again (event `again`). */
class ProblemNote extends Part {
  static properties = { problem: { attribute: false } };

  render() {
    const problem = this.problem;
    if (!problem) return nothing;
    const { status, retryAfter, body } = problem;
    return html`<div class="note bad" role="alert"><div><strong>${TITLES[status] ?? 'That did not work'}</strong>
      <p>${sentence(problem.message)}${retryAfter ? html` Try again in ${count(retryAfter, 'second')}.` : nothing}</p>${body?.violations ? html`<ul>${body.violations.map((each) => html`<li>${violation(each)}</li>`)}</ul>` : nothing}</div>
      ${status === 403 ? nothing : html`<button type="button" @click=${() => this.dispatchEvent(new Event('again', { bubbles: true }))}>Try again</button>`}</div>`;
  }
}

/** The empty state, with a hint. */
export const empty = (title, hint = nothing) => html`<div class="empty"><strong>${title}</strong><p>${hint}</p></div>`;

/** The loading state. */
export const busy = (text = 'One moment…') => html`<p class="wait" aria-busy="true">${text}</p>`;

/** A name and its value, in a list of facts. */
export const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value ?? '–'}</dd></div>`;
export const facts = (...all) => html`<dl class="facts">${all}</dl>`;

customElements.define('tm-status', Status);
customElements.define('tm-problem', ProblemNote);
